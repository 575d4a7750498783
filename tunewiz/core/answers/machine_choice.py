"""Which machine a person chose to tune."""

from __future__ import annotations

from typing import TypeAlias

from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, slots=True)
class ThisHost:
    """The machine that the wizard runs on."""

    directory: str = ""
    """The data directory of the server to plan for first; empty if none was chosen."""


@dataclass(frozen=True, slots=True)
class FactsFile:
    """A file that `tunewiz facts` wrote."""

    path: str


@dataclass(frozen=True, slots=True)
class ExampleMachine:
    """A machine that comes with the program."""

    name: str


@dataclass(frozen=True, slots=True)
class SavedSession:
    """Where an earlier run stopped."""

    name: str = ""
    """Empty for the newest."""


@dataclass(frozen=True, slots=True)
class WrittenBundle:
    """The machine and the answers that a bundle was written from."""

    path: str


Machine: TypeAlias = ThisHost | FactsFile | ExampleMachine | SavedSession | WrittenBundle
