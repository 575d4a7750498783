"""Kernel arguments where a second entry could become the default, or nobody can tell: nothing is touched."""

from pathlib import Path

import pytest

from boot_cases import REFUSED, TAKEN
from boot_machines import LOADERS
from small_host import host_bundle
from tunewiz.core.actions import KernelArgument
from tunewiz.core.model import Effect

PAGES = KernelArgument(arguments=("hugepagesz=1G", "hugepages=17"))


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return host_bundle(tmp_path / "bundle", PAGES, effect=Effect.REBOOT)


def refuses(case: str, bundle: Path, directory: Path) -> None:
    loader, change, said = REFUSED[case]
    booted = LOADERS[loader](directory)
    change(booted)
    before = booted.machine.tree()
    ran = booted.machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert said in ran.err
    assert booted.machine.tree() == before


@pytest.mark.parametrize("case", [case for case, each in REFUSED.items() if each[0] == "grub"])
def test_where_the_default_could_change_nothing_is_touched(case: str, bundle: Path, tmp_path: Path) -> None:
    refuses(case, bundle, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case, each in REFUSED.items() if each[0] != "grub"])
def test_beside_rarer_loaders_nothing_is_touched_either(case: str, bundle: Path, tmp_path: Path) -> None:
    refuses(case, bundle, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("case", TAKEN)
def test_where_the_default_has_a_name_an_entry_is_written(case: str, bundle: Path, tmp_path: Path) -> None:
    loader, change = TAKEN[case]
    booted = LOADERS[loader](tmp_path)
    change(booted)
    assert booted.machine.run(bundle / "apply.sh").status == 0
    assert booted.machine.path(booted.ours).is_file()
