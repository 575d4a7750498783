"""What the program's own parser takes, word by word: man page and completion are made from it.

Nothing here depends on how a version of Python prints its help.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass

# argparse has no public way to list what a parser takes.
# ruff: noqa: SLF001

OWN_WORDS = {
    argparse._HelpAction: "show this help message and exit",
    argparse._VersionAction: "show program's version number and exit",
}
"""For what argparse itself describes, in words that may change with its version."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """An option, or an argument without a name."""

    names: tuple[str, ...]
    takes: str
    """What stands for its value, as in FILE; empty where it takes none."""
    about: str


def entries(parser: argparse.ArgumentParser) -> tuple[Entry, ...]:
    """What a command takes, in its order."""
    return tuple(
        Entry(
            names=tuple(action.option_strings),
            takes=str(action.metavar or ""),
            about=OWN_WORDS.get(type(action), action.help or ""),
        )
        for action in parser._actions
        if not isinstance(action, argparse._SubParsersAction)
    )


def commands(parser: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """The parsers of the commands by their names; of commands of commands by both: `prove bench`."""
    result = dict[str, argparse.ArgumentParser]()
    for name, command in _commands(parser).items():
        result[name] = command
        result |= {f"{name} {below}": command for below, command in _commands(command).items()}
    return result


def _commands(parser: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """Those directly below; none for most."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return action.choices
    return {}
