"""Kernel arguments where a second entry could become the default, or nobody can tell: nothing is touched."""

import os
from pathlib import Path

import pytest

from behind_mounts import behind, read_only
from boot_cases import REFUSED, TAKEN
from boot_machines import LOADERS
from small_host import host_bundle
from tunewiz.core.recommendation.targets import Effect
from tunewiz.kinds.boot import KernelArgument

PAGES = KernelArgument(arguments=("hugepagesz=1G", "hugepages=17"))


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return host_bundle(tmp_path / "bundle", PAGES, effect=Effect.REBOOT)


@pytest.mark.parametrize("case", REFUSED)
def test_where_the_default_could_change_nothing_is_touched(case: str, bundle: Path, tmp_path: Path) -> None:
    loader, change, said = REFUSED[case]
    booted = LOADERS[loader](tmp_path)
    change(booted)
    before = booted.machine.tree()
    ran = booted.machine.run(bundle / "apply.sh")
    assert ran.status == 4
    text, refused = ran.err.splitlines()
    assert said in text
    assert refused.startswith("Refused, nothing was changed")
    assert booted.machine.tree() == before


@pytest.mark.parametrize("case", TAKEN)
def test_where_the_default_has_a_name_an_entry_is_written(case: str, bundle: Path, tmp_path: Path) -> None:
    loader, change = TAKEN[case]
    booted = LOADERS[loader](tmp_path)
    change(booted)
    assert booted.machine.run(bundle / "apply.sh").status == 0
    assert booted.machine.path(booted.ours).is_file()


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts need root")
def test_entries_on_a_read_only_partition_are_refused(bundle: Path, tmp_path: Path) -> None:
    machine = LOADERS["grub"](tmp_path).machine
    before = machine.tree()
    ran = behind(machine, read_only(machine, "/boot")).run(bundle / "apply.sh")
    assert ran.status == 4
    assert "/boot/loader/entries/: cannot be written" in ran.err
    assert machine.tree() == before
