"""What a resumed fleet no longer has of the decisions that were saved, and why."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.fleet.remarks import some_of
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.harmless import harmless
from tunewiz.fleet.open_fleet import Since

RESUMED = "Since this was saved"


def since_in_words(since: Since) -> Iterator[str]:
    """A sentence for each kind of change; none where everything is as it was."""
    if since.changed:
        yield (
            f"facts or answers changed: {some_of(since.changed)}. Your decisions for "
            f"{_them(since.changed)} were not taken over: decide again."
        )
    if since.gone:
        them = _them(since.gone)
        yield f"no facts any more: {some_of(since.gone)}. Your decisions for {them} were dropped."
    if since.new:
        yield f"new: {some_of(since.new)}. No decision of yours is for {_them(since.new)}."
    if since.unfit:
        yield harmless(
            f"{some_of(since.unfit)}: your decisions were dropped, because they make no plan any more: "
            f"{since.why_unfit}"
        )


def counted_in_words(since: Since) -> str:
    """For how many hosts decisions were not taken over; empty if they were for all."""
    lost = len(since.changed) + len(since.gone) + len(since.unfit)
    return (
        f"Your decisions for {how_many(lost, 'host')} were not taken over; the list says why." if lost else ""
    )


def _them(hosts: tuple[str, ...]) -> str:
    return "it" if len(hosts) == 1 else f"these {how_many(len(hosts), 'host')}"
