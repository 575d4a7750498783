"""`tunewiz`: the wizard. What the command line names is checked before the screen is taken."""

# ruff: noqa: PLC0415 - Textual is not imported without a terminal, and reads its variables when it is

from __future__ import annotations

import os

from tunewiz.commands.options import Options
from tunewiz.console.exit_status import say
from tunewiz.console.terminal import check_terminal, import_asyncio, moves_no_cursor, prepare


def run_wizard(options: Options) -> int:
    """Run the wizard; refuses without a terminal. 0 for a bundle written, or left on purpose."""
    if not options.plain:
        check_terminal()
        if not moves_no_cursor(os.environ):
            return _on_the_screen(options)
        say(f"TERM is {os.environ.get('TERM', '')!r}: asking line by line, as with --plain")
    from tunewiz.commands.start import present, start_of
    from tunewiz.plain.run import run_plain

    return run_plain(present(start_of(options)))


def _on_the_screen(options: Options) -> int:
    prepare(os.environ)
    import_asyncio()
    from tunewiz.commands.on_screen import run_on_screen
    from tunewiz.commands.start import present, start_of

    return run_on_screen(present(start_of(options)))
