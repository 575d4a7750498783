"""Any one file removed, emptied, cut or filled with noise: what hangs on it is unknown, the rest is equal."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recorded_machines import Leaf, contents, foreign_captures, leaves, load, our_captures
from tunewiz.capture import RecordedSystem
from tunewiz.core.known import Absent, Known, Unknown
from tunewiz.facts.collect import read_machine

READ = ("proc/", "sys/devices/system/", "sys/fs/", "sys/kernel/", "sys/class/", "etc/")
FALLS_BACK = {
    # Without its vendor a guest is still one: /proc/cpuinfo has the flag.
    ("sys/class/dmi/id/sys_vendor", "virtualization.hypervisor"): "other",
}


def facts_of(path: Path, files: dict[str, bytes]) -> dict[str, Leaf]:
    capture = load(path)
    system = RecordedSystem(files, capture["links"], tuple(capture["dirs"]))
    return leaves(read_machine(system, {"data": ["/"]}))


def is_honest(name: str, before: Leaf, after: Leaf | None) -> bool:
    """Equal, unknown with a reason, or, for a setting, no longer there."""
    match before, after:
        case _, None:
            return name.startswith(("kernel.settings.", "storage."))
        case _, Unknown(why):
            return bool(why)
        case Known(was), Known(now):
            return now == was or (name == "cpu.caches" and sizes_aside(now) == sizes_aside(was))
        case ((Absent() | Unknown()), Absent()):
            return True
        case _:
            return False


def sizes_aside(caches: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    return [(cache.level, cache.type, cache.instances, cache.shared_by) for cache in caches]


def dishonest(path: Path, damaged: str, content: bytes | None) -> dict[str, Leaf | None]:
    files = contents(load(path))
    before = facts_of(path, files)
    del files[damaged]
    after = facts_of(path, files if content is None else {**files, damaged: content})
    return {
        name: after.get(name)
        for name, leaf in before.items()
        if not is_honest(name, leaf, after.get(name))
        if not isinstance(now := after.get(name), Known) or FALLS_BACK.get((damaged, name)) != now.value
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
def test_a_cut_file_breaks_nothing_and_changes_no_fact_of_another_file(data: st.DataObject) -> None:
    path = data.draw(captures)
    damaged = data.draw(a_file_of(path))
    files = contents(load(path))
    whole = files[damaged]
    before = facts_of(path, files)
    after = facts_of(path, {**files, damaged: whole[: data.draw(st.integers(0, len(whole)))]})
    assert before.keys() - after.keys() <= {name for name in before if name.startswith("kernel.settings.")}
    subject = damaged.rpartition("/")[2]
    if damaged.startswith("proc/sys/vm/"):
        changed = {name for name in before if before[name] != after.get(name)}
        assert changed <= {f"kernel.settings.vm.{subject}"}


@pytest.mark.slow
@pytest.mark.parametrize("path", foreign_captures() or [Path()], ids=lambda path: path.stem)
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_machines_of_other_projects_survive_damage_too(path: Path, data: st.DataObject) -> None:
    if path == Path():
        pytest.skip("TUNEWIZ_CAPTURES names no folder")
    files = contents(load(path))
    damaged = data.draw(st.sampled_from(sorted(files)))
    content = data.draw(st.one_of(noise, st.just(b""), st.just(files[damaged][: len(files[damaged]) // 2])))
    facts_of(path, {**files, damaged: content})
