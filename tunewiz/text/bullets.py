"""What speaks for a finding, what against it, and the evidence: a bullet each, with a sign."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

from rich.text import Text

from tunewiz.core.answers.answers import Refused
from tunewiz.core.planning.decisions import note_of
from tunewiz.core.planning.finding import Finding
from tunewiz.core.recommendation.evidence import Fitted
from tunewiz.core.recommendation.verdicts import Declined
from tunewiz.core.values.record import dataclass
from tunewiz.core.words.evidence import FITS, NEAR
from tunewiz.core.words.weighing import seen_in_words, weighing_in_words
from tunewiz.text.colors import ACCENT, AGAINST, FOR
from tunewiz.text.evidence_marks import HERE, mark_of
from tunewiz.text.wrapping import hanging

PLUS, MINUS, NOTE, WHY = "+", "\N{MINUS SIGN}", "*", "="
Kind = Literal["note", "for", "against", "seen", "evidence"]
WEIGHTS: tuple[Kind, ...] = ("note", "for", "against", "evidence", "seen")
"""Which kind is shown first where there is little room."""
STYLES = {PLUS: FOR, MINUS: AGAINST, HERE: ACCENT}


@dataclass(frozen=True, kw_only=True, slots=True)
class Bullet:
    """One reason or one piece of evidence."""

    kind: Kind
    sign: str
    text: str

    def rows(self, width: int) -> Sequence[Text]:
        """Its rows in that many cells, the later ones below the first word."""
        head = Text.assemble((self.sign, STYLES.get(self.sign, "")), " \t", self.text)
        return hanging(head, width)


def bullets(finding: Finding) -> tuple[Bullet, ...]:
    """All of them, in the order in which they are read."""
    return (
        *_note(finding),
        *_reasons(finding),
        *_seen(finding),
        *(Bullet(kind="against", sign=MINUS, text=sentence(con)) for con in finding.recommendation.cons),
        *_evidence(finding),
    )


def _note(finding: Finding) -> Iterator[Bullet]:
    if note := note_of(finding):
        yield Bullet(kind="note", sign=NOTE, text=note)


def _reasons(finding: Finding) -> Iterator[Bullet]:
    if isinstance(finding.verdict, Declined):
        yield Bullet(kind="for", sign=WHY, text=sentence(finding.because))
        return
    refused = isinstance(finding.decision, Refused)
    for reason in (*(() if refused else (finding.because,)), *finding.recommendation.pros):
        yield Bullet(kind="for", sign=PLUS, text=sentence(reason))


def _seen(finding: Finding) -> Iterator[Bullet]:
    if seen_in_words(finding):
        yield Bullet(kind="seen", sign=HERE, text=weighing_in_words(finding))


def _evidence(finding: Finding) -> Iterator[Bullet]:
    for observation in finding.observed:
        text = f"here {observation.figure}: {observation.means}"
        yield Bullet(kind="evidence", sign=HERE, text=text)
    for fitted in telling(finding):
        yield Bullet(kind="evidence", sign=mark_of(fitted), text=_measured(fitted))


def telling(finding: Finding) -> tuple[Fitted, ...]:
    """What decides something, like this machine first; what is near only where nothing else is."""
    ordered = nearest_first(finding)
    decided = [fitted for fitted in ordered if not fitted.claim.undecided]
    is_measured = any(fitted.systems and not fitted.near for fitted in decided)
    chosen = [fitted for fitted in decided if not fitted.near or (fitted.systems and not is_measured)]
    return tuple(chosen) or ordered


def nearest_first(finding: Finding) -> tuple[Fitted, ...]:
    """What speaks of the very thing before what was measured near it; like this machine before the rest."""
    return tuple(sorted(finding.evidence, key=_distance))


def _distance(fitted: Fitted) -> tuple[bool, bool, bool]:
    return fitted.near, not fitted.systems, fitted.fit != "like"


def _measured(fitted: Fitted) -> str:
    if fitted.source.is_manual:
        return fitted.source.title
    of_what = NEAR if fitted.near else ""
    where = " and ".join(system.name for system in fitted.systems) or fitted.source.title
    how_like = FITS[fitted.fit] if fitted.systems else "a statement"
    return f"{of_what}{fitted.figure} ({where}, {how_like})"


def sentence(text: str) -> str:
    """With a capital letter, unless it begins with the name of a setting."""
    word = text.partition(" ")[0]
    first = text[:1].upper() if word.isalpha() and word.islower() else text[:1]
    return f"{first}{text[1:].removesuffix('.')}."


def dealt(all_bullets: Sequence[Bullet], room: int, width: int) -> Iterator[Text]:
    """The rows that fit: the first bullet of each kind, whole if possible; then others that fit whole.

    Dots mark a text that goes on, so nothing is left empty below them.
    """
    parts = [bullet.rows(width - 3) for bullet in all_bullets]
    leading_ones, others = _ranked(all_bullets)
    counts = _shares([len(parts[number]) for number in leading_ones], room)
    shown = dict(zip(leading_ones, counts, strict=False))
    left = room - sum(counts)
    for number in others:
        if len(parts[number]) <= left:
            shown[number] = len(parts[number])
            left -= len(parts[number])
    for number in sorted(shown):
        yield from (cut(row, width) for row in _begun(parts[number], shown[number]))


def _ranked(all_bullets: Sequence[Bullet]) -> tuple[Sequence[int], Sequence[int]]:
    """The numbers of the first bullets of each kind, and of the others, in the order of their weight."""
    numbered = sorted(range(len(all_bullets)), key=lambda number: WEIGHTS.index(all_bullets[number].kind))
    kinds = [list(group) for _, group in groupby(numbered, key=lambda number: all_bullets[number].kind)]
    others = sorted((rank, number) for kind in kinds for rank, number in enumerate(kind) if rank)
    return [kind[0] for kind in kinds], [number for _, number in others]


def _shares(wanted: Sequence[int], room: int) -> Sequence[int]:
    """How many rows each gets: one, and more in turn while there are any."""
    counts = [1] * min(len(wanted), max(0, room))
    for _ in range(room - len(counts)):
        wanting = [number for number, count in enumerate(counts) if count < wanted[number]]
        if wanting:
            counts[min(wanting, key=lambda number: counts[number])] += 1
    return counts


def _begun(rows: Sequence[Text], count: int) -> Sequence[Text]:
    """The first of the rows, with dots where the text goes on."""
    return rows if count == len(rows) else (*rows[: count - 1], shortened(rows[count - 1]))


def cut(text: Text, width: int) -> Text:
    """The row after a blank, in that many cells; what does not fit is cut, visibly."""
    kept = text.copy()
    kept.truncate(width - 1, overflow="ellipsis")
    return Text.assemble(" ", kept)


def shortened(row: Text) -> Text:
    """The row with the dots of a text that goes on."""
    kept = row.copy()
    kept.rstrip()
    return Text.assemble(kept, " …")
