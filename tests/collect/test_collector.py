"""The collector under every shell: what it tells gives the machine's own facts, and no secrets."""

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collected import CONFIG, DASH, DATA, collected, differences, facts_of, make, script, shells
from recorded_machines import foreign_captures, our_captures, unpack
from tools_here import need
from tunewiz.collect.captured import RootedSystem
from tunewiz.collect.postgres.sampled_by import read_sampled_by
from tunewiz.collect.script import collector
from tunewiz.collect.system import ReadError
from tunewiz.core.server.sample_place import service_of
from tunewiz.core.values.known import Known

PARTS = Path(__file__).resolve().parents[2] / "tunewiz" / "collect" / "script"
NOBODY = 65534
"""A user without rights: root may read everything."""


@pytest.mark.parametrize("shell", shells())
@pytest.mark.parametrize("path", our_captures(), ids=lambda path: path.stem)
def test_a_machine_that_was_collected_gives_its_own_facts(
    path: Path, shell: tuple[str, ...], tmp_path: Path
) -> None:
    unpack(path, tmp_path)
    assert differences(facts_of(RootedSystem(tmp_path)), facts_of(collected(tmp_path, shell))) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", foreign_captures() or [Path()], ids=lambda path: path.stem)
def test_machines_of_other_projects_give_their_own_facts(path: Path, tmp_path: Path) -> None:
    if path == Path():
        pytest.skip(
            "TUNEWIZ_CAPTURES names no folder: the captured machines of other projects are not tested"
        )
    unpack(path, tmp_path)
    assert differences(facts_of(RootedSystem(tmp_path)), facts_of(collected(tmp_path))) == []


CHANGES = (
    "cpu.steal",
    "cpu.interrupts",
    "memory.available",
    "memory.nodes",
    "memory.strain",
    "memory.huge_pages",
    "limits.",
    "storage.",
    "postgres.",
    "host.identity",
)
"""What changes between two looks at this host, or is told by the collector alone."""


@pytest.mark.parametrize("shell", shells())
def test_this_host_is_collected_as_it_is_read(shell: tuple[str, ...]) -> None:
    here = facts_of(RootedSystem(Path("/")))
    facts = facts_of(collected(None, shell))
    assert [difference for difference in differences(here, facts) if not difference.startswith(CHANGES)] == []
    assert facts["host.architecture"] == Known(os.uname().machine, "uname -m")


def test_a_file_that_may_not_be_read_is_told_as_denied() -> None:
    need(DASH[0])
    with TemporaryDirectory() as folder:
        root = make(Path(folder), {"proc/meminfo": "MemTotal: 1 kB\n", "proc/version": "Linux\n"})
        root.chmod(0o755)
        (root / "proc/meminfo").chmod(0)
        done = subprocess.run(
            [*DASH, "-s"],
            input=collector().encode(),
            capture_output=True,
            check=True,
            env={"PATH": os.environ["PATH"], "TUNEWIZ_ROOT": folder},
            user=NOBODY if os.geteuid() == 0 else None,
        )
    assert b"N /proc/meminfo\n" in done.stdout
    assert b"T /proc/version\n Linux\n" in done.stdout


@pytest.mark.parametrize("shell", shells())
def test_a_file_that_may_be_read_but_gives_nothing_is_not_told_as_denied(
    shell: tuple[str, ...], tmp_path: Path
) -> None:
    root = make(tmp_path, {"proc/meminfo": "MemTotal: 1 kB\n"})
    (root / "proc/sys/vm").mkdir(parents=True)
    # A process's own memory: reading its first page is an input/output error.
    (root / "proc/sys/vm/nr_hugepages").symlink_to("/proc/self/mem")
    system = collected(root, shell)
    with pytest.raises(ReadError, match="its content was not collected"):
        system.read_bytes("/proc/sys/vm/nr_hugepages")


@pytest.mark.parametrize("shell", shells())
def test_odd_names_and_contents_stay_inside_their_records(shell: tuple[str, ...], tmp_path: Path) -> None:
    root = make(
        tmp_path,
        {
            "proc/meminfo": b"MemTotal: 1024 kB\nT /etc/x\nend\n7\n\xff\x00\\040 $(id) `id` %s -n",
            f"{CONFIG}/postgresql.conf": "include_dir 'a b'\n",
            f"{CONFIG}/a b/x y.conf": "work_mem = 5MB\n",
            f"{CONFIG}/a b/n\nl.conf": "jit = off\n",
            "sys/block/a&b|c/dev": "8:0\n",
        },
    )
    system = collected(root, shell)
    assert system.read_bytes("/proc/meminfo").endswith(b"7\n\xff\\040 $(id) `id` %s -n\n")
    assert system.read_text(f"/{CONFIG}/a b/x y.conf") == "work_mem = 5MB\n"
    assert not system.exists("/etc/x")


@pytest.mark.parametrize("shell", shells())
def test_every_shell_takes_the_script_for_one(shell: tuple[str, ...]) -> None:
    need(shell[0])
    complaints = subprocess.run([*shell, "-n", script()], capture_output=True, check=False).stderr
    # ksh93 recommends its own arithmetic, which the other shells lack.
    assert [line for line in complaints.splitlines() if b" is slower than ((" not in line] == []


@pytest.mark.parametrize("shell", shells())
def test_a_service_that_records_a_server_is_collected(shell: tuple[str, ...], tmp_path: Path) -> None:
    unit = service_of(f"/{DATA}")
    link = f"etc/systemd/system/multi-user.target.wants/{unit}"
    root = make(tmp_path, {"proc/version": "Linux\n"}, {link: f"/etc/systemd/system/{unit}"})
    assert read_sampled_by(collected(root, shell), f"/{DATA}") == Known(unit, f"/{link}")


def test_it_refuses_to_write_to_a_terminal() -> None:
    need(DASH[0])
    ours, theirs = os.openpty()
    try:
        done = subprocess.run(
            [*DASH, script()], stdout=theirs, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 2
    assert done.stderr == b"collect.sh: writes to standard output: sh collect.sh >server.tunewiz\n"


@pytest.mark.parametrize("shell", shells())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=8)
@given(data=st.data())
def test_a_script_that_was_cut_on_its_way_collects_nothing(
    shell: tuple[str, ...], tmp_path: Path, data: st.DataObject
) -> None:
    need(shell[0])
    content = collector().encode()
    cut = tmp_path / "cut.sh"
    cut.write_bytes(content[: data.draw(st.integers(0, len(content) - len(b'main "$@"\n')))])
    done = subprocess.run([*shell, cut], capture_output=True, check=False)
    assert done.stdout == b""


def test_everything_but_the_last_line_is_one_group_of_which_a_shell_runs_nothing_until_its_end() -> None:
    lines = [line for line in collector().splitlines() if line and not line.startswith("#")]
    assert (lines[0], lines[-2:]) == ("{", ["}", 'main "$@"'])


def test_it_is_plain_ascii_and_complete() -> None:
    text = collector()
    assert text.isascii()
    assert text.startswith("#!/bin/sh\n")
    assert text.endswith('main "$@"\n')


def test_every_part_is_in_it() -> None:
    parts = list(PARTS.glob("*.sh"))
    assert len(parts) > 1
    assert all(part.read_text() in collector() for part in parts)
