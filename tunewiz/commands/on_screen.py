"""The full-screen wizard: runs it, then prints on the restored terminal how it ended."""

from __future__ import annotations

import sys

from tunewiz.console.exit_status import FAULT, say
from tunewiz.core.values.errors import TunewizError
from tunewiz.core.words.ascii import in_ascii
from tunewiz.tui.app import Wizard
from tunewiz.tui.terminal_app import FATAL
from tunewiz.wizard.outcome import conclude, outcome_in_words
from tunewiz.wizard.ports import WizardStart


def run_on_screen(start: WizardStart) -> int:
    """Run the wizard on this terminal; its exit status."""
    wizard = Wizard(start)
    outcome = wizard.run(mouse=start.mouse)
    if outcome is not None:
        sys.stdout.write(
            f"{in_ascii(outcome_in_words(outcome)) if start.ascii else outcome_in_words(outcome)}\n"
        )
    elif wizard.ended_by:
        say(f"stopped by {wizard.ended_by}; `tunewiz --resume` continues where it stopped")
    try:
        conclude(start.ports, outcome)
    except TunewizError as error:
        say(str(error))
    return FAULT if wizard.return_code == FATAL else wizard.return_code or 0
