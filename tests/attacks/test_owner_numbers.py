"""The server's owner prints commands in the place of numbers, and root runs none of them."""

import dataclasses
from pathlib import Path

import pytest

from fixtures_attacks import ONLY_ROOT_HAS_RIGHTS_TO_LOSE
from real_subject import MakeSubject, Subject
from shells import EVERY_SHELL, as_sh

pytestmark = [ONLY_ROOT_HAS_RIGHTS_TO_LOSE, pytest.mark.slow]

SHELLS_OF_SYSTEMS = {"dash", "bash", "busybox"}


def with_own_programs(subject: Subject, segment: str) -> Subject:
    """The server runs from the owner's copy of its programs, whose pg_controldata prints another size."""
    cluster = subject.cluster
    cluster.stop()
    mine = cluster.directory / "bin"
    cluster.run("cp", "-rL", cluster.programs.bin_directory, mine)
    cluster.run("mkdir", cluster.directory / "lib")
    real = cluster.programs.bin_directory / "pg_controldata"
    lie = cluster.directory / "lie"
    lie.write_text(f"Bytes per WAL segment:                {segment}\n")
    fake = f'#!/bin/sh\n{real} "$@" | sed "/^Bytes per WAL segment/d"\ncat {lie}\n'
    (mine / "pg_controldata").write_text(fake)
    programs = dataclasses.replace(cluster.programs, bin_directory=mine)
    moved = dataclasses.replace(cluster, programs=programs)
    moved.start()
    return dataclasses.replace(subject, cluster=moved)


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_a_command_in_the_place_of_the_segment_size_makes_no_setuid_shell(
    shell: tuple[str, ...], make_subject: MakeSubject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_subject()
    canary = tmp_path / "canary"
    shell_of_root = f"PROBLEMS[$(cp /bin/bash {canary}; chmod 4755 {canary})]"
    subject = with_own_programs(made, shell_of_root)
    bundle = subject.bundle({"pg.shared_buffers": "192MB"})
    as_sh(shell, tmp_path / "path", monkeypatch)
    try:
        for script, argument in (("apply", "--dry-run"), ("apply", ""), ("verify", ""), ("rollback", "")):
            ran = subject.run(bundle / f"{script}.sh", *filter(None, [argument]))
            assert not canary.exists(), f"{script} {argument}"
            # In the other shells not everything that a restart would lose can be read, which is refused.
            expected = {0} if shell[0] in SHELLS_OF_SYSTEMS else set(range(6))
            assert (ran.status in expected, "arithmetic" in ran.err) == (True, False), ran.said
        assert subject.show()["shared_buffers"] == "128MB"
    finally:
        subject.cluster.stop()
