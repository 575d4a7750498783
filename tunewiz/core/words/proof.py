"""What was measured on a server, in words: the same in every front end."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.proof.figures import ratio_in_words
from tunewiz.core.proof.metrics import METRICS
from tunewiz.core.proof.proof import ClaimVerdict, Proof, Verdict
from tunewiz.core.values.plural import how_many

_MINUTE, _HOUR = 60, 3_600
VERDICTS: dict[Verdict, str] = {
    "helped": "helped",
    "hurt": "hurt",
    "same": "made no relevant difference",
    "undecided": "undecided",
    "observed": "observed, not proved",
}


def seconds_in_words(seconds: float) -> str:
    """How long something takes: `45 s`, `6 min`, `1 h 50 min`.

    >>> seconds_in_words(45), seconds_in_words(360), seconds_in_words(6_600)
    ('45 s', '6 min', '1 h 50 min')
    """
    whole = round(seconds)
    if whole < 2 * _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min"
    hours, rest = divmod(whole, _HOUR)
    return f"{hours} h {rest // _MINUTE} min" if rest // _MINUTE else f"{hours} h"


def percent(ratio: float) -> str:
    """A ratio of at least 1 as a difference: `6 %`.

    >>> percent(1.06), percent(1.004), percent(1.5)
    ('6 %', '0.4 %', '50 %')
    """
    difference = 100 * (ratio - 1)
    return f"{difference:.1f} %" if difference < 1 else f"{difference:.0f} %"


def can_show_in_words(can_show: float | None, pairs: int, seconds: float) -> str:
    """How small a difference this server can reveal, and the runs that takes."""
    runs = f"{how_many(pairs, 'pair')}, in {seconds_in_words(seconds)}"
    if can_show is None:
        return (
            "How small a difference this server can reveal is unknown: the A/A pairs do not show "
            f"it. Planned: {runs}."
        )
    return f"This server can reveal a difference of {percent(can_show)} with {runs}."


def verdict_in_words(verdict: ClaimVerdict, within: float) -> str:
    """`helped`, `hurt`, `the same within 4 %`, `undecided`."""
    return f"the same within {percent(within)}" if verdict == "same" else verdict


def proof_lines(proof: Proof) -> Iterator[str]:
    """What was found, a line each."""
    yield f"{METRICS[proof.primary].title}: {VERDICTS[proof.verdict]}"
    for name, result in proof.metrics.items():
        told = verdict_in_words(result.verdict, result.within)
        yield f"  {METRICS[name].title:<30} {ratio_in_words(result)}  {told}"
    if proof.groups:
        yield f"What each part contributes to {METRICS[proof.primary].title}:"
    for group in proof.groups:
        yield f"  {group.name:<30} {ratio_in_words(group)}  {group.verdict}"
    yield from (f"Left out: {each.what}: {each.why}" for each in proof.left_out)
    yield from proof.cannot_tell
