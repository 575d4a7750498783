"""Makes the man page from the program's own parser, so that it names what can be typed.

.venv/bin/python .ci/man_page.py > docs/tunewiz.1
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from typed_words import commands, entries

from tunewiz.commands.options import whole_parser

STATUSES = {
    "0": "done; for the wizard: a bundle was written, or the user left on purpose",
    "1": "check: the bundle is not intact, or this host does not match what it was planned on; "
    "compare: something differs; fleet: some hosts could not be planned; prove: the change hurts",
    "2": "wrong usage, input that cannot be used, or no terminal",
    "3": "prove: the same within what can be shown; fleet plan --exit-code: changes are planned",
    "4": "prove: undecided, or refused; fleet --exit-code: a rule is not kept or has expired",
    "5": "prove: ended early; everything was put back; fleet --exit-code: drift",
    "70": "an internal error; a private report is in the state directory",
    "74": "standard output could not be written",
    "128 + N": "the wizard was stopped by signal N; --resume continues where it stopped",
}
PLACES = {
    "$XDG_STATE_HOME/tunewiz/sessions": "runs of the wizard, readable by their owner only, without passwords",
    "$XDG_STATE_HOME/tunewiz/fault-*.txt": "reports of internal errors, without the values of variables",
}
VARIABLES = {
    "NO_COLOR": "no colour is sent",
    "TERM, LC_ALL, LC_CTYPE, LANG": "which characters and colours the terminal has",
    "TUNEWIZ_PRESENCE": "another name under which wizards on one host find each other",
}


def page(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The lines of the page in the man(7) macros."""
    yield '.TH TUNEWIZ 1 "" "tunewiz" "User Commands"'
    yield ".SH NAME"
    yield r"tunewiz \- tune PostgreSQL on Linux: explained, whole, reversible"
    yield ".SH SYNOPSIS"
    yield r"\fBtunewiz\fR [\fIOPTION\fR ...] [\fICOMMAND\fR ...]"
    yield ".SH DESCRIPTION"
    yield plain(parser.description or "")
    yield ".SH OPTIONS"
    yield from options(parser)
    yield ".SH COMMANDS"
    for name, command in commands(parser).items():
        yield f'.SS "tunewiz {name}"'
        yield plain(command.description or "")
        yield from options(command)
    for title, terms in (("EXIT STATUS", STATUSES), ("FILES", PLACES), ("ENVIRONMENT", VARIABLES)):
        yield f'.SH "{title}"'
        for term, about in terms.items():
            yield from entry(rf"\fB{plain(term)}\fR", about)


def options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """What a command takes."""
    for item in entries(parser):
        names = ", ".join(rf"\fB{plain(name)}\fR" for name in item.names)
        takes = rf"\fI{plain(item.takes)}\fR" if item.takes else ""
        yield from entry(" ".join(filter(None, (names, takes))), item.about)


def entry(term: str, about: str) -> Iterator[str]:
    """A term, and what it means below it."""
    yield ".TP"
    yield term
    yield plain(about)


def plain(text: str) -> str:
    """Text that troff takes as it stands."""
    safe = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{safe}" if safe.startswith((".", "'")) else safe


if __name__ == "__main__":
    sys.stdout.write("".join(f"{line}\n" for line in page(whole_parser())))
