"""How like this machine a measured system is, and why."""

import dataclasses
from types import MappingProxyType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from situations import SOUND, situation
from tunewiz.core.planning.evidence_fit import (
    SAME_MAGNITUDE,
    SAME_SIZE,
    ThisSystem,
    compared,
    fit_of,
    fitted,
    here_of,
)
from tunewiz.core.recommendation.evidence import A_GUEST, Cite, Claim, Fitted, Library, MeasuredSystem, Source
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.knowledge.loading import load_knowledge

SOURCE = Source(key="study", title="A study", author="Somebody", date="2018", kind="talk")
ALIKE = MeasuredSystem(
    key="alike",
    name="Alike",
    architecture="x86_64",
    cores=4,
    memory_gib=64,
    database_gib=100,
    storage="ssd",
    workload="oltp",
    postgres="15",
    hypervisor="none",
)


def fit(
    *systems: MeasuredSystem, given: Given | None = None, opposes: bool = False, undecided: bool = False
) -> Fitted:
    claim = Claim(
        id="1",
        source="study",
        subject="s",
        speaks_of=(),
        place="p",
        text="t",
        figure="+12 %",
        measured_on=tuple(system.key for system in systems),
        undecided=undecided,
    )
    library = Library(
        sources=MappingProxyType({"study": SOURCE}),
        systems=MappingProxyType({system.key: system for system in systems}),
        claims=MappingProxyType({"1": claim}),
    )
    return fitted(Cite(claim="1", opposes=opposes), library, here_of(situation(given or SOUND)))


def test_the_same_kind_of_machine_is_like_this_one() -> None:
    evidence = fit(ALIKE)
    assert (evidence.fit, evidence.because) == ("like", "same kind of machine, storage and workload")


@pytest.mark.parametrize(
    ("given", "because"),
    [
        (Given(architecture="s390x"), "measured on x86_64, this is s390x"),
        (Given(disk="san"), "measured on ssd, this is san"),
        (Given(cores=64), "measured with 4 cores, this has 64"),
        (Given(workload="analytics"), "measured with transactions, yours is analytics"),
        (Given(disk="hdd"), "measured on ssd, this is hdd"),
        (Given(hypervisor="kvm"), "measured on bare metal, this runs under KVM"),
        (Given(cores=64, cpu_limit=32.5), "measured with 4 cores, this has 32"),
    ],
)
def test_what_weighs_makes_it_unlike(given: Given, because: str) -> None:
    evidence = fit(ALIKE, given=given)
    assert (evidence.fit, evidence.because) == ("unlike", because)


@pytest.mark.parametrize(
    ("given", "because"),
    [
        (Given(major="16"), "measured with PostgreSQL 15, this is 16"),
        (Given(disk="nvme"), "measured on ssd, this is nvme"),
        (Given(workload="mixed"), "measured with transactions, yours is mixed"),
    ],
)
def test_what_weighs_little_is_told_and_still_like(given: Given, because: str) -> None:
    evidence = fit(ALIKE, given=given)
    assert (evidence.fit, evidence.because) == ("like", because)


SIZED = dataclasses.replace(ALIKE, memory_gib=64, database_gib=256)


@pytest.mark.parametrize(
    ("memory", "size", "like", "because"),
    [
        ("64GB", "256GB", "like", "same kind of machine, storage and workload"),
        ("16GB", "17GB", "like", "same kind of machine, storage and workload"),
        ("256GB", "1TB", "like", "same kind of machine, storage and workload"),
        ("15GB", "100GB", "like", "measured with 64 GiB of memory, this has 15.0 GiB"),
        (
            "64GB",
            "64GB",
            "unlike",
            "measured with a database larger than memory, yours fits into it",
        ),
    ],
)
def test_memory_and_whether_the_data_fit_into_it_are_compared(
    memory: str, size: str, like: str, because: str
) -> None:
    evidence = fit(SIZED, given=dataclasses.replace(SOUND, memory=memory, database_size=size))
    assert (evidence.fit, evidence.because) == (like, because)


