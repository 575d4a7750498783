"""The boot loader: told where it takes a second entry, and the reason where it takes none."""

from pathlib import Path

import pytest

from boot_cases import REFUSED, TAKEN
from boot_machines import LOADERS
from collected import collected, collected_whole
from tunewiz.collect.captured import RootedSystem
from tunewiz.collect.kernel.settings import read_kernel
from tunewiz.collect.system import System
from tunewiz.core.facts.machine import Kernel
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown

ONLY_SCRIPTS_LOOK = frozenset(
    {
        "booted with a word more",
        "another kernel runs",
        "two entries of the same",
        "started by kexec, which tells no image",
        "a name that needs quotes",
        "the entry is a link",
        "options on two lines",
        "two titles",
        "something of that name is there",
        "zipl is missing",
    }
)
"""What depends on the entry of the running kernel."""


def kernel(system: System) -> Kernel:
    return read_kernel(system, Unknown("mounts were not read"))


def loader(root: Path) -> MaybeFact[str]:
    return kernel(RootedSystem(root, complete=True)).loader


@pytest.mark.slow
@pytest.mark.parametrize("case", (REFUSED | TAKEN).keys())
def test_the_collector_tells_enough_of_it(case: str, tmp_path: Path) -> None:
    name, change, *_ = (REFUSED | TAKEN)[case]
    booted = LOADERS[name](tmp_path)
    change(booted)
    assert kernel(collected_whole(booted.machine.root)).loader == loader(booted.machine.root)


@pytest.mark.parametrize("name", LOADERS)
def test_a_loader_with_a_default_by_name_takes_a_second_entry(name: str, tmp_path: Path) -> None:
    fact = loader(LOADERS[name](tmp_path).machine.root)
    assert isinstance(fact, Known)
    assert fact.value == name


@pytest.mark.parametrize("case", TAKEN)
def test_other_ways_to_name_the_default_are_known(case: str, tmp_path: Path) -> None:
    name, change = TAKEN[case]
    booted = LOADERS[name](tmp_path)
    change(booted)
    assert isinstance(loader(booted.machine.root), Known)


@pytest.mark.parametrize("case", sorted(REFUSED.keys() - ONLY_SCRIPTS_LOOK))
def test_where_the_default_could_change_there_is_none(case: str, tmp_path: Path) -> None:
    name, change, _ = REFUSED[case]
    booted = LOADERS[name](tmp_path)
    change(booted)
    assert isinstance(loader(booted.machine.root), Absent)


@pytest.mark.parametrize("case", sorted(ONLY_SCRIPTS_LOOK))
def test_the_running_kernel_s_entry_is_left_to_the_scripts(case: str, tmp_path: Path) -> None:
    name, change, _ = REFUSED[case]
    booted = LOADERS[name](tmp_path)
    change(booted)
    assert isinstance(loader(booted.machine.root), Known)


def test_a_capture_without_boot_says_nothing_of_the_loader(tmp_path: Path) -> None:
    (tmp_path / "proc").mkdir()
    assert kernel(RootedSystem(tmp_path)).loader == Unknown("/boot was not captured")


def test_the_collector_takes_no_arguments_of_the_kernel(tmp_path: Path) -> None:
    booted = LOADERS["grub"](tmp_path)
    for path in (booted.entry, "/boot/grub2/grubenv", "/boot/grub2/grub.cfg"):
        booted.machine.write(path, f"kernelopts=hunter2\nset x=hunter2\n{booted.machine.read(path)}hunter2\n")
    system = collected(booted.machine.root)
    assert "hunter2" not in system.read_text(booted.entry) + system.read_text("/boot/grub2/grubenv")
    assert "hunter2" not in system.read_text("/boot/grub2/grub.cfg")
