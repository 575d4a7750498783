"""A file or a folder taken away from a recorded machine: what hung on it is unknown, never something else."""

from pathlib import Path
from typing import Any

import pytest

from recorded_machines import Leaf, contents, foreign_captures, load, our_captures
from taken_away import facts_of, what_is_asked_for, wrong_without

MAX_SECONDS = 600
"""The largest capture has two thousand paths that can be taken away, and each time all facts are read."""

FOLDERS = (
    "sys",
    "sys/block",
    "sys/class",
    "sys/devices",
    "sys/devices/system/cpu",
    "sys/devices/system/node",
    "sys/fs",
    "sys/kernel",
    "sys/kernel/mm/hugepages",
    "proc",
    "proc/1",
    "proc/self",
    "proc/sys",
    "etc",
)
KINDS = {
    "topology": ("/topology/",),
    "siblings": ("siblings", "core_cpus", "package_cpus", "cluster_cpus"),
    "caches": ("/cache/",),
    "lists of nodes": ("system/node/online", "/distance"),
    "huge pages of nodes": ("/hugepages/",),
}
"""What goes by kinds: every file with one of these in its path."""

EXCEPTIONS = {
    "hwloc-16amd64-8n2c-cpusets": (
        ("sys", "sys/devices", "sys/devices/system", "sys/devices/system/cpu"),
        "hwloc took a processor out of sys alone: /proc/stat and /proc/cpuinfo have all 16",
    ),
    "hwloc-16em64t-4s2c2t-offlines": (
        ("sys", "sys/devices", "sys/devices/system", "sys/devices/system/cpu"),
        "hwloc switched processors off in sys alone: /proc/stat and /proc/cpuinfo have all 16",
    ),
    "hwloc-256ppc-8n8s4t": (
        tuple(f"sys/devices/system/cpu/cpu0{rest}" for rest in ("/cache", "/cache/index0", "/cache/index1")),
        "the first processor alone was captured with its first level of caches",
    ),
    "lscpu-ppc64-POWER7-64cpu": (
        ("sys/devices/system/node/node1", "sys/devices/system/node/node1/cpumap"),
        "it was captured without the list of nodes and their distances, and this node has no processors",
    ),
}
"""Captures that contradict themselves or keep one witness alone, with the paths on which that hangs."""


def excepted(path: Path, taken: str) -> bool:
    return taken in EXCEPTIONS.get(path.stem, ((), ""))[0]


def wrong(path: Path, taken: tuple[str, ...]) -> dict[str, dict[str, tuple[Leaf, Leaf | None]]]:
    """What is wrong after each of the paths was taken away, by path."""
    whole = facts_of(path)
    return {
        name: result
        for name in taken
        if not excepted(path, name) and (result := wrong_without(path, whole, name))
    }


def by_name(paths: list[Path]) -> list[Any]:
    return [pytest.param(path, id=path.stem) for path in paths]


def foreign() -> list[Any]:
    why = "TUNEWIZ_CAPTURES names no folder: the captured machines of other projects are not tested"
    return by_name(foreign_captures()) or [
        pytest.param(Path(), id="none", marks=pytest.mark.skip(reason=why))
    ]


@pytest.mark.parametrize("path", by_name(our_captures()))
def test_without_a_whole_folder_nothing_is_wrong(path: Path) -> None:
    assert wrong(path, FOLDERS) == {}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("path", by_name(our_captures()))
def test_without_all_files_of_a_kind_nothing_is_wrong(path: Path, kind: str) -> None:
    assert wrong_without(path, facts_of(path), *of_kind(path, kind)) == {}


def of_kind(path: Path, kind: str) -> list[str]:
    capture = load(path)
    held = {*contents(capture), *capture["links"], *capture["dirs"]}
    return [name for name in held if any(part in name for part in KINDS[kind])]


@pytest.mark.slow
@pytest.mark.timeout(MAX_SECONDS)
@pytest.mark.parametrize("path", by_name(our_captures()) + foreign())
def test_without_any_file_or_folder_nothing_is_wrong(path: Path) -> None:
    assert wrong(path, what_is_asked_for(path)) == {}


@pytest.mark.slow
@pytest.mark.timeout(MAX_SECONDS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("path", foreign())
def test_of_other_projects_machines_all_files_of_a_kind_can_be_missing(path: Path, kind: str) -> None:
    assert wrong_without(path, facts_of(path), *of_kind(path, kind)) == {}


def test_every_exception_is_still_needed() -> None:
    here = [path for path in foreign_captures() if path.stem in EXCEPTIONS]
    if not here:
        pytest.skip("TUNEWIZ_CAPTURES names no folder with these captures")
    for path in here:
        whole = facts_of(path)
        assert any(wrong_without(path, whole, taken) for taken in EXCEPTIONS[path.stem][0]), path.stem