@pytest.mark.parametrize(
    ("measured", "major", "like"),
    [("15", "18", "like"), ("9.5.7", "17", "like"), ("9.5.7", "18", "unlike"), ("8.2.5", "13", "unlike")],
)
def test_what_was_measured_ten_majors_ago_is_of_another_time(measured: str, major: str, like: str) -> None:
    old = dataclasses.replace(ALIKE, postgres=measured)
    evidence = fit(old, given=dataclasses.replace(SOUND, major=major))
    assert (evidence.fit, evidence.because) == (like, f"measured with PostgreSQL {measured}, this is {major}")


@pytest.mark.parametrize(
    ("hypervisor", "like", "because"),
    [
        ("none", "unlike", "measured in a virtual machine, this runs on bare metal"),
        ("kvm", "like", "same kind of machine, storage and workload"),
        ("powervm", "like", "same kind of machine, storage and workload"),
    ],
)
def test_a_virtual_machine_of_any_kind_is_like_another_and_unlike_bare_metal(
    hypervisor: str, like: str, because: str
) -> None:
    guest = dataclasses.replace(ALIKE, hypervisor=A_GUEST)
    evidence = fit(guest, given=dataclasses.replace(SOUND, hypervisor=hypervisor))
    assert (evidence.fit, evidence.because) == (like, because)


def test_the_cores_that_a_control_group_leaves_are_compared() -> None:
    assert fit(ALIKE, given=Given(cores=64, cpu_limit=4.0)).fit == "like"


def test_the_closest_of_several_systems_counts() -> None:
    far = dataclasses.replace(ALIKE, key="far", architecture="ppc64le", storage="hdd")
    assert fit(far, ALIKE).fit == "like"
    assert fit(far, dataclasses.replace(ALIKE, key="near", architecture="ppc64le")).because == (
        "measured on ppc64le, this is x86_64"
    )


SILENT = {
    name: type(getattr(ALIKE, name))()
    for name in (
        "architecture",
        "workload",
        "storage",
        "cores",
        "memory_gib",
        "hypervisor",
        "database_gib",
        "postgres",
    )
}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("architecture", "kind of machine"),
        ("workload", "workload"),
        ("storage", "storage"),
        ("cores", "cores"),
        ("memory_gib", "memory"),
        ("hypervisor", "hypervisor"),
        ("database_gib", "size of the database"),
        ("postgres", "version of PostgreSQL"),
    ],
)
def test_what_a_source_is_silent_about_is_not_equal(name: str, text: str) -> None:
    silent = fit(measured_on({name: SILENT[name]}))
    assert (silent.fit, silent.because) == ("unknown", f"the source does not say: {text}")


def test_a_claim_that_speaks_against_is_the_opposite() -> None:
    assert fit(ALIKE, opposes=True).fit == "opposite"


def test_what_nobody_measured_is_unlike_every_machine() -> None:
    evidence = fit()
    assert (evidence.fit, evidence.because) == ("unlike", "nothing was measured")


def test_too_few_runs_speak_neither_for_nor_against() -> None:
    for opposes in (False, True):
        evidence = fit(ALIKE, opposes=opposes, undecided=True)
        assert evidence.fit == "like"
        assert not evidence.speaks_for


def test_a_decided_measurement_of_the_very_thing_speaks_for_it() -> None:
    assert fit(ALIKE).speaks_for
    assert not fit(ALIKE, opposes=True).speaks_for


def test_nothing_undecided_stands_against_a_recommendation_or_gives_it_a_figure() -> None:
    knowledge = load_knowledge()
    for recommendation in knowledge.catalogue:
        for cite in recommendation.cites:
            claim = knowledge.library.claims[cite.claim]
            assert not (claim.undecided and cite.opposes)
            assert claim.undecided is claim.figure.startswith("undecided")


def holding(count: int) -> Situation:
    """A server with so many bytes of memory."""
    result = situation()
    memory = dataclasses.replace(result.facts.memory, total=Known(Bytes(count), "/proc/meminfo"))
    return dataclasses.replace(result, facts=dataclasses.replace(result.facts, memory=memory))


@given(st.integers(1, 2**44), st.integers(1, 4096))
@example(4 * GIB, 16)
@example(4 * GIB - 1, 16)
@example(64 * GIB, 16)
@example(64 * GIB + 1, 16)
def test_memory_within_the_factor_of_four_is_alike_to_the_byte(count: int, there: int) -> None:
    system = dataclasses.replace(ALIKE, memory_gib=there)
    here = here_of(holding(count))
    alike = max(count, there * GIB) <= SAME_MAGNITUDE * min(count, there * GIB)
    assert ("GiB of memory" in fit_of(system, here)[1]) is not alike


