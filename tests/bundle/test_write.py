"""A bundle is written whole or not at all, never over anything, and always the same."""

import stat
import subprocess
from pathlib import Path

import pytest

from small_plans import advice, small_answers, small_facts, small_plan
from tunewiz.bundle import write_bundle
from tunewiz.bundle.dropins import HEADER
from tunewiz.bundle.manifest import checksums, read_checksums
from tunewiz.bundle.parts import PREAMBLE, READS_PREAMBLE, SCRIPTS, parts
from tunewiz.bundle.render import rendered
from tunewiz.core.values.errors import BundleError
from tunewiz.formats.records import answers_to_toml, facts_to_json

PACKAGE = Path(__file__).resolve().parents[2] / "tunewiz"
SCRIPTS_FOLDER = PACKAGE / "bundle" / "scripts"


def write(directory: Path) -> None:
    facts = small_facts()
    plan = small_plan(facts, more=(advice(),))
    write_bundle(plan, directory, facts_to_json(facts), answers_to_toml(small_answers()))


def test_a_bundle_holds_all_that_was_promised(tmp_path: Path) -> None:
    write(tmp_path / "b")
    names = {str(path.relative_to(tmp_path / "b")) for path in (tmp_path / "b").rglob("*") if path.is_file()}
    assert names >= {
        *SCRIPTS,
        "REVIEW.md",
        "REVIEW.html",
        "plan.json",
        "facts.json",
        "answers.toml",
        "manifest.toml",
        "SHA256SUMS",
        "files/etc/sysctl.d/90-tunewiz.conf",
    }
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "b" / "apply.sh").stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "b" / "facts.json").stat().st_mode) == 0o644


def test_the_same_plan_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name)
    assert subprocess.run(["diff", "-r", tmp_path / "one", tmp_path / "two"], check=False).returncode == 0


def test_scripts_are_copied_to_the_byte(tmp_path: Path) -> None:
    write(tmp_path / "b")
    preamble = (SCRIPTS_FOLDER / PREAMBLE).read_text().split("\n\n", 1)[1]
    for name in SCRIPTS:
        before, after = (SCRIPTS_FOLDER / name).read_text().split(READS_PREAMBLE)
        assert (tmp_path / "b" / name).read_text() == before + preamble + after
    for name, file in parts().items():
        assert (tmp_path / "b" / "lib" / name).read_bytes() == file.read_bytes()


def test_every_script_of_the_package_goes_along() -> None:
    shared, own = SCRIPTS_FOLDER.glob("*.sh"), (PACKAGE / "kinds").glob("*/*.sh")
    assert sorted([PREAMBLE, *SCRIPTS, *parts()]) == sorted(path.name for path in (*shared, *own))


def test_a_drop_in_begins_with_the_line_by_which_the_scripts_know_it() -> None:
    assert f"HEADER='{HEADER}'" in (SCRIPTS_FOLDER / "files.sh").read_text()


def test_the_checksums_are_those_of_coreutils(tmp_path: Path) -> None:
    write(tmp_path / "b")
    subprocess.run(["sha256sum", "--strict", "--quiet", "-c", "SHA256SUMS"], cwd=tmp_path / "b", check=True)


def test_a_backslash_in_a_name_is_marked_as_coreutils_does(tmp_path: Path) -> None:
    (tmp_path / "a\\b").write_bytes(b"x")
    stdout = subprocess.run(["sha256sum", "a\\b"], cwd=tmp_path, capture_output=True, check=True).stdout
    assert checksums({"a\\b": b"x"}) == stdout
    assert list(read_checksums(stdout.decode())) == ["a\\b"]


@pytest.mark.parametrize("what", ["directory", "file", "dangling link"])
def test_nothing_is_ever_overwritten(what: str, tmp_path: Path) -> None:
    there = tmp_path / "b"
    match what:
        case "directory":
            there.mkdir()
        case "file":
            there.write_text("mine")
        case _:
            there.symlink_to("nowhere")
    with pytest.raises(BundleError, match="already exists; choose another name"):
        write(there)
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_a_name_that_is_too_long_is_told(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="cannot be written: File name too long"):
        write(tmp_path / ("h" * 300))
    assert list(tmp_path.iterdir()) == []


def test_a_missing_parent_is_named(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="to be a directory"):
        write(tmp_path / "no" / "b")


def test_a_place_that_takes_no_files_is_told_in_one_message() -> None:
    with pytest.raises(BundleError, match="cannot be written"):
        write(Path("/proc/b"))


def test_every_line_of_the_checksums_is_counted_in_the_steps() -> None:
    facts = small_facts()
    files = rendered(small_plan(facts), facts_to_json(facts), answers_to_toml(small_answers()))
    first = files["steps.txt"].decode().splitlines()[0]
    assert first == f"tunewiz|1|{len(files['SHA256SUMS'].splitlines())}"
