"""What pages cost, and which there are, by how the machine translates addresses: POWER and IBM Z."""

import dataclasses

import pytest

from recorded_machines import OURS, recorded
from situations import situation
from tunewiz.catalogue import recommendations
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.machine import Translation
from tunewiz.core.planning.budget import budget_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Declined, Proposal, Verdict
from tunewiz.core.server.page_tables import page_tables, table_in_words, tables_in_words
from tunewiz.core.values.known import Absent, Fact, Known, MissingFact, Unknown
from tunewiz.core.values.units import GIB, KIB, MIB, Bytes
from tunewiz.text.machine import fact_lines

RULES = {rule.id: rule for rule in recommendations()}
LARGE = Given(
    memory="1024GB", available="1000GB", architecture="ppc64le", settings={"shared_buffers": "256GB"}
)
HASH = dataclasses.replace(
    LARGE,
    hypervisor="powervm",
    huge_page_size="16MB",
    more_huge_page_sizes=("16GB",),
    translation="hash",
    settings={"shared_buffers": "256GB", "huge_page_size": "16GB"},
)


def on_power(translation: Fact[Translation], page: int = 64 * KIB, given: Given = LARGE) -> Situation:
    start = situation(given)
    memory = dataclasses.replace(
        start.facts.memory, page_size=Known(Bytes(page), "getconf"), translation=translation
    )
    return dataclasses.replace(start, facts=dataclasses.replace(start.facts, memory=memory))


def radix(page: int = 64 * KIB) -> Situation:
    return on_power(Known("radix", "test"), page)


def hashed(page: int = 64 * KIB) -> Situation:
    return on_power(Known("hash", "test"), page)


def verdict(rule: str, start: Situation) -> Verdict:
    return RULES[rule].decide(start)


def test_a_session_that_touches_256_gb_maps_it_with_32_mb_by_radix_and_64_by_hash() -> None:
    assert tables_in_words(radix(), Bytes(256 * GIB)).startswith(f"{Bytes(32 * MIB).short()} for each of")
    assert tables_in_words(hashed(), Bytes(256 * GIB)).startswith(f"{Bytes(64 * MIB).short()} for each of")


def test_the_budget_counts_the_tables_of_the_machine_s_own_translation() -> None:
    assert budget_of(hashed()).page_tables == budget_of(radix()).page_tables * 2
    assert budget_of(radix()).page_tables > Bytes(0)


def test_with_pages_of_4_kb_both_cost_the_same() -> None:
    assert page_tables(hashed(4 * KIB)) == page_tables(radix(4 * KIB)) == page_tables(radix()) * 16


def test_an_unknown_translation_counts_as_on_other_machines() -> None:
    assert page_tables(on_power(Unknown("not captured"))) == page_tables(radix())


@pytest.mark.parametrize(
    ("start", "said"), [(hashed(), "16 bytes each with hash"), (radix(), "8 bytes each")]
)
def test_the_translation_is_named_where_there_are_two(start: Situation, said: str) -> None:
    assert said in tables_in_words(start, Bytes(GIB))


def test_other_machines_name_none() -> None:
    assert tables_in_words(situation(Given()), Bytes(GIB)).endswith("in pages of 4 KiB")


@pytest.mark.parametrize("start", [radix(), hashed()])
def test_huge_pages_are_proposed_with_what_they_save(start: Situation) -> None:
    proposal = verdict("kernel.nr_hugepages", start)
    assert isinstance(proposal, Proposal)
    assert f"saves a page table of {table_in_words(start, Bytes(256 * GIB))}" in proposal.computed


def test_elsewhere_the_computation_is_as_before() -> None:
    proposal = verdict("kernel.nr_hugepages", situation(dataclasses.replace(LARGE, architecture="x86_64")))
    assert isinstance(proposal, Proposal)
    assert "page table" not in proposal.computed


@pytest.mark.parametrize("rule", ["kernel.huge_pages_at_boot", "kernel.nr_hugepages"])
def test_a_partition_with_hash_gets_16_gb_pages_from_its_definition_alone(rule: str) -> None:
    declined = verdict(rule, situation(HASH))
    assert isinstance(declined, Declined)
    assert "its definition sets aside" in declined.because


@pytest.mark.parametrize(
    "changed",
    [
        {"hypervisor": "none"},
        {"translation": "radix"},
        {"translation": None},
        {"more_huge_page_sizes": ("1GB",), "settings": {"shared_buffers": "256GB", "huge_page_size": "1GB"}},
    ],
)
def test_other_large_pages_are_left_to_the_kernel(changed: dict[str, object]) -> None:
    given = dataclasses.replace(HASH, **changed)  # type: ignore[arg-type] # fields of Given
    result = verdict("kernel.huge_pages_at_boot", situation(given))
    assert not isinstance(result, Declined)


@pytest.mark.parametrize("rule", ["kernel.transparent_hugepage", "kernel.transparent_hugepage_defrag"])
def test_without_edat_nothing_is_restricted_that_is_not_there(rule: str) -> None:
    given = Given(architecture="s390x", huge_page_size="", transparent=False)
    declined = verdict(rule, situation(given))
    assert isinstance(declined, Declined)
    assert declined.kind == "not_applicable"
    unread = situation(dataclasses.replace(given, transparent=True))
    assert verdict(rule, unread) == verdict(rule, situation(Given()))


def test_without_edat_huge_pages_are_not_proposed_and_the_reason_is_told() -> None:
    why = "no edat (enhanced DAT) among the features in /proc/cpuinfo"
    start = situation(Given(architecture="s390x", huge_page_size="", settings={"shared_buffers": "16GB"}))
    memory = dataclasses.replace(start.facts.memory, huge_page_size=Absent(why))
    bare = dataclasses.replace(start, facts=dataclasses.replace(start.facts, memory=memory))
    for rule in ("kernel.nr_hugepages", "kernel.huge_pages_at_boot", "pg.huge_pages"):
        with pytest.raises(MissingFact, match="no edat"):
            verdict(rule, bare)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("qemu-ppc64le-p10-offline", "64 KiB, radix translation"),
        ("qemu-ppc64le-p8-hash-memless", "64 KiB, hash translation"),
        ("qemu-x86_64-cgroupv1", None),
    ],
)
def test_the_machine_page_shows_the_translation_where_there_are_two(name: str, shown: str | None) -> None:
    lines = {line.key: line for line in fact_lines(read_machine(recorded(OURS / f"{name}.json")))}
    line = lines.get("memory.translation")
    assert (line.value if line else None) == shown


def test_the_machine_page_tells_that_edat_is_missing() -> None:
    facts = read_machine(recorded(OURS / "qemu-s390x-kvm-cgroup.json"))
    lines = {line.key: line for line in fact_lines(facts)}
    assert "edat" in lines["memory.huge_page_size"].origin
