"""The scripts of the Ansible project, one by one."""

import base64
import stat
import subprocess
from pathlib import Path

import pytest

from small_plans import small_answers, small_facts, small_plan
from tunewiz.bundle.write import write_bundle
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.package_files import package_file

SCRIPTS = package_file("tunewiz.fleet.ansible")


def run(name: str, *arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["sh", SCRIPTS / name, *arguments], input=stdin, capture_output=True, check=False)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    facts = small_facts()
    directory = tmp_path / "bundle"
    write_bundle(small_plan(facts), directory, facts_to_json(facts), answers_to_toml(small_answers()))
    return directory


def packed(bundle: Path, tmp_path: Path) -> Path:
    script = tmp_path / "packed" / "db1.sh"
    assert run("pack.sh", bundle, script).returncode == 0
    return script


def contents(directory: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()
    }


def test_a_packed_bundle_unpacks_to_the_same_bytes(bundle: Path, tmp_path: Path) -> None:
    bundle.joinpath("apply.sh").chmod(0o775)
    place = tmp_path / "there" / "id"
    subprocess.run(["sh", packed(bundle, tmp_path), place], check=True)
    assert contents(place) == contents(bundle)
    assert not [path for path in place.rglob("*") if path.stat().st_mode & 0o022]


def test_packing_gives_the_same_script_each_time(bundle: Path, tmp_path: Path) -> None:
    assert packed(bundle, tmp_path).read_bytes() == packed(bundle, tmp_path).read_bytes()


def test_what_is_whole_stays_and_what_is_damaged_is_replaced(bundle: Path, tmp_path: Path) -> None:
    script, place = packed(bundle, tmp_path), tmp_path / "there" / "id"
    subprocess.run(["sh", script, place], check=True)
    kept = place.stat().st_ino
    subprocess.run(["sh", script, place], check=True)
    assert place.stat().st_ino == kept
    (place / "plan.json").write_text("{}")
    subprocess.run(["sh", script, place], check=True)
    assert contents(place) == contents(bundle)


def test_a_cut_archive_leaves_nothing(bundle: Path, tmp_path: Path) -> None:
    script, place = packed(bundle, tmp_path), tmp_path / "there" / "id"
    script.write_bytes(script.read_bytes()[:-5000])
    assert subprocess.run(["sh", script, place], capture_output=True, check=False).returncode != 0
    assert not list((tmp_path / "there").iterdir())


@pytest.mark.parametrize("printed", [b"a\nb\n", b"a\nb"])
def test_what_a_host_printed_is_kept_with_its_last_line_end(tmp_path: Path, printed: bytes) -> None:
    file = tmp_path / "facts" / "db1.tunewiz"
    assert run("keep.sh", file, stdin=base64.b64encode(printed)).returncode == 0
    assert file.read_bytes() == b"a\nb\n"


def test_the_last_step_of_a_host_counts(tmp_path: Path) -> None:
    records = tmp_path / "rollout"
    for state in ("began", "confirmed"):
        run("record.sh", records / "db1", state)
    assert run("finished.sh", records, "confirmed", "db1").returncode == 0
    assert run("finished.sh", records, "confirmed").returncode == 0
    missing = run("finished.sh", records, "confirmed", "db1", "db2")
    assert missing.returncode == 1
    assert missing.stderr == b"db2: expected confirmed, found \n"
    run("record.sh", records / "db1", "rolled-back")
    assert run("finished.sh", records, "confirmed", "db1").returncode == 1


ITEM = (
    '    {"kind": "setting", "name": "%s", "planned": "%s", "running": %s, "configured": %s, "from": null, '
    '"remark": null, "pending_restart": false, "as_planned": %s, "survives_reboot": %s}'
)


def report(*items: str, planned: str) -> str:
    head = '{"schema": 1, "bundle": "x", "journal": "applied", "confirmation": "confirmed", "items": ['
    return f"{head}\n" + ",\n".join(items) + f'\n], "as_planned": {planned}}}\n'


