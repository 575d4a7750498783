"""Which statements of a server a pgbench script can run, by their text alone, which may be hostile.

pgbench reads a backslash at the start of a line as its own command and `:name` as its variable, even within
quotes (PostgreSQL documentation, pgbench, "Custom Scripts"). What could be either is left out.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence

from tunewiz.core.proof.statement_text import PLANNED, READS, WRITES, parts, verb

Part = tuple[str, str]

MOST_CHARACTERS = 20_000
"""The most characters of a statement: a script repeats it for each set of drawn values."""
NO_PLAN = "it has no query plan (a utility command, or an incomplete statement)"
WRITING = "it writes, and --with-writes was not given"
_VARIABLE = re.compile(r":[A-Za-z_\x80-\U0010ffff]")
VARIABLE = "it has a colon before a name, which pgbench would read as its variable"
_LOCKS = frozenset({"update", "share", "no", "key"})
"""Words after FOR in a clause that locks rows."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_FORBIDDEN: Sequence[tuple[Callable[[str, str], bool], str]] = (
    (lambda _, part: "\\" in part, "it has a backslash, with which pgbench's own commands begin"),
    (lambda _, part: "\ufffd" in part, "it is not valid UTF-8"),
    (lambda kind, _: kind == "dollars", "it has dollar-quoted text, which pgbench does not support"),
    (lambda kind, part: kind == "other" and part in "'\"", "it has an unterminated quote"),
    (
        lambda kind, part: kind == "quoted" and _CONTROL.search(part) is not None,
        "it has a line break or another control character within quotes",
    ),
    (lambda _, part: _VARIABLE.search(part) is not None, VARIABLE),
    (lambda _, part: part == ";", "it is several statements"),
)
"""Patterns over the kind and text of a statement's tokens that forbid it, with the reason."""


def on_one_line(text: str) -> str:
    r"""The statement on one line, without comments and its last semicolon.

    >>> on_one_line("select 1 -- one\n  from t ;")
    'select 1 from t'
    """
    said = "".join(" " if kind == "blank" else part for kind, part in parts(text))
    return " ".join(_unquoted_blanks(said)).rstrip("; ")


def _unquoted_blanks(text: str) -> Iterator[str]:
    """The words of a text, split at blanks outside quotes."""
    word = ""
    for kind, part in parts(text):
        if kind != "blank":
            word += part
        elif word:
            yield word
            word = ""
    if word:
        yield word


def why_left_out(text: str, *, writes: bool) -> str:
    """Why a script cannot run a statement; empty if its text has no reason.

    Args:
        text: The statement as pg_stat_statements or the log has it.
        writes: Whether statements that change rows are wanted.
    """
    result = _parts_of(text)
    if verb(text) not in PLANNED:
        return NO_PLAN
    if len(text) > MOST_CHARACTERS:
        return f"it is longer than {MOST_CHARACTERS:,} characters"
    return _of_characters(result) or _of_words([*_words(result)], writes=writes)


def _parts_of(text: str) -> Sequence[Part]:
    return [*parts(on_one_line(text))]


def _words(results: Sequence[Part]) -> Iterator[str]:
    yield from (part.lower() for kind, part in results if kind == "word")


def _of_characters(results: Sequence[Part]) -> str:
    """Characters that pgbench would misread."""
    befores, afters = [("", ""), *results], [*results[1:], ("", "")]
    for (_, before), (kind, part), (_, after) in zip(befores, results, afters, strict=False):
        if part == ":" and before != ":" and _is_name(after):
            return VARIABLE
        for forbidden, why in _FORBIDDEN:
            if forbidden(kind, part):
                return why
    return ""


def _is_name(part: str) -> bool:
    """Whether pgbench would take the token after a single colon for a variable name."""
    return part[:1].isalpha() or part[:1] == "_"


def _of_words(words: Sequence[str], *, writes: bool) -> str:
    if any(first == "for" and second in _LOCKS for first, second in itertools.pairwise(words)):
        return "it locks rows (FOR UPDATE or FOR SHARE)"
    if not writes and not WRITES.isdisjoint(words):
        return WRITING
    if words[0] in READS and "into" in words and WRITES.isdisjoint(words):
        return "it makes a table (SELECT INTO)"
    return ""


def called(text: str) -> frozenset[str]:
    """Names before an opening parenthesis: functions, and keywords, which name no function.

    >>> sorted(called('select s."My"(1), lower (b) from t where c in (1)'))
    ['My', 'in', 'lower']
    """
    result = [part for part in parts(text) if part[0] != "blank"]
    names = set[str]()
    for (kind, part), (_, after) in itertools.pairwise(result):
        if after == "(" and kind in ("word", "quoted"):
            names.add(part[1:-1].replace('""', '"') if part[0] == '"' else part.lower())
    return frozenset(names)
