"""What a decision reads of a server at work is told by a witness, and no witness tells anything else."""

from collections.abc import Callable, Iterable
from contextlib import suppress

import pytest

from noticed import noticed, start_noticing, what_was_read
from told_everything import told_everything
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Witness
from tunewiz.core.server.seen_vacuum import DEAD_ROWS
from tunewiz.core.values.known import MissingFact
from tunewiz.core.values.pg_settings import SettingError
from tunewiz.knowledge.loading import load_knowledge

CATALOGUE = load_knowledge().catalogue
NOT_SEEN = ("PostgresServer.", "Setting.", "Override.", "FileError.")
"""What holds though nobody watched the server, and the fields of a server that hold what was seen."""
TOLD_BESIDE = frozenset(
    {
        *("Sessions.idle", "Sessions.idle_in_transaction", "Sessions.waiting"),
        *("Probe.random", "Reads.median_us", "ProcessMemory.largest", "Strain.refaults", "Buffers.popular"),
    }
)
"""For a reader: what else sessions did, by which time a probe knew the storage, the largest of processes,
what became of the page cache, and how much of the buffers is used often."""


TOLD_OF_ROWS = frozenset(
    {
        *("Activity.since", "Activity.live_rows", "Activity.dead_rows"),
        *("Window.began", "Window.seconds", "Window.counters"),
    }
)
"""For a reader of dead rows: all of them together, beside those of the table that decides."""


def read_by(function: Callable[[Situation], object], situations: Iterable[Situation]) -> frozenset[str]:
    """What a function reads of what was seen, in any of the noticed situations."""
    result = frozenset[str]()
    for situation in situations:
        start_noticing()
        with suppress(MissingFact, SettingError):
            function(situation)
        result |= what_was_read()
    return frozenset(text for text in result if not text.startswith(NOT_SEEN))


def telling(witness: Witness) -> Callable[[Situation], object]:
    return lambda situation: tuple(witness.look(situation))


def situations_of(recommendation: Recommendation) -> tuple[Situation, ...]:
    """Each notices what is read of it: whoever asks next begins with start_noticing."""
    return tuple(
        noticed(situation)
        for example in recommendation.examples
        for situation in told_everything(example.given)
    )


@pytest.mark.parametrize("recommendation", CATALOGUE, ids=[recommendation.id for recommendation in CATALOGUE])
def test_what_a_decision_reads_is_told_by_its_witnesses_and_nothing_else_is(
    recommendation: Recommendation,
) -> None:
    situations = situations_of(recommendation)
    decides = read_by(recommendation.decide, situations)
    result = {witness.of: read_by(telling(witness), situations) for witness in recommendation.witnesses}
    assert decides - frozenset[str]().union(*result.values()) == frozenset(), "read and not told"
    for of, read in result.items():
        assert read, of
        beside = TOLD_BESIDE | TOLD_OF_ROWS if of == DEAD_ROWS.of else TOLD_BESIDE
        assert read - decides <= beside, f"{of}: told and not read"


def test_the_reading_of_a_single_counter_is_noticed() -> None:
    (jit,) = (recommendation for recommendation in CATALOGUE if recommendation.id == "pg.jit")
    assert "Statements.jit_ms" in read_by(jit.decide, situations_of(jit))
    assert "Statements.spills" not in read_by(jit.decide, situations_of(jit))
