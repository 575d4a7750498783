"""Parses a server's command line: its settings override every file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_NAMED = {
    "B": "shared_buffers",
    "N": "max_connections",
    "S": "work_mem",
    "h": "listen_addresses",
    "k": "unix_socket_directories",
    "p": "port",
}
"""Options that are another name for a setting (documentation, "postgres", Options)."""
_SWITCHES = {"F": ("fsync", "off"), "i": ("listen_addresses", "*"), "l": ("ssl", "on")}
_WITH_VALUE = frozenset("ABCDNSWcdfhkoprtv-")
"""Options that take an argument, in any version since 9.5 (getopt's list in postmaster.c)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CommandLine:
    """A server's command line, read."""

    directory: str
    """Of `-D`; empty without it."""
    settings: Mapping[str, str]


def read_command(command: tuple[str, ...]) -> CommandLine:
    """Read the arguments of `postgres`, its own name first."""
    directory, settings = "", dict[str, str]()
    for letter, value in _options(command[1:]):
        if letter == "D":
            directory = value
        elif letter in _NAMED:
            settings[_NAMED[letter]] = value
        elif letter in _SWITCHES:
            name, meaning = _SWITCHES[letter]
            settings[name] = meaning
        elif letter in {"c", "-"} and "=" in value:
            name, _, given = value.partition("=")
            settings[name.replace("-", "_").lower()] = given
    return CommandLine(directory=directory, settings=settings)


def _options(arguments: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Letters with their values, as getopt(3) takes them apart: `-D dir`, `-Ddir`, `-Fi`, `--name=value`."""
    rest = iter(arguments)
    for argument in rest:
        if not argument.startswith("-") or argument in {"-", "--"}:
            return
        letters = argument[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in _WITH_VALUE:
                yield letter, letters or next(rest, "")
                break
            yield letter, ""
