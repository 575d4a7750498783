"""Reads a log in one pass and constant memory, in any of PostgreSQL's formats.

A message is the same text in the formats stderr, csvlog, jsonlog and syslog; only the quotes in it differ. So
the messages that count are searched for in large blocks, each by its first words, which is several times
faster than looking at each line. The server must write English messages (lc_messages).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, Literal, TypeAlias

BLOCK = 1 << 22
LONGEST = 1 << 13
"""Bytes that a message that counts takes at most; an autovacuum's report has ten lines."""
LONGEST_LEAD = 1 << 10
"""Bytes of a line before its message: time, process, user and what else log_line_prefix has."""
_WORDS_BEFORE = re.compile(rb"(?:process \d{1,10}|check|restart)?")
"""What a message may say before the words that it is found by."""
Form: TypeAlias = Literal["text", "csv", "json"]
_MESSAGE_BEGINS: Mapping[Form, bytes] = {"text": b"LOG:  ", "csv": b',"', "json": b'"message":"'}
"""Elsewhere the same words are somebody's text: a quote within it is doubled in csv, escaped in json."""
LARGEST = 1 << 62
"""Bytes; a larger number is none that a server writes."""

_QUOTE = rb'(?:\\"|""|")'
_TEMPORARY = re.compile(
    rb"temporary file: path " + _QUOTE + rb'[^"\\\n]*' + _QUOTE + rb", size (\d{1,19})(?!\d)"
)
_STARTING = re.compile(rb"point starting: ([a-z -]*[a-z])")
_COMPLETE = re.compile(rb"point complete:(?:[a-z -]{0,100}:)? wrote \d+ [^\n]*?distance=(\d{1,16}) kB")
"""From 19 on it says again why it was made."""
_VACUUMED = re.compile(
    rb"automatic (?:aggressive )?vacuum (?:to prevent wraparound )?of table [\s\S]{1,1000}?"
    rb": index scans: (\d{1,9})(?!\d)[\s\S]{1,7000}?elapsed:? (\d{1,9})\.\d+ s"
)
_WAITING = re.compile(rb" still waiting for \w+ on ")
_REDO_STARTS = re.compile(rb"redo starts at ([0-9A-F]{1,8})/([0-9A-F]{1,8})")
_REDO_DONE = re.compile(
    rb"redo done at ([0-9A-F]{1,8})/([0-9A-F]{1,8})(?:[^\n]*?elapsed: (\d{1,9}(?:\.\d{1,6})?) s)?"
)
"""Before 14 it does not tell the time."""


@dataclass(kw_only=True, slots=True)
class Counts:
    """What was found so far, over all files; `damaged` counts messages that end otherwise than they begin."""

    size: int = 0
    damaged: int = 0
    temp_files: dict[int, int] = field(default_factory=dict[int, int])
    """By the exponent of the power of two that holds the file."""
    timed: int = 0
    by_wal: int = 0
    otherwise: int = 0
    largest_distance: int = 0
    autovacuums: int = 0
    longest_autovacuum: int = 0
    repeated_index_scans: int = 0
    most_index_scans: int = 0
    lock_waits: int = 0
    recoveries: int = 0
    replayed: int = 0
    replay_seconds: float = 0.0
    redo_from: int = -1
    """Where the recovery that was last seen to start began; -1 where none did."""


Told: TypeAlias = Callable[[Counts, re.Match[bytes]], None]


def scan(stream: BinaryIO, counts: Counts, form: Form = "text", *, block: int = BLOCK) -> None:
    """Adds what one file tells; raises OSError and what a decompressor raises.

    Args:
        stream: The text, decompressed.
        counts: What was found so far.
        form: `text` for stderr and syslog.
        block: Bytes that are read at a time.
    """
    counts.redo_from = -1
    data, lead, more = b"", 0, stream.read(block)
    while more:
        counts.size += len(more)
        data += more
        more = stream.read(block)
        # A message that begins in the last part may go on in the next one: it is looked at with that.
        until = len(data) - LONGEST if more else len(data)
        if until > lead:
            _look(data, lead, until, form, counts)
            lead = min(until, LONGEST_LEAD)
            data = data[until - lead :]


