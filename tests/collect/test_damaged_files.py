"""Any one file removed, emptied, cut or filled with noise: what depends on it is unknown, the rest equal."""

import posixpath
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from recorded_machines import Leaf, contents, foreign_captures, leaves, load, our_captures
from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.machine import Cache, Disk
from tunewiz.core.values.known import Absent, Known, Unknown

READ = ("proc/", "sys/devices/system/", "sys/fs/", "sys/kernel/", "sys/class/", "etc/")
LINES_ADD_UP = ("/cgroup", "/mountinfo", "/mounts", "proc/cpuinfo")
"""Every line adds something: cut between two lines they are whole files of a smaller machine."""


class ListeningSystem(RecordedSystem):
    """Remembers which files were read."""

    def __init__(self, capture: dict[str, Any], files: dict[str, bytes]) -> None:
        super().__init__(files, capture["links"], tuple(capture["dirs"]))
        self.reads: set[str] = set()

    def _content(self, real: str, path: str) -> bytes:
        self.reads.add(real.lstrip("/"))
        return super()._content(real, path)


def facts_of(path: Path, files: dict[str, bytes], *folders: str) -> dict[str, Leaf]:
    capture = load(path)
    system = RecordedSystem(files, capture["links"], (*capture["dirs"], *folders))
    return leaves(read_machine(system, {"data": ["/"]}))


def is_honest(name: str, before: Leaf, after: Leaf | None) -> bool:
    """Equal, unknown with a reason, or, for a setting, no longer there."""
    match before, after:
        case _, None:
            return name.startswith(("kernel.settings.", "storage."))
        case _, Unknown(why):
            return bool(why)
        case Known(earlier), Known(later):
            return later == earlier or is_part_of(earlier, later)
        case ((Absent() | Unknown()), Absent()):
            return True
        case _:
            return False


def is_part_of(earlier: object, later: object) -> bool:
    """The same list of disks or caches, of which some no longer say everything."""
    match earlier, later:
        case tuple(), tuple():
            return len(earlier) == len(later) and all(map(says_less, earlier, later))  # pyright: ignore[reportUnknownArgumentType]
        case _:
            return False


def says_less(earlier: object, later: object) -> bool:
    match earlier, later:
        case Disk(), Disk():
            values = [(getattr(earlier, field.name), getattr(later, field.name)) for field in fields(Disk)]
            return all(one == other or isinstance(other, Unknown) for one, other in values)
        case Cache(), Cache():
            same_kind = (later.level, later.type) == (earlier.level, earlier.type)
            return (
                same_kind
                and later.instances in {earlier.instances, None}
                and later.shared_by in {earlier.shared_by, None}
                and later.size in {earlier.size, None}
            )
        case _:
            return earlier == later


def dishonest(path: Path, damaged: str, content: bytes | None) -> dict[str, Leaf | None]:
    """The facts that say something else after a file was damaged, or removed where there is no content."""
    files = contents(load(path))
    before = facts_of(path, files)
    del files[damaged]
    folder = posixpath.dirname(damaged)
    after = facts_of(path, files if content is None else {**files, damaged: content}, folder)
    return {
        name: after.get(name) for name, leaf in before.items() if not is_honest(name, leaf, after.get(name))
    }


captures = st.sampled_from(our_captures())
noise = st.binary(min_size=1, max_size=64).map(lambda content: b"\xff\x00" + content)


def a_file_of(path: Path) -> st.SearchStrategy[str]:
    return st.sampled_from(sorted(name for name in contents(load(path)) if name.startswith(READ)))


@given(st.data())
def test_a_removed_file_takes_only_its_own_facts_away(data: st.DataObject) -> None:
    path = data.draw(captures)
    assert dishonest(path, data.draw(a_file_of(path)), None) == {}


@given(st.data())
def test_an_emptied_file_takes_only_its_own_facts_away(data: st.DataObject) -> None:
    path = data.draw(captures)
    assert dishonest(path, data.draw(a_file_of(path)), b"") == {}


@given(st.data())
def test_noise_in_a_file_is_never_taken_for_a_fact(data: st.DataObject) -> None:
    path = data.draw(captures)
    assert dishonest(path, data.draw(a_file_of(path)), data.draw(noise)) == {}


@given(st.data())
def test_a_cut_file_takes_only_its_own_facts_away(data: st.DataObject) -> None:
    path = data.draw(captures)
    damaged = data.draw(a_file_of(path))
    whole = contents(load(path))[damaged]
    left = whole[: data.draw(st.integers(0, len(whole)))]
    assume(not (left.endswith(b"\n") and damaged.endswith(LINES_ADD_UP)))
    assert dishonest(path, damaged, left) == {}


@pytest.mark.parametrize("path", our_captures(), ids=lambda path: path.stem)
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_list_that_was_cut_between_two_lines_is_one_of_a_smaller_machine(
    path: Path, data: st.DataObject
) -> None:
    files = contents(load(path))
    damaged = data.draw(st.sampled_from(sorted(name for name in files if name.endswith(LINES_ADD_UP))))
    lines = files[damaged].splitlines(keepends=True)
    left = b"".join(lines[: data.draw(st.integers(0, len(lines)))])
    before, after = facts_of(path, files), facts_of(path, {**files, damaged: left})
    kernel = {name for name in before if name.startswith(("kernel.settings.", "memory."))}
    assert {name for name in kernel if not is_honest(name, before[name], after.get(name))} == set()


def damages(content: bytes) -> tuple[bytes | None, ...]:
    """Removed, emptied, noise, cut within its last line and somewhere in the middle of a line."""
    half = content[: len(content) // 2].rstrip(b"\n")
    return (None, b"", b"\xff\x00\x80abc", content.rstrip(b"\n")[:-1], half)


@pytest.mark.slow
@pytest.mark.parametrize("path", our_captures(), ids=lambda path: path.stem)
def test_every_file_that_is_read_can_be_damaged_in_every_way(path: Path) -> None:
    files = contents(load(path))
    system = ListeningSystem(load(path), files)
    read_machine(system, {"data": ["/"]})
    result = {
        (name, kind): wrong
        for name in sorted(system.reads & files.keys())
        for kind, content in enumerate(damages(files[name]))
        if (wrong := dishonest(path, name, content))
    }
    assert result == {}


@pytest.mark.slow
@pytest.mark.parametrize("path", foreign_captures() or [Path()], ids=lambda path: path.stem)
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_machines_of_other_projects_survive_damage_too(path: Path, data: st.DataObject) -> None:
    if path == Path():
        pytest.skip("TUNEWIZ_CAPTURES names no folder")
    files = contents(load(path))
    damaged = data.draw(st.sampled_from(sorted(files)))
    assert dishonest(path, damaged, data.draw(st.sampled_from(damages(files[damaged])))) == {}
