"""Which server a bundle acts on, and by which programs: those of its own major, the last start's first."""

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fixtures_bundles import MakeBundle
from pretend_root import DATA, DROP_IN, PretendRoot
from small_bundles import reword

REFUSED, NOT_RESTORED = 4, 5
WANTED = {"pg.work_mem": "24MB"}
REFUSAL = "Refused, nothing was changed: this is not what was planned on (above). Plan again with tunewiz."

POSTGRES = """#!/bin/sh
# As much of postgres as a bundle asks of it: its version, and what its files say.
echo {name} >>"{log}"
case $* in
    --version) echo "postgres (PostgreSQL) {version}" ;;
    *data_directory) echo {data} ;;
    *work_mem) grep -qs 24MB "{drop_in}" && echo 24576 || echo 4096 ;;
    *) exit 1 ;;
esac
"""


def put_programs(
    machine: PretendRoot, directory: Path, name: str, version: str = "15.4 (Debian 15.4-1)"
) -> Path:
    """A server's programs; they write down under which name they were called."""
    directory.mkdir(parents=True)
    program = directory / "postgres"
    text = POSTGRES.format(
        name=name,
        log=called_in(machine),
        version=version,
        data=machine.path(DATA),
        drop_in=machine.path(DROP_IN),
    )
    program.write_text(text)
    program.chmod(0o755)
    return program


def called_in(machine: PretendRoot) -> Path:
    return machine.root.parent / "called"


def called(machine: PretendRoot) -> set[str]:
    log = called_in(machine)
    return set(log.read_text().split()) if log.exists() else set()


def package(machine: PretendRoot) -> Path:
    """Where a package of the system puts them."""
    return machine.path("/usr/lib/postgresql/15/bin")


@contextmanager
def process_in(directory: Path, program: Path) -> Generator[int]:
    """A process that works there, by its number."""
    with subprocess.Popen((program, "100"), cwd=directory) as process:
        try:
            yield process.pid
        finally:
            process.kill()


LAST_STARTS = {
    "they are there": ("{elsewhere}/bin/postgres -D /data", {"elsewhere"}),
    "without arguments": ("{elsewhere}/bin/postgres", {"elsewhere"}),
    "they are of another major": ("{older}/bin/postgres -D /data", {"older", "package"}),
    "their path is not absolute": ("{relative}/bin/postgres -D /data", {"package"}),
    "nothing is written": ("", {"package"}),
}


@pytest.mark.parametrize("case", LAST_STARTS)
def test_programs_of_the_last_start_come_before_those_of_a_package(
    case: str, machine: PretendRoot, bundled: MakeBundle, tmp_path: Path
) -> None:
    put_programs(machine, package(machine), "package")
    put_programs(machine, tmp_path / "elsewhere" / "bin", "elsewhere", "15beta1")
    put_programs(machine, tmp_path / "older" / "bin", "older", "150.1")
    last, names = LAST_STARTS[case]
    places = {"elsewhere": tmp_path / "elsewhere", "older": tmp_path / "older"}
    machine.write(
        f"{DATA}/postmaster.opts",
        last.format(relative=str(tmp_path / "elsewhere").lstrip("/"), **places) + "\n",
    )
    made = bundled(WANTED)
    ran = machine.run(made / "apply.sh")
    assert (ran.status, ran.err) == (0, "")
    assert called(machine) == names
    assert machine.run(made / "verify.sh").status == 0
    assert machine.run(made / "rollback.sh").status == 0


NO_SERVER = {
    "the number is another process's": "{pid}\n",
    "the number is none": "../{fake}\n",
    "nothing is written": "",
}


@pytest.mark.parametrize("case", NO_SERVER)
def test_a_number_that_does_not_lead_to_the_server_counts_as_none(
    case: str, machine: PretendRoot, bundled: MakeBundle, tmp_path: Path
) -> None:
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / "cwd").symlink_to(machine.path(DATA))
    machine.write(f"{DATA}/postmaster.pid", NO_SERVER[case].format(pid=os.getpid(), fake=tmp_path / "fake"))
    made = bundled(WANTED)
    ran = machine.run(made / "apply.sh")
    assert (ran.status, ran.err) == (0, "")
    assert "The server is down" in ran.out
    assert machine.run(made / "rollback.sh").status == 0


def test_a_server_whose_programs_are_gone_is_left_alone(
    machine: PretendRoot, bundled: MakeBundle, tmp_path: Path
) -> None:
    program = tmp_path / "own" / "postgres"
    program.parent.mkdir()
    shutil.copy("/bin/sleep", program)
    made = bundled(WANTED)
    with process_in(machine.path(DATA), program) as number:
        machine.write(f"{DATA}/postmaster.pid", f"{number}\n")
        before = machine.tree()
        ran = machine.run(made / "apply.sh")
        assert ran.status == REFUSED
        assert ran.err.splitlines() == ["  the programs of PostgreSQL 15 were not found", REFUSAL]
        put_programs(machine, package(machine), "package")
        ran = machine.run(made / "apply.sh")
        assert ran.status == REFUSED
        text = "  the server is running but accepts no connection: it has not recorded where it listens"
        assert ran.err.splitlines() == [text, REFUSAL]
        shutil.rmtree(machine.path("/usr"))
        assert machine.tree() == before


NOT_THIS_SERVER = {
    "there is none": (
        "rm -r {data}",
        "{DATA}: there is no PostgreSQL data directory (or it may not be read)",
    ),
    "another major": ("echo 16 >{data}/PG_VERSION", "{DATA}: planned for PostgreSQL 15, found 16"),
    "its configuration is gone": (
        "rm {data}/postgresql.conf",
        "{DATA}/postgresql.conf: the server's configuration file is not there",
    ),
}


@pytest.mark.parametrize("case", NOT_THIS_SERVER)
def test_where_the_server_is_not_the_one_that_is_told_once_and_nothing_is_done_about_it(
    case: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    change, said = NOT_THIS_SERVER[case]
    applied, other = bundled(WANTED), bundled({"pg.work_mem": "25MB"}, name="other")
    assert machine.run(applied / "apply.sh").status == 0
    subprocess.run(change.format(data=machine.path(DATA)), shell=True, check=True)  # noqa: S602 - the test's own words
    ran = machine.run(other / "apply.sh")
    assert ran.status == REFUSED
    assert ran.err.splitlines() == [f"  {said.format(DATA=DATA)}", REFUSAL]
    ran = machine.run(applied / "rollback.sh")
    assert (ran.status, "as it was before" in ran.said) == (NOT_RESTORED, False), ran.said
    assert "NOT restored: the server, which was not found (above)" in ran.err.splitlines()
    assert "The server" not in ran.out


def test_a_setting_that_the_server_does_not_have_is_refused(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    put_programs(machine, package(machine), "package")
    made, before = bundled(WANTED), machine.tree()
    reword(made, "setting|work_mem|", "setting|no_such|")
    ran = machine.run(made / "apply.sh")
    assert ran.status == REFUSED
    assert ran.err.splitlines() == ["  no_such: 4096 when planned, found no such setting", REFUSAL]
    assert machine.run(made / "verify.sh").out.splitlines()[0] == (
        "DIFFERS     no_such: planned 24MB, running not known, configured not (the server is down)"
    )
    assert machine.tree() == before
