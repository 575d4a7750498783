"""What was seen of slots, standbys, caches, processes and a probe is told, and how sure it makes a value."""

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

import pytest

from situations import finding, plan, situation
from told_everything import told_everything
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.slru import SlruCache
from tunewiz.core.facts.strain import ProcessMemory
from tunewiz.core.planning.weighing import Weighed
from tunewiz.core.recommendation.example_replication import cancelling, read_slot, spilling_slot, with_slots
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Witness
from tunewiz.core.server.seen_replication import CANCELLED, CONFLICTS, DECODING, HELD, READERS, STANDBYS
from tunewiz.core.server.seen_room import PROCESSES
from tunewiz.core.server.seen_storage import PROBED
from tunewiz.core.server.slru import witness_of
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import GIB, MIB, Bytes
from tunewiz.knowledge.loading import load_knowledge

CATALOGUE = {recommendation.id: recommendation for recommendation in load_knowledge().catalogue}
CACHE = witness_of("transaction_buffers")
AWAY = dataclasses.replace(read_slot("away", active=False), held=Bytes(GIB))


def cache(hit: int, read: int) -> Given:
    return Given(major="17", slru=Known((SlruCache(name="transaction", hit=hit, read=read),), "test"))


TOLD: Mapping[str, tuple[Witness, Given, str]] = MappingProxyType(
    {
        "no slot": (HELD, Given(replication=with_slots()), "no replication slot"),
        "one slot": (
            HELD,
            Given(replication=with_slots(AWAY)),
            "the replication slot away holds back 1 GiB of WAL",
        ),
        "the largest of two": (
            HELD,
            Given(replication=with_slots(read_slot("near"), AWAY)),
            "the replication slot away holds back 1 GiB of WAL, the other slots at most as much",
        ),
        "all are read": (READERS, Given(replication=with_slots(read_slot("near"))), "1 replication slot"),
        "one is not read": (
            READERS,
            Given(replication=with_slots(read_slot("near"), AWAY)),
            "2 replication slots, inactive: away",
        ),
        "standbys": (
            STANDBYS,
            Given(replicas=2, replication=with_slots(read_slot("near"))),
            "1 standby with a replication slot",
        ),
        "a standby that was not answered": (
            STANDBYS,
            Given(replication=with_slots(read_slot("near"))),
            "1 standby with a replication slot",
        ),
        "no standby": (STANDBYS, Given(replication=with_slots(AWAY)), ""),
        "decoding": (
            DECODING,
            Given(replication=with_slots(spilling_slot(spills=1_000, spilled="1000MB"))),
            "1,000 transactions of 1 MiB were written to disk to be decoded",
        ),
        "decoding in memory": (
            DECODING,
            Given(replication=with_slots(spilling_slot(spills=0, spilled="0MB"))),
            "0 transactions were written to disk to be decoded",
        ),
        "decoding that was not counted": (
            DECODING,
            Given(replication=with_slots(read_slot("changes", "logical"))),
            "",
        ),
        "cancelled": (
            CANCELLED,
            Given(role="standby", replication=cancelling(snapshot=2, lock=3)),
            "5 queries cancelled since the statistics were reset, 2 of them for rows that vacuum removed",
        ),
        "a primary cancels none": (CANCELLED, Given(replication=cancelling()), ""),
        "locks": (
            CONFLICTS,
            Given(role="standby", replication=cancelling(snapshot=2, lock=3)),
            "3 queries cancelled for locks and other conflicts",
        ),
        "a cache that misses": (CACHE, cache(900_000, 100_000), "10 % of 1,000,000 lookups missed"),
        "a cache that hits": (CACHE, cache(1_000_000, 0), "0 % of 1,000,000 lookups missed"),
        "a cache that was hardly used": (
            CACHE,
            cache(90, 10),
            "too little was seen: 100 lookups, 100,000 needed",
        ),
        "nobody looked": (CACHE, Given(major="17"), ""),
    }
)


@pytest.mark.parametrize(("witness", "given", "words"), TOLD.values(), ids=TOLD)
def test_what_was_seen_is_told(witness: Witness, given: Given, words: str) -> None:
    result = [(entry.words, entry.enough) for entry in witness.look(situation(given))]
    assert result == ([(words, not words.startswith("too little"))] if words else [])


def with_processes(entry: Situation, process_memory: ProcessMemory) -> Situation:
    assert isinstance(entry.server, PostgresServer)
    server = dataclasses.replace(entry.server, process_memory=Known(process_memory, "/proc"))
    facts = dataclasses.replace(entry.facts, postgres=(server,))
    return dataclasses.replace(entry, server=server, facts=facts)


FEW = ProcessMemory(processes=3, own=Bytes(9 * MIB), largest=Bytes(4 * MIB))
SMALL = ProcessMemory(processes=30, own=Bytes(90 * MIB), largest=Bytes(4 * MIB))
LARGE = ProcessMemory(processes=30, own=Bytes(30 * GIB), largest=Bytes(2 * GIB))


def weighed(recommendation: Recommendation, entry: Situation) -> Weighed:
    result = finding(plan(recommendation, now=entry), recommendation.id).weighed
    assert isinstance(result, Weighed)
    return result


def test_what_limits_no_value_makes_none_surer() -> None:
    shared = CATALOGUE["pg.shared_buffers"]
    assert weighed(shared, situation()).sure == "not seen"
    assert weighed(shared, with_processes(situation(), FEW)).sure == "too little"
    assert weighed(shared, with_processes(situation(), SMALL)).sure == "changes nothing"


def test_large_processes_leave_less_for_the_buffers_and_that_is_seen() -> None:
    result = weighed(CATALOGUE["pg.shared_buffers"], with_processes(situation(), LARGE))
    assert result.sure == "seen"
    assert result.prior != result.posterior
    assert [entry.words for entry in PROCESSES.look(with_processes(situation(), LARGE))] == [
        "1 GiB for each of 30 processes of the server, the largest 2 GiB"
    ]


def test_a_probe_tells_the_storage_unless_a_person_did() -> None:
    probed = [
        (entry.answers.server.storage, tuple(item.words for item in PROBED.look(entry)))
        for entry in told_everything(Given(disk="hdd"))
        if isinstance(entry.server, PostgresServer) and isinstance(entry.server.probe, Known)
    ]
    assert any(storage is None for storage, _ in probed)
    for storage, text in probed:
        assert bool(text) is (storage is None)
        assert all(words.startswith("the storage is nvme by a probe: a random read takes") for words in text)