def _look(data: bytes, since: int, until: int, form: Form, counts: Counts) -> None:
    for place, (pattern, text) in sorted(_places(data, since, until), key=lambda results: results[0]):
        if not _begins_a_message(data, place, form):
            continue
        match = pattern.match(data, place, place + LONGEST)
        if match is None:
            counts.damaged += 1
        else:
            text(counts, match)


def _begins_a_message(data: bytes, place: int, form: Form) -> bool:
    """Whether the words at a place are the server's own."""
    start = max(0, place - LONGEST_LEAD)
    line_end = data.rfind(b"\n", start, place)
    if line_end < 0 and start > 0:
        return False
    line, begins = data[line_end + 1 if line_end >= 0 else start : place], _MESSAGE_BEGINS[form]
    # In text the first is the server's; a line that goes on with a message begins with a tab.
    part = line.partition(begins) if form == "text" else line.rpartition(begins)
    return bool(part[1]) and not line.startswith(b"\t") and _WORDS_BEFORE.fullmatch(part[2]) is not None


def _places(data: bytes, since: int, until: int) -> Iterator[tuple[int, tuple[re.Pattern[bytes], Told]]]:
    for words, what in MESSAGES.items():
        place = data.find(words, since)
        while 0 <= place < until:
            yield place, what
            place = data.find(words, place + len(words))


def _temporary(counts: Counts, match: re.Match[bytes]) -> None:
    size = int(match[1])
    if size > LARGEST:
        counts.damaged += 1
        return
    exponent = max(0, (size - 1).bit_length())
    counts.temp_files[exponent] = counts.temp_files.get(exponent, 0) + 1


def _starting(counts: Counts, match: re.Match[bytes]) -> None:
    why = match[1].split()
    if b"time" in why:
        counts.timed += 1
    elif b"wal" in why or b"xlog" in why:
        counts.by_wal += 1
    else:
        counts.otherwise += 1


def _complete(counts: Counts, match: re.Match[bytes]) -> None:
    counts.largest_distance = max(counts.largest_distance, int(match[1]) * 1024)


def _vacuumed(counts: Counts, match: re.Match[bytes]) -> None:
    counts.autovacuums += 1
    scans = int(match[1])
    counts.repeated_index_scans += scans > 1
    counts.most_index_scans = max(counts.most_index_scans, scans)
    counts.longest_autovacuum = max(counts.longest_autovacuum, int(match[2]))


def _waiting(counts: Counts, _: re.Match[bytes]) -> None:
    counts.lock_waits += 1


def _redo_starts(counts: Counts, match: re.Match[bytes]) -> None:
    counts.redo_from = _position(match)


def _redo_done(counts: Counts, match: re.Match[bytes]) -> None:
    """Counts only with its start, and where time passed."""
    end, seconds = _position(match), float(match[3] or 0)
    if 0 <= counts.redo_from < end and seconds > 0:
        counts.recoveries += 1
        counts.replayed += end - counts.redo_from
        counts.replay_seconds += seconds
    counts.redo_from = -1


def _position(match: re.Match[bytes]) -> int:
    """A place in the WAL, in bytes."""
    return (int(match[1], 16) << 32) + int(match[2], 16)


MESSAGES: Mapping[bytes, tuple[re.Pattern[bytes], Told]] = {
    b"temporary file: path ": (_TEMPORARY, _temporary),
    b"point starting: ": (_STARTING, _starting),
    b"point complete:": (_COMPLETE, _complete),
    b"automatic vacuum of table ": (_VACUUMED, _vacuumed),
    b"automatic vacuum to prevent wraparound of table ": (_VACUUMED, _vacuumed),
    b"automatic aggressive vacuum of table ": (_VACUUMED, _vacuumed),
    b"automatic aggressive vacuum to prevent wraparound of table ": (_VACUUMED, _vacuumed),
    b"redo starts at ": (_REDO_STARTS, _redo_starts),
    b"redo done at ": (_REDO_DONE, _redo_done),
    b" still waiting for ": (_WAITING, _waiting),
}
"""By their first words."""
