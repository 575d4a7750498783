"""No program of the server's owner is given a descriptor of whoever runs the scripts as root."""

from pathlib import Path

import pytest

from descriptors import Kind, run_with, with_witnesses
from fixtures_attacks import ONLY_ROOT_HAS_RIGHTS_TO_LOSE
from real_subject import MakeSubject
from shells import EVERY_SHELL, as_sh

pytestmark = [ONLY_ROOT_HAS_RIGHTS_TO_LOSE, pytest.mark.slow]

RUNS = (("apply", "--dry-run"), ("apply",), ("verify",), ("rollback",))
STREAMS: tuple[tuple[Kind, Kind, Kind], ...] = (
    ("tty", "tty", "tty"),
    ("file", "file", "file"),
    ("pipe", "pipe", "pipe"),
    ("socket", "socket", "socket"),
    ("tty", "file", "pipe"),
    ("socket", "tty", "file"),
    ("pipe", "socket", "tty"),
    ("file", "pipe", "socket"),
)


def check_every_run(
    kinds: tuple[Kind, Kind, Kind], wanted: dict[str, str], make: MakeSubject, tmp_path: Path
) -> None:
    subject, witness = with_witnesses(make())
    bundle = subject.bundle(wanted)
    tmp_path.chmod(0o755)
    try:
        for script, *arguments in RUNS:
            witness.write_text("")
            ran, given = run_with(subject, kinds, tmp_path, "sh", str(bundle / f"{script}.sh"), *arguments)
            assert ran.status == 0, (script, ran.out)
            assert "\033" not in ran.out
            listed = [line.split() for line in witness.read_text().splitlines()]
            assert {"psql", "postgres"} <= {program for _, program, *_ in listed}
            assert [(script, program) for actual, program, *_ in listed if actual in given] == []
    finally:
        subject.cluster.stop()


@pytest.mark.parametrize("kinds", STREAMS, ids="-".join)
def test_case_139_a_reload_gives_none_away(
    kinds: tuple[Kind, Kind, Kind], make_subject: MakeSubject, tmp_path: Path
) -> None:
    check_every_run(kinds, {"pg.work_mem": "24MB"}, make_subject, tmp_path)


@pytest.mark.parametrize("kinds", STREAMS[::4], ids="-".join)
def test_case_139_a_restart_gives_none_away(
    kinds: tuple[Kind, Kind, Kind], make_subject: MakeSubject, tmp_path: Path
) -> None:
    check_every_run(kinds, {"pg.shared_buffers": "192MB"}, make_subject, tmp_path)


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_case_139_nor_does_any_shell(
    shell: tuple[str, ...], make_subject: MakeSubject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_sh(shell, tmp_path / "path", monkeypatch)
    check_every_run(("tty", "pipe", "file"), {"pg.work_mem": "24MB"}, make_subject, tmp_path)
