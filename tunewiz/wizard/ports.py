"""What the wizard may do in the world, handed to it: tests hand it recorded machines instead.

What goes through a door is named for the type checker alone: the first page is there before any of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tunewiz.core.answers.machine_choice import Machine
from tunewiz.wizard.other_wizards import NOBODY, Presence

if TYPE_CHECKING:
    from tunewiz.core.answers.answers import Answers
    from tunewiz.core.facts.facts import Facts
    from tunewiz.core.facts.server import PostgresServer, Window
    from tunewiz.core.planning.plan import Plan
    from tunewiz.core.values.known import Fact
    from tunewiz.knowledge.loading import Knowledge
    from tunewiz.session.record import Session
    from tunewiz.wizard.bundle_preview import Preview

Progress: TypeAlias = Callable[[str], None]
Watch: TypeAlias = (
    "Callable[[PostgresServer, int, Callable[[float], None], Callable[[], bool]], Fact[Window]]"
)
"""Watches a server for so many seconds; tells how many have passed, and asks whether that is enough."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Doors:
    """Each may take long and may raise TunewizError, except where it says otherwise."""

    knowledge: Callable[[], Knowledge]
    read_host: Callable[[Progress], Facts]
    watch: Watch
    """Never raises: what could not be seen says why."""
    read_file: Callable[[str], Facts]
    examples: tuple[str, ...]
    example: Callable[[str], Facts]
    preview: Preview
    write_bundle: Callable[[Plan, str], None]
    """To the directory as typed."""
    save: Callable[[Session], None]
    load: Callable[[], Session]
    forget: Callable[[], None]
    saved: str
    """What an earlier run left, in a few words; empty where there is nothing."""
    today: Callable[[], str]
    """ISO date, for the bundle's name; never fails."""
    report: Callable[[BaseException], str]
    """Keeps a report of a fault of our own and says where; never fails."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AskMachine:
    """Nothing on the command line says which machine: the wizard asks."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WizardStart:
    """What the command line says."""

    doors: Doors
    machine: Machine | AskMachine
    answers: Answers | None = None
    """From `--answers`; None where they are to be suggested."""
    out: str = ""
    """From `--out`; empty where a name is to be made."""
    ascii: bool = False
    """Whether the screen is to be drawn with the letters of ASCII only."""
    mouse: bool = False
    """Whether the terminal's mouse is taken."""
    presence: Presence = NOBODY
