"""Where sources disagree both sides are shown, with the one that the plan follows and why."""

import dataclasses

import pytest

from situations import situation
from tunewiz.bundle.review.change import change_in_full
from tunewiz.bundle.review.markdown import markdown
from tunewiz.bundle.review.sources import Sources
from tunewiz.catalogue import recommendations
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Dispute, Recommendation
from tunewiz.formats.plan import plan_document
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.text.explanation import explained
from tunewiz.text.finding_detail import in_full

KNOWLEDGE = load_knowledge()
BY_ID = {recommendation.id: recommendation for recommendation in recommendations()}
DISPUTED = [recommendation for recommendation in recommendations() if recommendation.disputes]
MAX_LENGTH = 78 * 4

CONTRADICTING = {
    "pg.shared_buffers": {"z-deck.shared_buffers_quarter", "vxfs.shared_buffers_20gb"},
    "storage.vxfs_direct": {"vxfs.shared_buffers_20gb", "z-deck.shared_buffers_half"},
    "kernel.sched_migration_cost_ns": {"z-deck.migration_cost", "z-deck.autogroup"},
    "storage.read_ahead": {"z-deck.read_ahead"},
    "storage.wal_disk": {"z-deck.wal_on_own_disks"},
    "pg.autovacuum": {"z-deck.autovacuum_off", "z-deck.autovacuum_on"},
    "host.smt": {"power.smt8", "kernel-talk.sibling_threads"},
    "pg.max_wal_size": {"power.max_wal_size", "z-deck.max_wal_size"},
    "pg.wal_sync_method": {"z-deck.wal_sync_method", "postgres-manual.wal_sync_method"},
    "pg.random_page_cost": {"postgres-manual.random_page_cost", "vondra-random.ratio"},
    "pg.io_method": {"classmethod-rds.io_method", "postgres-ai-basebackup.io_uring"},
    "pg.io_workers": {"munro-workers.too_few", "classmethod-rds.io_workers"},
    "pg.shared_preload_libraries": {"own-small-vm.preloaded", "tantor-statements.locks"},
    "pg.max_locks_per_transaction": {
        "postgres-manual.max_locks_per_transaction",
        "postgres-ai-locks.fast_path",
    },
    "pg.checkpoint_timeout": {"power.checkpoint_timeout", "postgres-manual.checkpoint_timeout"},
    "host.numa_interleave": {"freund-numa.interleave", "n0derunner-numa.remote_memory"},
    "pg.huge_pages": {"aws-graviton.lazy_preemption", "lwn-lazy.not_so_grave"},
    "pg.full_page_writes": {"lwn-untorn.buffered", "rockdata-atomic.turn_off"},
    "pg.autovacuum_max_workers": {
        "postgres-manual.autovacuum_max_workers",
        "pettus-workers.shared_allowance",
    },
}
"""Claims that contradict each other, the usual advice, or themselves in two environments."""

disputed = pytest.mark.parametrize(
    "recommendation", DISPUTED, ids=[recommendation.id for recommendation in DISPUTED]
)


def test_a_setting_on_which_all_sources_agree_shows_no_dispute() -> None:
    for name in ("pg.log_checkpoints", "pg.effective_cache_size", "kernel.swappiness"):
        assert not BY_ID[name].disputes


@pytest.mark.parametrize(("name", "claims"), CONTRADICTING.items())
def test_claims_that_contradict_stand_side_by_side(name: str, claims: set[str]) -> None:
    test_claims = {claim for dispute in BY_ID[name].disputes for claim in dispute.claims}
    assert claims <= test_claims


@disputed
def test_both_sides_rest_on_claims_that_are_cited_below(recommendation: Recommendation) -> None:
    cited = {cite.claim for cite in recommendation.cites}
    for dispute in recommendation.disputes:
        assert dispute.claims
        assert {*dispute.claims} <= cited


@disputed
def test_each_side_is_short_enough_to_read_beside_the_other(recommendation: Recommendation) -> None:
    for dispute in recommendation.disputes:
        for side in (dispute.one, dispute.other, dispute.follows):
            assert 20 < len(side) <= MAX_LENGTH
            assert side.endswith(".")


DISPUTE = Dispute(
    one="One says yes.",
    other="Another says no.",
    follows="Neither, until measured.",
    claims=("z-deck.shared_buffers_quarter",),
)
MADE = dataclasses.replace(BY_ID["pg.shared_buffers"], disputes=(DISPUTE,))
PLAN = plan_of((MADE,), situation(Given()))


def shown_by_the_review() -> str:
    return markdown(change_in_full(1, PLAN.findings[0], PLAN.start, Sources.behind(PLAN.findings)))


def shown_by_the_wizard() -> str:
    return "\n".join(line.plain for line in in_full(PLAN.findings[0], PLAN))


@pytest.mark.parametrize(
    "shown",
    [
        explained(MADE, KNOWLEDGE),
        shown_by_the_review(),
        shown_by_the_wizard(),
        str(plan_document(PLAN)),
    ],
    ids=["explain", "review", "wizard", "json"],
)
def test_every_way_to_read_a_recommendation_shows_both_sides_and_the_choice(shown: str) -> None:
    text = " ".join(shown.split()).lower()
    for part in (DISPUTE.one, DISPUTE.other, DISPUTE.follows):
        assert part.lower() in text


def test_the_sides_stand_beside_each_other_where_there_are_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    line = next(line for line in explained(MADE, KNOWLEDGE).splitlines() if DISPUTE.one in line)
    assert DISPUTE.other in line