GOOD = ITEM % ("jit", "off", '"off"', '"off"', "true", "true")
BAD = ITEM % ("work_mem", r"7\"M\\B", '"4MB"', "null", "false", "true")
LATER = ITEM % ("max_wal", "50", '"50"', '"40"', "true", "false")


def test_drift_is_told_value_by_value(tmp_path: Path) -> None:
    (tmp_path / "db1.json").write_text(report(GOOD, planned="true"))
    (tmp_path / "db2.json").write_text(report(GOOD, BAD, LATER, planned="false"))
    (tmp_path / "db3.json").write_text("")
    assert run("drifted.sh", tmp_path, "db1").returncode == 0
    done = run("drifted.sh", tmp_path, "db1", "db2", "db3", "db4")
    assert done.returncode == 1
    assert done.stdout.decode().splitlines() == [
        r'db2: work_mem: planned "7\"M\\B", running "4MB", configured null',
        'db2: max_wal: planned "50", running "50", configured "40"',
        "db3: could not be verified",
        "db4: could not be verified",
    ]


@pytest.mark.parametrize(("items", "planned"), [((GOOD,), "true"), ((GOOD, BAD, LATER), "false")])
def test_metrics_are_what_node_exporter_reads(tmp_path: Path, items: tuple[str, ...], planned: str) -> None:
    status = 0 if planned == "true" else 1
    (tmp_path / "report").write_text(report(*items, planned=planned))
    (tmp_path / "verify.sh").write_text(f'cat "{tmp_path}/report"; exit {status}\n')
    done = run("metrics.sh", tmp_path, tmp_path)
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "tunewiz.prom").read_text().splitlines()
    assert f"tunewiz_as_planned {1 - status}" in lines
    differences = [line for line in lines if line.startswith("tunewiz_difference{")]
    expected = [
        r'tunewiz_difference{kind="setting",name="work_mem",planned="7\"M\\B",running="4MB",configured=""} 1',
        'tunewiz_difference{kind="setting",name="max_wal",planned="50",running="50",configured="40"} 1',
    ]
    assert differences == (expected if status else [])
    assert not list(tmp_path.glob("tunewiz.prom.*"))


def test_without_a_report_the_last_metrics_stay(tmp_path: Path) -> None:
    (tmp_path / "verify.sh").write_text("exit 2\n")
    (tmp_path / "tunewiz.prom").write_text("before\n")
    assert run("metrics.sh", tmp_path, tmp_path).returncode == 2
    assert (tmp_path / "tunewiz.prom").read_text() == "before\n"


def test_no_link_in_the_directory_of_the_metrics_is_followed(tmp_path: Path) -> None:
    metrics, elsewhere = tmp_path / "metrics", tmp_path / "elsewhere"
    metrics.mkdir()
    elsewhere.mkdir()
    (elsewhere / "file").write_text("as before\n")
    (tmp_path / "verify.sh").write_text(f"cat {tmp_path}/report\n")
    (tmp_path / "report").write_text(report(GOOD, planned="true"))
    (metrics / "tunewiz.prom").symlink_to(elsewhere)
    # The number of the shell is that of the script, which takes its place.
    laid = 'ln -s "$4" "$3/tunewiz.prom.$$" && exec sh "$1" "$2" "$3"'
    words = ("sh", SCRIPTS / "metrics.sh", tmp_path, metrics, elsewhere / "file")
    done = subprocess.run(["sh", "-c", laid, *words], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in elsewhere.iterdir()] == ["file"]
    assert (elsewhere / "file").read_text() == "as before\n"
    assert not (metrics / "tunewiz.prom").is_symlink()
    assert "tunewiz_as_planned 1" in (metrics / "tunewiz.prom").read_text()
    assert stat.S_IMODE((metrics / "tunewiz.prom").stat().st_mode) == 0o644
