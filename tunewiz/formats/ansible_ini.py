"""Reads an Ansible inventory in INI form, as the `ini` plugin of ansible-core does."""

from __future__ import annotations

import ast
import re
import shlex
import string
import warnings
from collections.abc import Iterator, Sequence
from itertools import product

from tunewiz.core.values.errors import InputError
from tunewiz.formats.ansible_inventory import UNGROUPED, AnsibleInventory
from tunewiz.formats.mismatch import shown

MAX_HOSTS = 100_000
"""Most hosts of one line."""
_SECTION = re.compile(r"\[([^:\]\s]+)(?::(\w+))?\]\s*(?:#.*)?")
_GROUP_NAME = re.compile(r"([^:\]\s]+)\s*(?:#.*)?")
_WITH_PORT = re.compile(r"(?:\[(?P<bracketed>.+)\]|(?P<bare>(?:[^:\[\]]|\[[^\]]*\])*)):[0-9]+")
_RANGE = re.compile(r"\[([^\[\]]*:[^\[\]]*)\]")
_NUMBER = re.compile(r"[0-9]{1,9}")
_BOUNDS = (2, 3)
"""Parts of a range: begin, end, and perhaps a step."""
_RANGES = "such as [01:20], [a:f] or [0:8:2]"


def read_ini(text: str, where: str, inventory: AnsibleInventory) -> None:
    """Add the hosts and groups of a file.

    Raises:
        InputError: A line is none of an inventory; the message names it.
    """
    reader = _IniReader(inventory)
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped and stripped[0] not in "#;":
            reader.read(stripped, f"{where}: line {number}")
    reader.finish()


class _IniReader:
    """Knows the section that it is in, and what must still be declared."""

    def __init__(self, inventory: AnsibleInventory) -> None:
        self._inventory = inventory
        self._group = UNGROUPED
        self._kind = "hosts"
        self._children = list[tuple[str, str, str]]()
        self._variables = list[tuple[str, str, object, str]]()

    def read(self, line: str, at: str) -> None:
        """A line that is neither empty nor a comment."""
        if section := _SECTION.fullmatch(line):
            self._group, self._kind = section[1], section[2] or "hosts"
            if self._kind not in {"hosts", "children", "vars"}:
                raise InputError(
                    f"{at}: found {shown(line)}, expected [NAME], [NAME:children] or [NAME:vars]"
                )
            if self._kind != "vars":
                self._inventory.add_group(self._group)
        elif line.startswith("[") and line.endswith("]"):
            raise InputError(f"{at}: found {shown(line)}, expected the name of a group, without blanks")
        elif self._kind == "hosts":
            names, variables = _host_line(line, at)
            for name in names:
                self._inventory.add_host(name, self._group, variables)
        elif self._kind == "children":
            self._children.append((self._group, _child(line, at), at))
        else:
            name, equals, value = line.partition("=")
            if not equals:
                raise InputError(f"{at}: found no =, expected NAME=VALUE in [{self._group}:vars]")
            self._variables.append((self._group, name.strip(), _value(value.strip()), at))

    def finish(self) -> None:
        """What may be declared after its use is all declared now."""
        for parent, child, at in self._children:
            self._check_declared(child, at)
            self._inventory.add_child(parent, child)
        for group, name, value, at in self._variables:
            self._check_declared(group, at)
            self._inventory.set_variable(group, name, value)

    def _check_declared(self, group: str, at: str) -> None:
        if not self._inventory.has_group(group):
            raise InputError(f"{at}: found the group {group}, expected one that is declared: add [{group}]")


def _child(line: str, at: str) -> str:
    name = _GROUP_NAME.fullmatch(line)
    if name is None:
        raise InputError(f"{at}: found {shown(line)}, expected the name of a group")
    return name[1]


def _host_line(line: str, at: str) -> tuple[Sequence[str], dict[str, object]]:
    """The names of the hosts, and their variables; values are never shown, as one may be a password."""
    try:
        pattern, *words = shlex.split(line, comments=True)
    except ValueError as error:
        raise InputError(f"{at}: expected a host and NAME=VALUE pairs: {error}") from error
    variables = dict[str, object]()
    for number, word in enumerate(words, start=2):
        name, equals, value = word.partition("=")
        if not equals:
            raise InputError(f"{at}: word {number} has no =, expected NAME=VALUE after the host")
        variables[name] = _value(value)
    names = expanded(pattern, at)
    if pattern.endswith(":") or "---" in names or not all(names):
        raise InputError(f"{at}: found {shown(pattern)}, expected the name of a host")
    return names, variables


def _value(text: str) -> object:
    """Ansible takes what Python would take for a number, a switch or a quoted text for that."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in a value is nobody's concern here
            value: object = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text
    return value


def expanded(pattern: str, at: str) -> Sequence[str]:
    """The hosts of a pattern, without its port; raises InputError.

    >>> expanded("db[01:03].example.org:2222", "hosts")
    ['db01.example.org', 'db02.example.org', 'db03.example.org']
    """
    if port := _WITH_PORT.fullmatch(pattern):
        pattern = port["bracketed"] or port["bare"]
    texts = _RANGE.split(pattern)
    ranges = [_members(bounds, at) for bounds in texts[1::2]]
    count = 1
    for members in ranges:
        count *= len(members)
    if count > MAX_HOSTS:
        raise InputError(f"{at}: found {shown(pattern)}, which is {count:,} hosts, expected {MAX_HOSTS:,}")
    return [_joined(texts[0::2], chosen) for chosen in product(*ranges)]


def _joined(texts: Sequence[str], members: Sequence[str]) -> str:
    """A name: its fixed texts, with a member of each range between two of them."""
    return texts[0] + "".join(member + text for member, text in zip(members, texts[1:], strict=True))


def _members(bounds: str, at: str) -> Sequence[str]:
    parts = bounds.split(":")
    begin, end, step = parts[0] or "0", parts[1], (*parts, "1")[2]
    letters = string.ascii_letters
    if len(parts) in _BOUNDS and _NUMBER.fullmatch(step) and int(step):
        if len(begin) == len(end) == 1 and begin in letters and end in letters:
            members = letters[letters.index(begin) : letters.index(end) + 1 : int(step)]
            if members:
                return members
        elif _NUMBER.fullmatch(begin) and _NUMBER.fullmatch(end) and int(begin) <= int(end):
            return _numbers(begin, end, int(step), at)
    raise InputError(f"{at}: found the range [{bounds}], expected one {_RANGES}")


def _numbers(begin: str, end: str, step: int, at: str) -> Sequence[str]:
    width = len(begin) if begin.startswith("0") and len(begin) > 1 else 0
    if width and width != len(end):
        raise InputError(f"{at}: found the range [{begin}:{end}], expected both ends with as many digits")
    numbers = range(int(begin), int(end) + 1, step)
    if len(numbers) > MAX_HOSTS:
        raise InputError(f"{at}: found a range of {len(numbers):,} hosts, expected at most {MAX_HOSTS:,}")
    return [*_padded(numbers, width)]


def _padded(numbers: Sequence[int], width: int) -> Iterator[str]:
    return (str(number).zfill(width) for number in numbers)
