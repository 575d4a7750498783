"""Reads one file as one value: known with its path, or unknown with the reason in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from tunewiz.collect.system import ReadError, System, as_text
from tunewiz.core.values.known import Absent, Fact, Known, Unknown

T = TypeVar("T")

MAX_PROCESSORS = 65_536
"""No kernel has more (CONFIG_NR_CPUS is at most 8192 on x86, 2048 on POWER): larger ids are noise."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]+")
_INTEGER = re.compile(r"-?[0-9]{1,20}")
_RANGE = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")
_MAP = re.compile(r"[0-9a-fA-F]{1,16}(?:,[0-9a-fA-F]{8}){0,2047}")
"""Words of 32 bits, at most as many as MOST_PROCESSORS need; very old kernels write one of 64."""
_BRACKETED = re.compile(r"\[([^\[\]\s]+)\]")
_SHOWN = 40
"""Characters of an unexpected content that a message repeats."""
_STRING_END = re.compile(r"[\0\n]")
CUT = " (cut off: its last line is left out)"
"""Follows the path of a table that was not captured to its end."""


def text(system: System, path: str) -> Fact[str]:
    """The content without surrounding white space and the NUL that ends a device-tree string."""
    try:
        return Known(system.read_text(path).strip(" \t\r\n\0"), path)
    except ReadError as error:
        return Unknown(error.message)


def lines(system: System, path: str) -> Fact[str]:
    """The content of a table without a truncated last line; its source then says so (CUT)."""
    try:
        content = as_text(system.read_bytes(path))
    except ReadError as error:
        return Unknown(error.message)
    if system.live or not content or content.endswith("\n"):
        return Known(content, path)
    whole, line_end, _ = content.rpartition("\n")
    if not line_end:
        return Unknown(f"it was cut off: its only line has no end: {path}")
    return Known(f"{whole}\n", f"{path}{CUT}")


def absent(system: System, path: str, how: str) -> Absent | Unknown:
    """Absent if the machine was read completely; unknown if the path may just not have been captured."""
    return Absent(how) if system.complete else Unknown(f"not in the capture: {path}")


def names(system: System, path: str) -> Fact[tuple[str, ...]]:
    """The names in a directory."""
    try:
        return Known(system.listdir(path), path)
    except ReadError as error:
        return Unknown(error.message)


def converted(fact: Fact[str], convert: Callable[[str], T | None], expected: str) -> Fact[T]:
    """A converted text; unknown with what was expected if `convert` returns None."""
    match fact:
        case Known(content, how):
            value = convert(content)
            if value is not None:
                return Known(value, how)
            return Unknown(f"expected {expected}, found {content[:_SHOWN]!r}: {how}")
        case Unknown():
            return fact


def word(system: System, path: str) -> Fact[str]:
    """The content of a file that holds something printable."""
    return converted(text(system, path), as_word, "a word")


def first_string(system: System, path: str) -> Fact[str]:
    """The first string of a device-tree property, up to its NUL (in some captures a line's end)."""
    try:
        content = as_text(system.read_bytes(path))
    except ReadError as error:
        return Unknown(error.message)
    string, *others = _STRING_END.split(content, maxsplit=1)
    if not others and not system.live:
        return Unknown(f"it was cut: its only string has no end: {path}")
    return converted(Known(string, path), as_word, "a word")


def kernel_name(system: System, path: str) -> Fact[str]:
    """The content of a file that holds one name the kernel gives, such as `tsc`."""
    return converted(text(system, path), as_name, "a name of letters and digits")


def kernel_names(system: System, path: str) -> Fact[tuple[str, ...]]:
    """The content of a file that lists names the kernel gives, such as `tsc hpet acpi_pm`."""
    return converted(text(system, path), as_names, "names of letters and digits")


def number(system: System, path: str) -> Fact[int]:
    """The content of a file that holds one whole number."""
    return converted(text(system, path), as_integer, "a whole number")


def active(system: System, path: str) -> Fact[str]:
    """The word in brackets, as in `always [madvise] never`."""
    return converted(text(system, path), as_active, "a word in brackets")


def processors(system: System, path: str) -> Fact[frozenset[int]]:
    """Processor numbers of a list such as `0-3,8`."""
    return converted(text(system, path), as_list, "a list such as 0-3,8")


def bit_map(system: System, path: str) -> Fact[frozenset[int]]:
    """Processor numbers of a bit map such as `00000000,0000ffff`."""
    return converted(text(system, path), as_map, "a bit map such as 00000000,0000ffff")


def first(candidates: Iterable[Fact[T]]) -> Fact[T]:
    """The first fact that is known; else unknown with all reasons."""
    reasons = dict[str, None]()
    for candidate in candidates:
        match candidate:
            case Known():
                return candidate
            case Unknown(why):
                reasons[why] = None
    return Unknown("; ".join(reasons))


def as_word(content: str) -> str | None:
    """The text itself if it is printable and not empty; a replaced byte is not part of a word."""
    return content if content and content.isprintable() and "\ufffd" not in content else None


def as_name(content: str) -> str | None:
    """One name of letters, digits and `_.-`."""
    return content if _NAME.fullmatch(content) else None


def as_names(content: str) -> tuple[str, ...] | None:
    """One or more names of letters, digits and `_.-`."""
    result = content.split()
    return tuple(result) if result and all(map(as_name, result)) else None


def as_integer(content: str) -> int | None:
    """A whole number in ASCII digits."""
    return int(content) if _INTEGER.fullmatch(content) else None


def as_active(content: str) -> str | None:
    """The one word in brackets."""
    result = _BRACKETED.findall(content)
    return as_word(result[0]) if len(result) == 1 else None


def as_list(content: str) -> frozenset[int] | None:
    """Processor numbers of `0-3,8`; an empty text is the empty set."""
    members = set[int]()
    for part in content.split(",") if content else ():
        matched = _RANGE.fullmatch(part.strip())
        if matched is None:
            return None
        low, high = int(matched[1]), int(matched[2] or matched[1])
        if high < low or high > MAX_PROCESSORS:
            return None
        members.update(range(low, high + 1))
    return frozenset(members)


def as_map(content: str) -> frozenset[int] | None:
    """Processor numbers of a bit map such as `00000000,0000ffff`."""
    if not _MAP.fullmatch(content):
        return None
    words = "".join(word.zfill(8) for word in content.split(","))
    bits = f"{int(words, 16):b}"[::-1]
    return frozenset(place for place, bit in enumerate(bits) if bit == "1")
