"""`tunewiz --plain` on its own streams: questions on standard error, the result on standard output."""

from __future__ import annotations

import shutil
import sys

from tunewiz.console import output
from tunewiz.console.exit_status import say
from tunewiz.core.values.errors import TunewizError, UsageError
from tunewiz.plain.dialogue import Dialogue
from tunewiz.plain.fleet import fleet_dialogue
from tunewiz.plain.leaving import RESUME
from tunewiz.plain.line_io import Talk
from tunewiz.wizard.outcome import Outcome, conclude, outcome_in_words
from tunewiz.wizard.ports import WizardStart

NARROWEST, WIDEST, USUAL = 40, 100, 80


def run_plain(start: WizardStart) -> int:
    """Ask everything; the exit status.

    Raises:
        UsageError: There is nothing to read answers from, or nothing to ask on.
        KeyboardInterrupt: The person interrupted it.
    """
    talk = _talk(start)
    try:
        outcome = _asked(talk, start)
    except KeyboardInterrupt:
        talk.say("", f"Nothing was changed. {RESUME}")
        raise
    finally:
        start.presence.leave()
    output.write(f"{outcome_in_words(outcome)}\n")
    try:
        conclude(start.ports, outcome)
    except TunewizError as error:
        say(str(error))
    return 0


def _asked(talk: Talk, start: WizardStart) -> Outcome:
    if start.fleet:
        return fleet_dialogue(talk, start, start.fleet_session)
    return Dialogue(start, talk).run()


def _talk(start: WizardStart) -> Talk:
    source, sink = sys.stdin, sys.stderr
    if source is None or sink is None:  # pyright: ignore[reportUnnecessaryComparison] - where <&- was typed
        raise UsageError("--plain: standard input or standard error is closed; expected both to be open")
    columns = shutil.get_terminal_size((USUAL, 24)).columns
    return Talk(
        source=source.buffer,
        sink=sink,
        encoding="ascii" if start.ascii else "utf-8",
        repeats=not source.isatty(),
        width=min(WIDEST, max(NARROWEST, columns)),
    )
