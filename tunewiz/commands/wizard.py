"""`tunewiz`: the wizard. What the command line names is looked at before the screen is taken."""

from __future__ import annotations

import os

from tunewiz.options import Options
from tunewiz.terminal import check_terminal, prepare


def run_wizard(options: Options) -> int:
    """Run the wizard; without a terminal it refuses. 0 for a bundle written or left on purpose."""
    check_terminal(os.environ)
    prepare(os.environ)
    # Textual is not imported without a terminal, and reads its variables when it is.
    from tunewiz.app import run_wizard as run  # noqa: PLC0415
    from tunewiz.commands.start import start_of  # noqa: PLC0415

    return run(start_of(options))
