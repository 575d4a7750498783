"""A pretend machine, and bundles of a few changes for it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import pytest

from pretend_root import PretendRoot, make_root
from pretend_systemd import run_by_systemd
from small_bundles import small_bundle
from small_plans import WANTED
from tunewiz.core.facts.facts import Facts


class MakeBundle(Protocol):
    """Writes a bundle that puts the wanted values in force."""

    def __call__(
        self, wanted: Mapping[str, str] = WANTED, *, facts: Facts | None = None, name: str = "bundle"
    ) -> Path:
        """In a directory of that name."""
        ...


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    """A small machine made of files."""
    return make_root(tmp_path)


@pytest.fixture
def with_systemd(machine: PretendRoot) -> PretendRoot:
    """The same, with a systemd that can be told to revert."""
    return run_by_systemd(machine)


@pytest.fixture
def bundled(tmp_path: Path) -> MakeBundle:
    """Bundles beside the machine."""

    def make(wanted: Mapping[str, str] = WANTED, *, facts: Facts | None = None, name: str = "bundle") -> Path:
        return small_bundle(tmp_path / name, wanted, facts=facts)

    return make
