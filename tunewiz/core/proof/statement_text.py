"""What can be told from a statement's text without running it; the text is anybody's, and may be hostile."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tunewiz.core.values.cut import cut

_PARTS = re.compile(
    r"""(?P<comment>--[^\n]*|/\*)
      | (?P<quoted>'(?:[^']|'')*'|"(?:[^"]|"")*")
      | (?P<dollars>\$(?:[A-Za-z_\x80-\uffff][\w\x80-\uffff]*)?\$)
      | (?P<parameter>\$[0-9]+)
      | (?P<word>[A-Za-z_\x80-\uffff][\w$\x80-\uffff]*)
      | (?P<blank>\s+)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_COMMENT_ENDS = re.compile(r"/\*|\*/")
READS = frozenset({"select", "with", "values", "table"})
"""First words of statements that return rows; a `with` may still change some."""
WRITES = frozenset({"insert", "update", "delete", "merge"})
PLANNED = READS | WRITES
"""First words of the statements that have a plan, and that EXPLAIN without ANALYZE does not run."""
_SHOWN = 100
"""Characters of a statement in a report."""


def parts(text: str) -> Iterator[tuple[str, str]]:
    """Kind and text of each part, comments left out; concatenated they are the statement.

    >>> list(parts("select 'a' -- b"))
    [('word', 'select'), ('blank', ' '), ('quoted', "'a'"), ('blank', ' ')]
    """
    at = 0
    while at < len(text):
        match = _PARTS.match(text, at)
        assert match is not None and match.lastgroup is not None  # noqa: S101, PT018 - any character is a part
        at = match.end()
        if match.lastgroup != "comment":
            yield match.lastgroup, match.group()
        elif match.group() == "/*":
            at = _after_comment(text, at)
            yield "blank", " "


def _after_comment(text: str, at: int) -> int:
    """Where a comment ends: PostgreSQL's are nested."""
    depth = 1
    while depth and (match := _COMMENT_ENDS.search(text, at)):
        depth += 1 if match.group() == "/*" else -1
        at = match.end()
    return len(text) if depth else at


def verb(text: str) -> str:
    """The first word in lower case; empty if the statement begins with none.

    >>> verb("/* app */ (SELECT 1)"), verb("$1"), verb("")
    ('select', '', '')
    """
    for kind, part in parts(text):
        if kind == "word":
            return part.lower()
        if kind != "blank" and part != "(":
            return ""
    return ""


def is_planned(text: str) -> bool:
    """Whether PostgreSQL makes a plan for it."""
    return verb(text) in PLANNED


def shown(text: str) -> str:
    r"""For a report: one line, shortened, with what is quoted left out.

    >>> shown("select *\n from t where a = 'secret' and b = $1")
    "select * from t where a = '…' and b = $1"
    """
    return cut(" ".join(without_strings(text, "'…'").split()), _SHOWN)


def without_strings(text: str, instead: str = "''") -> str:
    """The statement with something else for each string; quoted names stay.

    >>> without_strings("insert into t values ('a', 'it''s', 1)")
    "insert into t values ('', '', 1)"
    """
    return "".join(instead if kind == "quoted" and part[0] == "'" else part for kind, part in parts(text))
