"""What no setting of the plan mends: the first appendix, as it may be what troubles a server most."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.bundle.review.blocks import (
    Block,
    Bullets,
    CodeText,
    Line,
    Paragraph,
    PlainText,
    Span,
    Strong,
    heading,
    marked,
)
from tunewiz.core.health.ahead import ahead_in_words
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.health.troubles import Checkup, checkup
from tunewiz.core.health.waits import shares_of, waits_in_words
from tunewiz.core.planning.plan import Plan
from tunewiz.knowledge.minor_fixes import load_minor_fixes


def health_section(plan: Plan) -> Iterator[Block]:
    """The section, unless nothing troubles the server."""
    result = checkup(plan, load_minor_fixes())
    if not result.troubles:
        yield from _waits(result)
        yield from _ahead(result)
        return
    yield heading(2, "No setting helps these")
    yield Paragraph(
        (
            marked("What troubles this server and is no matter of settings, the costliest first."),
            marked("The statements are for a person to run; `tunewiz health` looks again."),
        )
    )
    if result.waits is not None:
        yield Paragraph((marked(f"{waits_in_words(result.waits)}."),))
    yield Bullets(tuple(map(_bullet, result.troubles)))
    yield from _ahead(result)


def _waits(result: Checkup) -> Iterator[Block]:
    """Of a server without a trouble: where its time goes, if enough was sampled to say so."""
    if result.waits is not None and shares_of(result.waits):
        yield heading(2, "What active sessions wait for")
        yield Paragraph((marked(f"{waits_in_words(result.waits)}."),))


def _ahead(result: Checkup) -> Iterator[Block]:
    """What will run out, as far as a watched time shows it."""
    if result.ahead:
        yield heading(2, "What will run out if it goes on so")
        yield Bullets(tuple((PlainText(f"{ahead_in_words(entry)}."),) for entry in result.ahead))


def _bullet(trouble: Trouble) -> Line:
    what = f"{trouble.kind}: {trouble.what}" if trouble.what else trouble.kind
    spans: list[Span] = [Strong(what), PlainText(f" ({trouble.who}). {trouble.because}")]
    where = f" in database {trouble.database}" if trouble.database else ""
    for label, statements in ((f" Run{where}: ", trouble.do), (" Undo: ", trouble.undo)):
        for number, statement in enumerate(statements):
            spans += [PlainText(label if number == 0 else " "), CodeText(statement)]
    return (*spans, *(PlainText(f" Then {remaining}.") for remaining in trouble.after))
