"""What was measured on this server moves ticks: never against a person, never without the risk accepted."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from situations import finding, plan, recommendation, situation
from small_plans import WANTED, small_facts, small_plan
from synthetic_proofs import MEMBERS, kept, measured_plan, told
from tunewiz.core.answers.answers import Accepted, Decision, Posture, Refused, Replaced
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.impact import by_impact
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.proved import Proved
from tunewiz.core.proof.measured_parts import NO_PROOF, ProofGiven
from tunewiz.core.proof.proof import ClaimVerdict, MeasuredChange, MetricResult, Proof, ProofBundle
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Basis, Group
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, Unknown

VALUES = {
    "pg.bgwriter_lru_maxpages": "400",
    "pg.random_page_cost": "1.1",
    "pg.temp_file_limit": "64GB",
    "pg.work_mem": "24MB",
}
NAMES = tuple(VALUES)
CLAIMS: tuple[ClaimVerdict, ...] = ("helped", "hurt", "same", "undecided")
POSTURES: tuple[Posture, ...] = ("cautious", "balanced", "bold")
MOST: Mapping[Posture, int] = {"cautious": 0, "balanced": 1, "bold": 2}
RISKS = (RiskLevel.LOW, RiskLevel.MEDIUM, RiskLevel.HIGH)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Subject:
    """One recommendation of a drawn plan, and what a person said of it."""

    verdict: Verdict
    basis: Basis
    group: Group
    decisions: tuple[Decision, ...]

    @property
    def is_durability(self) -> bool:
        """Whether it keeps data safe."""
        return self.group == "durability"


def subjects_of(name: str) -> st.SearchStrategy[Subject]:
    proposals = st.builds(
        Proposal,
        value=st.just(VALUES[name]),
        because=st.just("b"),
        computed=st.just("c"),
        risk=st.sampled_from(RISKS),
        ticked=st.booleans(),
    )
    told_by_person: Sequence[tuple[Decision, ...]] = (
        (),
        (),
        (Accepted(note=""),),
        (Refused(note="no"),),
        (Replaced(value=VALUES[name], note=""),),
    )
    return st.builds(
        Subject,
        verdict=proposals | st.just(Declined(because="harmful here")),
        basis=st.sampled_from(("well understood", "reasoned")),
        group=st.sampled_from(("memory", "planner", "durability")),
        decisions=st.sampled_from(told_by_person),
    )


SUBJECTS = st.fixed_dictionaries({name: subjects_of(name) for name in NAMES})


def planned(subjects: Mapping[str, Subject], posture: Posture, proof: ProofGiven = NO_PROOF) -> Plan:
    decisions = {name: said for name, subject in subjects.items() for said in subject.decisions}
    result = situation(Given(posture=posture, connections=100), decisions)
    return plan(
        *(
            recommendation(name, _always(subject.verdict), basis=subject.basis, group=subject.group)
            for name, subject in subjects.items()
        ),
        now=dataclasses.replace(recognizable(result), proof=proof),
    )


def _always(verdict: Verdict) -> Callable[[Situation], Verdict]:
    return lambda _: verdict


def recognizable(entry: Situation) -> Situation:
    """On a machine that can be told from others."""
    host = dataclasses.replace(entry.facts.host, identity=Known("a" * 64, "test"))
    return dataclasses.replace(entry, facts=dataclasses.replace(entry.facts, host=host))


def measured(unproved: Plan, groups: Mapping[str, ClaimVerdict]) -> Proof:
    """Of all four, in groups that are named by their members."""
    changes = tuple(MeasuredChange(id=name, before="", value=value) for name, value in VALUES.items())
    proof = told(unproved, "same", groups)
    return dataclasses.replace(proof, bundle=ProofBundle(digest="", changes=changes))


SPLITS = (("+".join(NAMES),), NAMES, ("+".join(NAMES[:2]), "+".join(NAMES[2:])))
"""All as one, each by itself, two and two."""


@given(
    SUBJECTS,
    st.sampled_from(POSTURES),
    st.sampled_from(SPLITS).flatmap(
        lambda names: st.fixed_dictionaries({name: st.sampled_from(CLAIMS) for name in names})
    ),
)
def test_a_measurement_moves_only_ticks_that_it_may_move(
    subjects: Mapping[str, Subject], posture: Posture, groups: Mapping[str, ClaimVerdict]
) -> None:
    before = planned(subjects, posture)
    after = planned(subjects, posture, measured(before, groups))
    for group, claim in groups.items():
        ids = group.split("+")
        is_whole = not any(
            isinstance(said, Refused | Replaced) for name in ids for said in subjects[name].decisions
        )
        for name in ids:
            subject, earlier, later = subjects[name], finding(before, name), finding(after, name)
            if subject.decisions or subject.is_durability or isinstance(subject.verdict, Declined):
                assert (later.state, later.verdict) == (earlier.state, earlier.verdict)
            elif claim == "hurt":
                assert later.state == "advise"
                assert "hurt on this server" in later.because
                assert "0.90 (95 %: 0.86 to 0.94)" in later.because
            elif claim == "helped" and is_whole and RISKS.index(earlier.risk) <= MOST[posture]:
                assert later.state == "change"
            else:
                assert later.state == earlier.state


@given(SUBJECTS, st.sampled_from(POSTURES), st.sampled_from(CLAIMS))
def test_a_measurement_of_everything_together_is_told_of_each_change_as_the_whole_s(
    subjects: Mapping[str, Subject], posture: Posture, claim: ClaimVerdict
) -> None:
    before = planned(subjects, posture)
    proof = dataclasses.replace(measured(before, {}), verdict=claim)
    after = planned(subjects, posture, proof)
    for name in NAMES:
        result = finding(after, name)
        assert result.observed[0].figure.startswith("throughput x ")
        assert "everything together: one figure for 4 changes" in result.observed[0].means
        assert result.observed[0].opposes == (claim == "hurt")
        assert result.observed[0].speaks_for == (claim == "helped")


def test_what_was_only_observed_on_a_live_server_moves_nothing_and_is_told() -> None:
    before = measured_plan()
    after = measured_plan(told(before, "observed"))
    assert [entry.state for entry in after.findings] == [entry.state for entry in before.findings]
    assert "observed on the live server, which proves nothing" in after.findings[0].observed[0].means


def test_what_helped_at_the_cost_of_another_metric_ticks_nothing() -> None:
    proposal = Proposal(value="24MB", because="b", computed="c", ticked=False)
    worse = MetricResult(ratio=1.4, low=1.2, high=1.6, level=0.99, verdict="hurt", within=1.6)
    result = recognizable(situation())
    catalogue = (recommendation("pg.work_mem", _always(proposal)),)
    proof = told(plan(*catalogue, now=result), "helped")
    changes = (MeasuredChange(id="pg.work_mem", before="", value="24MB"),)
    proof = dataclasses.replace(proof, bundle=ProofBundle(digest="", changes=changes))
    costly = dataclasses.replace(proof, metrics={**proof.metrics, "latency_99": worse})
    states = [
        finding(plan(*catalogue, now=dataclasses.replace(result, proof=proof)), "pg.work_mem")
        for proof in (proof, costly)
    ]
    assert [state.state for state in states] == ["change", "advise"]
    assert "at the cost of 99th percentile of latency x 1.40" in states[1].observed[0].means


def test_what_helped_ticks_nothing_where_another_value_follows_from_what_was_left_out() -> None:
    def costs(entry: Situation) -> Verdict:
        followed = entry.will_be("work_mem") == "24MB"
        return Proposal(value="1.1" if followed else "2", because="b", computed="c", ticked=False)

    memory = Proposal(value="24MB", because="b", computed="c")
    catalogue = (
        recommendation("pg.work_mem", _always(memory)),
        recommendation("pg.random_page_cost", costs, after=("pg.work_mem",)),
    )
    result = recognizable(situation())
    before = plan(*catalogue, now=result)
    changes = tuple(
        MeasuredChange(id=name, before="", value=VALUES[name])
        for name in ("pg.work_mem", "pg.random_page_cost")
    )
    states = list[Finding]()
    claims: tuple[ClaimVerdict, ...] = ("same", "hurt")
    for claim in claims:
        proof = told(before, "same", {"pg.work_mem": claim, "pg.random_page_cost": "helped"})
        proof = dataclasses.replace(proof, bundle=ProofBundle(digest="", changes=changes))
        after = plan(*catalogue, now=dataclasses.replace(result, proof=proof))
        states.append(finding(after, "pg.random_page_cost"))
    assert [state.state for state in states] == ["change", "advise"]
    assert "measured with 1.1 instead of this value" in states[1].observed[0].means


def test_a_plan_that_was_ablated_leaves_out_the_part_that_hurt() -> None:
    made = measured_plan(kept("synthetic-ablation"))
    hurt = set(MEMBERS["kernel"])
    assert {change.recommendation.id for change in made.changes} == {*WANTED, "pg.jit"} - hurt
    for name in hurt:
        assert finding(made, name).because.startswith(
            "it hurt on this server with kernel: throughput x 0.92 ("
        )


def test_what_was_measured_here_comes_before_what_others_measured() -> None:
    made = measured_plan(kept("synthetic-ablation"))
    ranked = [entry.recommendation.id for entry in by_impact(made.findings)]
    assert set(ranked[:3]) == set(MEMBERS["memory and huge pages"])
    assert all(isinstance(entry.proved, Proved) for entry in made.findings)


def test_a_value_set_by_hand_that_was_not_measured_stands_and_is_told() -> None:
    decisions = {"pg.work_mem": Replaced(value="32MB", note="")}
    facts = measured_plan().start.facts
    made = small_plan(facts, {**WANTED, "pg.jit": "off"}, decisions=decisions, proof=kept("synthetic-pairs"))
    result = finding(made, "pg.work_mem")
    assert (result.state, result.sets) == ("change", "32MB")


def test_a_bundle_that_was_applied_since_is_still_what_was_measured() -> None:
    facts = small_facts(Given(settings={"work_mem": "24MB"}), include_directory=_include())
    made = small_plan(facts, {**WANTED, "pg.jit": "off"}, proof=kept("synthetic-pairs"))
    result = finding(made, "pg.work_mem")
    assert result.state == "keep"
    assert result.observed[0].speaks_for


def _include() -> Known[str]:
    directory = measured_plan().start.facts.postgres[0].include_directory
    assert isinstance(directory, Known)
    return directory


def of_host(proof: Proof) -> Proof:
    return dataclasses.replace(proof, host=dataclasses.replace(proof.host, identity="f" * 64, name="db9"))


def of_nobody(proof: Proof) -> Proof:
    return dataclasses.replace(proof, host=dataclasses.replace(proof.host, identity=""))


def of_major(proof: Proof) -> Proof:
    return dataclasses.replace(proof, server=dataclasses.replace(proof.server, major="12"))


def of_cluster(proof: Proof) -> Proof:
    return dataclasses.replace(proof, server=dataclasses.replace(proof.server, system_identifier="42"))


def of_directory(proof: Proof) -> Proof:
    server = dataclasses.replace(proof.server, system_identifier="", data_directory="/srv/other")
    return dataclasses.replace(proof, server=server)


def _with_change(proof: Proof, change: MeasuredChange) -> Proof:
    others = tuple(
        measured_change for measured_change in proof.bundle.changes if measured_change.id != change.id
    )
    return dataclasses.replace(proof, bundle=ProofBundle(digest="", changes=(change, *others)))


def of_other_value(proof: Proof) -> Proof:
    return _with_change(proof, MeasuredChange(id="pg.work_mem", before="4MB", value="96MB"))


def of_other_state(proof: Proof) -> Proof:
    return _with_change(proof, MeasuredChange(id="pg.work_mem", before="8MB", value="24MB"))


def of_other_version(proof: Proof) -> Proof:
    return _with_change(proof, MeasuredChange(id="pg.enable_magic", before="", value="on"))


def of_nothing(proof: Proof) -> Proof:
    return dataclasses.replace(proof, bundle=ProofBundle(digest="", changes=()))


@pytest.mark.parametrize(
    ("foreign", "message"),
    [
        (of_host, "host.identity: found ffffffffffff (db9), expected "),
        (of_nobody, "host.identity: found none (synthetic), expected "),
        (of_major, "server.major: found 12, expected 15, as this server is"),
        (of_cluster, "server.system_identifier: found 42, expected "),
        (of_directory, "server.data_directory: found /srv/other, expected /"),
        (
            of_other_value,
            "bundle.changes.pg.work_mem.value: found 96MB, expected 24MB, as this plan proposes",
        ),
        (of_other_state, "bundle.changes.pg.work_mem.before: found 8MB, expected 4MB, as it is now"),
        (of_other_version, "bundle.changes: found pg.enable_magic, expected recommendations"),
        (of_nothing, "bundle.changes: found none, expected the changes that were measured"),
    ],
)
def test_a_proof_of_something_else_is_refused_in_one_sentence(
    foreign: Callable[[Proof], Proof], message: str
) -> None:
    proof = kept("synthetic-pairs")
    assert measured_plan(proof).changes
    with pytest.raises(InputError) as refused:
        measured_plan(foreign(proof))
    assert refused.value.message.startswith(f"proof.{message}")
    assert "\n" not in refused.value.message


def test_a_machine_without_an_identity_takes_no_proof() -> None:
    facts = measured_plan().start.facts
    host = dataclasses.replace(facts.host, identity=Unknown("/etc/machine-id cannot be read"))
    with pytest.raises(InputError, match="expected this machine's: /etc/machine-id cannot be read"):
        small_plan(dataclasses.replace(facts, host=host), proof=kept("synthetic-pairs"))


def test_without_a_proof_nothing_is_proved() -> None:
    assert not any(isinstance(entry.proved, Proved) for entry in measured_plan().findings)
