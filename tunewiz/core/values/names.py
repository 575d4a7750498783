"""Names that were mistyped: which of the known ones was probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

MOST = 3
"""Names that are offered: more is a list, not an answer."""
USUAL_LIKENESS = 0.6
"""The share of letters in common, in order, from which a name counts as similar (difflib's own default)."""
_AS_LIKELY = 0.03
"""A name this much less similar than another may have been meant as well."""
_SHORTEST_PART = 3
"""Letters from which part of a name says which one is meant."""


def nearest(name: str, among: Iterable[str], *, likeness: float = USUAL_LIKENESS) -> tuple[str, ...]:
    """The known names that were probably meant, the likeliest first; none if nothing is similar.

    Case and the choice of `-`, `_` or blank do not count.

    >>> nearest("power-10", ["power10", "z13-lpar"])
    ('power10',)
    """
    typed, known = _bare(name), {text: _bare(text) for text in among}
    if same := tuple(name for name, bare in known.items() if bare == typed):
        return same[:MOST]
    similar = _similar(typed, known, likeness)
    return tuple(dict.fromkeys((*similar[:1], *_with_part(typed, known), *similar)))[:MOST]


def expected_name(name: str, among: Sequence[str]) -> str:
    """What was expected instead of a name, for a message: `balanced?`, or `one of a, b, c`."""
    close = nearest(name, among)
    if close:
        return f"{in_words(close)}?"
    return f"one of {', '.join(among)}" if among else "none: there are no names"


def in_words(names: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


def meant(name: str, among: Iterable[str], *, likeness: float = USUAL_LIKENESS) -> str:
    """A question to follow a message: `Did you mean a or b?`; empty if nothing is similar."""
    close = nearest(name, among, likeness=likeness)
    return f"Did you mean {in_words(close)}?" if close else ""


def _with_part(typed: str, known: Mapping[str, str]) -> list[str]:
    """Names that contain what was typed: those that begin with it first, the shortest first."""
    if len(typed) < _SHORTEST_PART:
        return []
    result = [name for name, bare in known.items() if typed in bare]
    return sorted(result, key=lambda text: (not known[text].startswith(typed), len(text)))


def _similar(typed: str, known: Mapping[str, str], least: float) -> list[str]:
    """Names about as similar as the most similar one, in this order."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - only an error needs it, and the first page has none

    ratios = {name: SequenceMatcher(None, bare, typed).ratio() for name, bare in known.items()}
    limit = max(least, max(ratios.values(), default=0) - _AS_LIKELY)
    return sorted((text for text in known if ratios[text] >= limit), key=lambda text: -ratios[text])


def _bare(name: str) -> str:
    return name.strip().casefold().replace("-", "_").replace(" ", "_")
