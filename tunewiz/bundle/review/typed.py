"""What of a step's sentence is typed: people copy it from the review, so nothing in it may be escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tunewiz.bundle.review.blocks import CodeText, Line, PlainText, marked

_PROGRAMS = (
    *("blockdev", "cat", "echo", "id", "ln", "lsblk", "lvchange", "mkdir", "mv", "pgbench", "rm", "sar"),
    *("systemctl", "tuned-adm", "tunewiz"),
)
"""That steps begin with, or name after a colon."""
_END = r"(?=\.?$|:\ |;\ |,\ |\ \(|\ shows\b)"
_TYPED = re.compile(
    rf"""
    \b(?:ALTER|SELECT)\s[^;]*;                        # SQL, to its semicolon
    | (?:(?<=^)|(?<=:\ ))(?:{"|".join(_PROGRAMS)})\s.*?{_END}   # a command
    | \[\w+\]                                         # a section of a file
    """,
    re.VERBOSE,
)


def typed(sentence: str) -> Line:
    """A sentence of spans: what stands between backticks is typed; without any, what reads as a command.

    >>> typed("echo 5 > /proc/sys/x (or more)")
    (CodeText(text='echo 5 > /proc/sys/x'), PlainText(text=' (or more)'))
    """
    return marked(sentence) if "`" in sentence else commands_in(sentence)


def commands_in(sentence: str) -> Line:
    """The same for a sentence that may hold words of a host, of which no backtick means anything."""
    return tuple(_spans(sentence))


def _spans(sentence: str) -> Iterator[CodeText | PlainText]:
    end = 0
    for match in _TYPED.finditer(sentence):
        if match.start() > end:
            yield PlainText(sentence[end : match.start()])
        yield CodeText(match.group())
        end = match.end()
    if end < len(sentence):
        yield PlainText(sentence[end:])
