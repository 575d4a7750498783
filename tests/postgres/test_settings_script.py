"""The script that makes profiles/settings.json, fed with what a real server says."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from real_postgres import Cluster
from tunewiz.core.values.versions import SUPPORTED, Major
from tunewiz.knowledge.settings_by_version import read_spans

CHECKOUT = Path(__file__).resolve().parents[2]
RELEASES = (90525, 90624, *(major * 10000 + 5 for major in range(10, 20)))
UNIT_ADDED = dict.fromkeys(("max_wal_size", "min_wal_size"), ("9.5", "9.5", 2))
"""A real 9.5 shows no unit of these: the script adds the one by which it counts."""
DUMP = (
    "select json_build_object('server_version_num', current_setting('server_version_num')::int,"
    " 'settings', json_agg(s)) from pg_settings s"
)


def run(directory: Path, output: Path) -> subprocess.CompletedProcess[str]:
    script = CHECKOUT / ".ci" / "settings.py"
    return subprocess.run(
        [sys.executable, script, directory, "-o", output], capture_output=True, text=True, check=False
    )


def row(name: str, default: str, **more: str | list[str] | None) -> dict[str, Any]:
    columns = {"unit": None, "vartype": "integer", "context": "user", "min_val": "0", "max_val": "9"}
    return {"name": name, "boot_val": default, "enumvals": None, **columns, **more}


def write(directory: Path, release: int, *rows: dict[str, Any]) -> None:
    directory.mkdir(exist_ok=True)
    (directory / f"{release}.json").write_text(
        json.dumps({"server_version_num": release, "settings": rows}), encoding="utf-8"
    )


def test_what_psql_writes_is_read_and_equal_majors_are_one_span(
    running_cluster: Cluster, tmp_path: Path
) -> None:
    said = json.loads(running_cluster.query(DUMP))
    for release in RELEASES:
        write(tmp_path / "dumps", release, *said["settings"])
    output = tmp_path / "settings.json"
    done = run(tmp_path / "dumps", output)
    assert done.returncode == 0, done.stderr
    spans = json.loads(output.read_text())["settings"]
    assert {name: (span[0]["from"], span[0]["to"], len(span)) for name, span in spans.items()} == {
        **dict.fromkeys((value["name"] for value in said["settings"]), ("9.5", "19", 1)),
        **UNIT_ADDED,
    }
    assert read_spans(output.read_text(), "settings.json")[Major(1800)]["work_mem"].unit == "kB"


def test_changes_gaps_and_newer_minors_are_told_apart(tmp_path: Path) -> None:
    dumps = tmp_path / "dumps"
    for release in RELEASES:
        rows = [row("changed", "1" if release < 140000 else "2")]
        rows += [] if 110000 < release < 160000 else [row("gone_for_a_while", "1")]
        write(dumps, release, *rows)
    write(dumps / "minor", 150099, row("changed", "2"), row("late", "1"))
    write(dumps, 200000, row("of_the_future", "1"))
    output = tmp_path / "settings.json"
    assert run(dumps, output).returncode == 0
    spans = json.loads(output.read_text())["settings"]
    assert {
        name: [(value["from"], value["to"], value["default"]) for value in span]
        for name, span in spans.items()
    } == {
        "changed": [("9.5", "13", "1"), ("14", "19", "2")],
        "gone_for_a_while": [("9.5", "10", "1"), ("16", "19", "1")],
        "late": [("15", "15", "1")],
    }


def test_what_a_build_or_a_packager_decides_is_left_out_and_a_default_stays(tmp_path: Path) -> None:
    for release in RELEASES:
        rows = [
            row("of_the_build", "off", vartype="enum", enumvals=["off", "pglz", "lz4", "zstd"]),
            row("of_the_major", "lz4", vartype="enum", enumvals=["pglz", "lz4"]),
            row("of_all", "b", vartype="enum", enumvals=["a", "b"]),
            row("unix_socket_directories", "/var/run/postgresql", vartype="string"),
        ]
        write(tmp_path / "dumps", release, *rows)
    output = tmp_path / "settings.json"
    assert run(tmp_path / "dumps", output).returncode == 0
    spans = json.loads(output.read_text())["settings"]
    assert spans["of_the_build"][0]["enum"] == ["off", "pglz"]
    assert spans["of_the_major"][0]["enum"] == ["pglz", "lz4"]
    assert spans["of_all"][0]["enum"] == ["a", "b"]
    assert spans["unix_socket_directories"][0]["default"] == "/tmp"  # noqa: S108 - PostgreSQL's own default


def test_a_major_that_is_missing_is_named(tmp_path: Path) -> None:
    for release in RELEASES[:-2]:
        write(tmp_path / "dumps", release, row("x", "1"))
    done = run(tmp_path / "dumps", tmp_path / "settings.json")
    assert (done.returncode, done.stderr) == (1, "no settings of PostgreSQL 18, 19 were found\n")
    assert not (tmp_path / "settings.json").exists()


def test_what_is_shipped_has_every_supported_major_and_one_setting_a_line() -> None:
    text = (CHECKOUT / "profiles" / "settings.json").read_text(encoding="utf-8")
    known = read_spans(text, "settings.json")
    assert [len(known[major].known) > 245 for major in SUPPORTED] == [True] * len(SUPPORTED)
    assert len(text.splitlines()) == len(json.loads(text)["settings"]) + 2
