"""Every claim of the source documents stands in the data, whole, and some recommendation leans on it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from catalogue_rules import uncited
from tunewiz.core.planning.impact import percent_of
from tunewiz.core.recommendation.evidence import Claim
from tunewiz.core.values.versions import Major
from tunewiz.knowledge.loading import load_knowledge

NOTHING = ("not measured", "documented")

CLAIMS = frozenset(
    {
        "kernel-talk.blkio_throttling",
        "kernel-talk.clock_source",
        "kernel-talk.dirty_page_limits",
        "kernel-talk.fdatasync_errors",
        "kernel-talk.lock_holder_preemption",
        "kernel-talk.memory_fragmentation",
        "kernel-talk.nvme_hints",
        "kernel-talk.nvme_in_guests",
        "kernel-talk.nvme_no_scheduler",
        "kernel-talk.scheduler_knobs",
        "kernel-talk.shared_kernel_locks",
        "kernel-talk.sibling_threads",
        "kernel-talk.wakeup_granularity",
        "power.checkpoint_timeout",
        "power.connections_peak",
        "power.contention",
        "power.fsync_off",
        "power.latency",
        "power.max_wal_size",
        "power.other_settings",
        "power.per_core",
        "power.smt8",
        "power.sriov",
        "vxfs.background_writer",
        "vxfs.direct_io",
        "vxfs.shared_buffers_20gb",
        "vxfs.wal_apart",
        "z-deck.all_steps",
        "z-deck.autogroup",
        "z-deck.autovacuum_off",
        "z-deck.autovacuum_on",
        "z-deck.checkpoint_completion_target",
        "z-deck.dirty_limits",
        "z-deck.effective_cache_size",
        "z-deck.huge_pages",
        "z-deck.huge_pages_needed",
        "z-deck.max_wal_size",
        "z-deck.method",
        "z-deck.migration_cost",
        "z-deck.migration_cost_caution",
        "z-deck.read_ahead",
        "z-deck.shared_buffers_eighth",
        "z-deck.shared_buffers_half",
        "z-deck.shared_buffers_quarter",
        "z-deck.swap",
        "z-deck.synchronous_commit",
        "z-deck.transparent_huge_pages_off",
        "z-deck.wal_buffers",
        "z-deck.wal_on_own_disks",
        "z-deck.wal_sync_method",
        "z-guide.queries_first",
    }
)
"""All that the five documents claim."""

OWN = (
    "own-small-vm.plan",
    "own-small-vm.memory",
    "own-small-vm.max_wal_size",
    "own-small-vm.planner",
    "own-small-vm.preloaded",
    "own-small-vm.dirty_limits_and_huge_pages",
    "own-small-vm.wal_compression",
    "own-small-vm.other_tuners",
    "own-small-vm.cold_start",
    "own-small-vm.large_buffers",
    "own-small-vm.direct_io",
    "own-small-vm.autoprewarm",
)
"""What the project measured itself."""

PUBLIC = frozenset(
    {
        "aws-graviton.lazy_preemption",
        "classmethod-rds.io_method",
        "classmethod-rds.io_workers",
        "dalibo-statements.evictions",
        "deepin-throttle.low_removed",
        "freund-connections.memory",
        "freund-numa.interleave",
        "ibm-dasd-hpf.dasdstat",
        "ibm-dasd-nofcx.deactivated",
        "ibm-huge-page-support.edat",
        "ibm-hypfs.own_time",
        "ibm-hypfs.updated",
        "ibm-huge-pages.two_gigabytes",
        "ibm-hyperpav.one_transfer",
        "ibm-hyperpav.pool",
        "ibm-queue-depth.shorter",
        "ibm-quickdsp.constrained",
        "ibm-smt.depends",
        "ibm-vscsi-queue.depth",
        "ibm-zfcp.lun_scan",
        "ibm-zfcp.npiv",
        "ibm-zhpf.small_blocks",
        "ibm-zvm-share.share",
        "intel-guide.deep_sleep",
        "intel-guide.huge_pages",
        "intel-guide.sub_numa",
        "kernel-dscr.default",
        "kernel-eevdf.slices",
        "kernel-hints.restored",
        "kernel-hints.streams",
        "kernel-power.huge_page_sizes",
        "kernel-power.page_tables",
        "kernel-power.pages_of_firmware",
        "kernel-vas.nx_gzip",
        "libnxz.preload",
        "kernel-s390.channel_paths",
        "kernel-sched-ext.loaded",
        "kvm-ple.dynamic_window",
        "lwn-lazy.not_so_grave",
        "lwn-sched-ext.one_for_all",
        "lwn-untorn.buffered",
        "mainframe-blog.zlib",
        "munro-workers.too_few",
        "n0derunner-numa.huge_pages",
        "n0derunner-numa.remote_memory",
        "n0derunner-pages.huge_pages",
        "numad.in_memory_databases",
        "openssl-s390xcap.by_itself",
        "pettus-workers.shared_allowance",
        "pgsql-max-threshold.large_tables",
        "pgsql-page-miss.cost_limit",
        "postgres-ai-basebackup.io_uring",
        "postgres-ai-blocking.observer",
        "postgres-ai-locks.fast_path",
        "pryzby-lz4.compared",
        "redhat-numad.overrides",
        "rockdata-atomic.turn_off",
        "s390-edat.required",
        "smalldatum-18.io_workers",
        "tantor-statements.locks",
        "velocity-steal.both_levels",
        "vondra-random.ratio",
        "zlib-ng-z.level_1",
    }
)
"""Public measurements and reports of 2014 to 2026, each read in its original."""

KNOWN_TODAY = frozenset(
    {
        "z-deck.autovacuum_off",
        "z-deck.huge_pages",
        "z-deck.migration_cost",
        "z-deck.autogroup",
        "kernel-talk.scheduler_knobs",
        "kernel-talk.wakeup_granularity",
        "z-deck.dirty_limits",
        "z-deck.checkpoint_completion_target",
        "z-deck.wal_buffers",
        "power.fsync_off",
        "z-deck.wal_sync_method",
        "z-deck.wal_on_own_disks",
        "kernel-talk.nvme_no_scheduler",
        "kernel-talk.fdatasync_errors",
        "kernel-talk.blkio_throttling",
    }
)
"""Claims that PostgreSQL's or the kernel's own documentation changes today."""

CONTRADICTING = frozenset(
    {"z-deck.migration_cost", "power.fsync_off", "power.connections_peak", "power.contention"}
)
"""Claims where the document contradicts itself, or its twin."""

MAX_LENGTH = {"subject": 60, "place": 110, "text": 320, "figure": 150, "today": 260, "caution": 240}
"""Characters: an 80-column screen shows a claim without turning a page."""

LIBRARY = load_knowledge().library


def cited() -> frozenset[str]:
    return frozenset(
        cite.claim for recommendation in load_knowledge().catalogue for cite in recommendation.cites
    )


def test_every_claim_of_the_documents_stands_in_the_data() -> None:
    manuals = {claim.id for claim in LIBRARY.claims.values() if claim.figure == "documented"}
    assert set(LIBRARY.claims) - manuals == {*CLAIMS, *OWN, *PUBLIC}


def test_some_recommendation_leans_on_every_claim() -> None:
    assert uncited(load_knowledge().catalogue, LIBRARY.claims) == set()


def test_every_citation_names_a_claim() -> None:
    assert cited() <= set(LIBRARY.claims)


def test_the_five_documents_and_the_own_measurement_are_the_sources_without_an_address() -> None:
    without = {key for key, source in LIBRARY.sources.items() if not (source.is_manual or source.address)}
    assert without == {"z-deck", "z-guide", "power", "kernel-talk", "vxfs", "own-small-vm"}


def test_a_public_source_has_an_address_and_a_date_of_these_years() -> None:
    public = {claim.split(".")[0] for claim in PUBLIC}
    assert public == {
        key for key, source in LIBRARY.sources.items() if source.address and not source.is_manual
    }
    for key in public:
        source = LIBRARY.sources[key]
        assert re.fullmatch(r"https?://\S+", source.address)
        assert source.date == "undated" or 2014 <= int(source.date[:4]) <= 2026


def test_a_public_measurement_says_what_could_not_be_checked() -> None:
    assert [
        name for name in PUBLIC if LIBRARY.claims[name].measured_on and not LIBRARY.claims[name].caution
    ] == []


def test_the_manuals_of_postgresql_the_kernel_and_ibm_are_sources_too() -> None:
    manuals = {key for key, source in LIBRARY.sources.items() if source.is_manual}
    assert manuals == {
        "postgres-manual",
        "kernel-manual",
        "ibm-linux-z",
        "ibm-zvm",
        "lparcfg",
        "lparstat",
        "s390-tools",
    }


def test_a_claim_is_documented_exactly_if_a_manual_makes_it() -> None:
    assert (
        of_each_claim(lambda claim: (claim.figure == "documented") == LIBRARY.sources[claim.source].is_manual)
        == []
    )


def test_a_manual_is_cited_with_its_version_and_page() -> None:
    manual = re.compile(r"version \d+(\.\d+)?, [a-z]")
    assert (
        of_each_claim(
            lambda claim: bool(manual.match(claim.place)) == LIBRARY.sources[claim.source].is_manual
        )
        == []
    )


def test_a_claim_speaks_of_recommendations_that_cite_it_and_are_there() -> None:
    citing = {
        recommendation.id: {cite.claim for cite in recommendation.cites}
        for recommendation in load_knowledge().catalogue
    }
    assert of_each_claim(lambda claim: all(claim.id in citing[name] for name in claim.speaks_of)) == []
    assert of_each_claim(lambda claim: bool(claim.speaks_of)) == []


def test_every_source_makes_a_claim() -> None:
    assert {claim.source for claim in LIBRARY.claims.values()} == set(LIBRARY.sources)


def test_something_was_measured_on_every_system() -> None:
    assert {key for claim in LIBRARY.claims.values() for key in claim.measured_on} == set(LIBRARY.systems)


def of_each_claim(check: Callable[[Claim], bool]) -> list[str]:
    """The ids of the claims that fail."""
    return [claim.id for claim in LIBRARY.claims.values() if not check(claim)]


def test_source_and_systems_of_a_claim_are_known() -> None:
    assert of_each_claim(lambda claim: claim.source in LIBRARY.sources) == []
    assert of_each_claim(lambda claim: set(claim.measured_on) <= set(LIBRARY.systems)) == []


def test_a_claim_says_where_what_and_how_much() -> None:
    assert of_each_claim(lambda claim: all((claim.subject, claim.place, claim.text, claim.figure))) == []


def test_a_claim_names_a_system_exactly_if_something_was_measured() -> None:
    assert of_each_claim(lambda claim: bool(claim.measured_on) == (claim.figure not in NOTHING)) == []


@pytest.mark.parametrize(("part", "most"), MAX_LENGTH.items())
def test_a_claim_is_short_enough_to_read(part: str, most: int) -> None:
    assert of_each_claim(lambda claim: len(str(getattr(claim, part))) <= most) == []


def test_a_claim_is_told_in_whole_sentences() -> None:
    assert of_each_claim(lambda claim: claim.text.endswith(".")) == []
    assert of_each_claim(lambda claim: claim.today.endswith(".") or not claim.today) == []
    assert of_each_claim(lambda claim: claim.caution.endswith(".") or not claim.caution) == []


def test_what_changes_a_claim_today_is_told_beside_it() -> None:
    assert [name for name in KNOWN_TODAY if not LIBRARY.claims[name].today] == []


def test_where_a_source_contradicts_itself_is_told() -> None:
    assert [name for name in CONTRADICTING if not LIBRARY.claims[name].caution] == []


def test_the_figures_are_those_of_the_documents() -> None:
    assert "17408" in LIBRARY.claims["z-deck.huge_pages"].text
    assert "57,459.9 to 66,106.3" in LIBRARY.claims["power.fsync_off"].figure
    assert "50,080 to 51,978" in LIBRARY.claims["power.sriov"].figure
    assert "807,232 to 109,700" in LIBRARY.claims["kernel-talk.memory_fragmentation"].figure
    assert "1312.9 to 1426.9" in LIBRARY.claims["kernel-talk.scheduler_knobs"].figure


def test_the_versions_of_the_measured_systems_compare() -> None:
    versions = [system.postgres for system in LIBRARY.systems.values() if system.postgres]
    assert min(versions, key=Major.parse) == "8.2.5"


@pytest.mark.parametrize("claim", LIBRARY.claims.values(), ids=LIBRARY.claims)
def test_a_gain_on_several_systems_is_told_of_each_alone(claim: Claim) -> None:
    assert set(claim.figures) in (set(), set(claim.measured_on))
    if len(claim.measured_on) > 1 and percent_of(claim.figure):
        assert claim.figures