def test_servers_that_are_alike_in_what_is_compared_share_what_was_compared() -> None:
    library, cites = load_knowledge().library, load_knowledge().catalogue[0].cites
    one, other = (compared(library, here_of(holding(count))) for count in (64 * GIB, 64 * GIB))
    assert one.all_of(cites) is other.all_of(cites)


@pytest.mark.parametrize("larger", [8 * GIB, 60 * GIB])
def test_what_was_compared_for_one_server_is_not_shown_for_an_unlike_one(larger: int) -> None:
    library = load_knowledge().library
    for recommendation in load_knowledge().catalogue:
        for count in (64 * GIB, larger):
            here = here_of(holding(count))
            cites = (cite for cite in recommendation.cites if cite.concerns(here.architecture))
            fresh = tuple(fitted(cite, library, here) for cite in cites)
            assert compared(library, here).all_of(recommendation.cites) == fresh


HERE = here_of(situation())
SIZES = st.integers(1, 8192)
FACTS = st.fixed_dictionaries(
    {
        "architecture": st.sampled_from(["x86_64", "aarch64", "ppc64le"]),
        "workload": st.sampled_from(["oltp", "analytics"]),
        "storage": st.sampled_from(["ssd", "nvme", "san", "hdd"]),
        "cores": st.integers(1, 128),
        "memory_gib": SIZES,
        "database_gib": SIZES,
        "hypervisor": st.sampled_from(["none", "kvm", "lpar", A_GUEST]),
        "postgres": st.sampled_from(["9.5.7", "14.4", "15", "18"]),
    }
)
LESS_KNOWN = (
    HERE._replace(architecture=""),
    HERE._replace(storage=""),
    HERE._replace(cores=0),
    HERE._replace(memory=""),
    HERE._replace(hypervisor=""),
)


def measured_on(facts: dict[str, object]) -> MeasuredSystem:
    return dataclasses.replace(ALIKE, **facts)  # type: ignore[arg-type]


@given(FACTS, st.sampled_from(sorted(SILENT)))
def test_nothing_that_a_source_leaves_out_makes_its_system_like_this_one(
    facts: dict[str, object], name: str
) -> None:
    silent = measured_on({**facts, name: SILENT[name]})
    assert fit_of(silent, HERE)[0] != "like"
    assert "the source does not say" in fit_of(silent, HERE)[1]


@given(FACTS, st.sampled_from(LESS_KNOWN))
def test_nothing_that_is_not_known_of_this_machine_makes_a_system_like_it(
    facts: dict[str, object], here: ThisSystem
) -> None:
    assert fit_of(measured_on(facts), here)[0] != "like"
    assert fit_of(ALIKE, here)[0] == "unknown"
    assert fit_of(ALIKE, here)[1].startswith("not known here: ")


@given(FACTS)
def test_what_is_like_this_machine_is_within_every_bound(facts: dict[str, object]) -> None:
    system = measured_on(facts)
    if fit_of(system, HERE)[0] != "like":
        return
    assert (system.architecture, system.workload, system.hypervisor) == ("x86_64", "oltp", "none")
    assert system.storage in {"ssd", "nvme"}
    assert 1 <= system.cores <= SAME_MAGNITUDE * HERE.cores
    assert (system.database_gib > system.memory_gib) is HERE.outgrown


@given(st.integers(1, 2**13), st.integers(1, 2**13))
def test_databases_of_another_magnitude_are_told(there: int, here: int) -> None:
    both_fit = dataclasses.replace(ALIKE, memory_gib=8192, database_gib=there)
    text = fit_of(both_fit, HERE._replace(database=here.bit_length() - 1, outgrown=False))[1]
    assert ("yours is far" in text) is (abs(here.bit_length() - there.bit_length()) > SAME_SIZE)
    if max(here, there) >= 2 * SAME_MAGNITUDE**2 * min(here, there):
        assert f"yours is far {'larger' if here > there else 'smaller'}" in text
