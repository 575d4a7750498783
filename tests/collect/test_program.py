"""Where tunewiz is on this host counts only if nobody but root can change it, or what it loads."""

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.platform.program import program_of, read_program
from tunewiz.collect.system import LiveSystem, ReadError, Stat
from tunewiz.core.values.known import Known, Unknown

CODE = ("/usr/bin/python3.11", "/opt/tunewiz/lib", "/opt/tunewiz/lib/missing.zip", "")
PROGRAM = "/opt/tunewiz/bin/tunewiz"
ROOTS = {
    "/": (0, 0o755),
    "/usr": (0, 0o755),
    "/usr/bin": (0, 0o755),
    "/usr/bin/python3.11": (0, 0o755),
    "/opt": (0, 0o755),
    "/opt/tunewiz": (0, 0o755),
    "/opt/tunewiz/bin": (0, 0o755),
    PROGRAM: (0, 0o755),
    "/opt/tunewiz/lib": (0, 0o755),
}


class Owned(LiveSystem):
    """A host whose files have these owners and modes; nothing else is there."""

    def __init__(self, owned: Mapping[str, tuple[int, int]]) -> None:
        self._owned = owned

    def exists(self, path: str) -> bool:
        """See System."""
        return path in self._owned

    def realpath(self, path: str) -> str:
        """See System: one link."""
        return PROGRAM if path == "/usr/local/bin/tw" else path

    def stat(self, path: str) -> Stat:
        """See System."""
        if path not in self._owned:
            raise ReadError(path, "missing")
        uid, mode = self._owned[path]
        return Stat(device="8:1", uid=uid, gid=0, mode=mode, directory=not PurePosixPath(path).suffix, size=0)


def test_a_program_of_roots_is_known_by_its_own_path() -> None:
    for started in (PROGRAM, "/usr/local/bin/tw"):
        program = program_of(Owned(ROOTS), started, CODE)
        assert isinstance(program, Known)
        assert program.value == PROGRAM


@pytest.mark.parametrize("path", sorted(ROOTS))
@pytest.mark.parametrize("others", [(1000, 0o755), (0, 0o775), (0, 0o757), (0, 0o1777)], ids=str)
def test_one_that_others_can_change_anywhere_is_not(path: str, others: tuple[int, int]) -> None:
    program = program_of(Owned({**ROOTS, path: others}), PROGRAM, CODE)
    assert program == Unknown(f"{PROGRAM}: users other than root can change {path}")


@pytest.mark.parametrize("started", ["", "-c", "/usr/bin/python3.11", "/opt/tunewiz/lib/__main__.py"])
def test_what_is_no_installed_program_is_not(started: str) -> None:
    assert isinstance(program_of(Owned(ROOTS), started, CODE), Unknown)


def test_a_program_that_cannot_be_run_is_not() -> None:
    assert isinstance(program_of(Owned({**ROOTS, PROGRAM: (0, 0o644)}), PROGRAM, CODE), Unknown)


def test_of_another_machine_it_is_not_known() -> None:
    assert read_program(RecordedSystem({})) == Unknown("tunewiz did not run on that machine")


def test_these_tests_are_no_program() -> None:
    assert isinstance(read_program(LiveSystem()), Unknown)
