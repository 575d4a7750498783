"""Every step of every study ends in one outcome with a reason, and what a study names exists."""

from __future__ import annotations

import dataclasses
import json
from functools import cache
from typing import get_args

import pytest

from fixtures_golden import Golden
from tunewiz.core.answers.answers import Accepted, Decision, Posture, Refused, Risk, WorkloadKind
from tunewiz.core.comparison.study import Study, StudyStep
from tunewiz.core.comparison.study_outcomes import OUTCOMES, Outcome, Retold, retold
from tunewiz.core.planning.measurement_series import REST, waterfall
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.errors import InputError, UsageError
from tunewiz.formats.study import study_json
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.knowledge.series import load_series
from tunewiz.knowledge.studies import check_study, load_studies, load_study, series_of
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.study import study_list, study_text

LIBRARY = load_knowledge().library
DOCUMENTS = {"z-deck", "z-guide", "power", "kernel-talk", "vxfs"}
STUDIES = tuple(load_studies())
WHERE = "profiles/studies/example.toml"


@cache
def planned(machine: str, kind: WorkloadKind, posture: Posture = "balanced") -> Plan:
    facts, knowledge = demo_facts(machine), load_knowledge()
    answers = default_answers(facts, knowledge)
    workload = dataclasses.replace(answers.workload, kind=kind)
    said = dataclasses.replace(answers, workload=workload, risk=Risk(posture=posture))
    return make_plan(facts, said, knowledge)


def retold_study(name: str, plan: Plan) -> Retold:
    return retold(*load_study(name), plan)


def outcome(name: str, plan: Plan, title: str) -> tuple[Outcome, str]:
    """Of the one step whose title begins so."""
    (step,) = (entry for entry in retold_study(name, plan).steps if entry.step.title.startswith(title))
    return step.outcome, step.because


@pytest.mark.parametrize("machine", demo_names())
@pytest.mark.parametrize("kind", get_args(WorkloadKind))
def test_every_step_ends_in_one_outcome_with_a_reason(machine: str, kind: WorkloadKind) -> None:
    for name, study in load_studies().items():
        result = retold_study(name, planned(machine, kind))
        assert [step.step for step in result.steps] == list(study.steps)
        assert sum(result.counts.values()) == len(study.steps)
        assert {step.outcome for step in result.steps} <= set(OUTCOMES)
        assert [step.step.title for step in result.steps if not step.because] == []


@pytest.mark.parametrize("machine", demo_names())
@pytest.mark.parametrize("posture", get_args(Posture))
def test_an_outcome_never_contradicts_the_plan(machine: str, posture: Posture) -> None:
    for name in STUDIES:
        for step in retold_study(name, planned(machine, "oltp", posture)).steps:
            state = step.finding.state
            if step.outcome == "open":
                assert state == "advise", step.step.title
            if step.outcome == "followed" and step.step.asks != "leave":
                assert state in ("change", "keep"), step.step.title
            if step.finding.state == "not_applicable":
                assert step.outcome in ("not_applicable", "corrected"), step.step.title


def test_every_claim_of_the_five_documents_is_told_by_a_study_of_that_document() -> None:
    missing = [
        claim.id
        for claim in LIBRARY.claims.values()
        if claim.source in DOCUMENTS
        and not any(
            claim.source in study.documents
            and claim.id in {*study.also, *(claim for step in study.steps for claim in step.claims)}
            for study in load_studies().values()
        )
    ]
    assert missing == []


def test_every_document_belongs_to_one_study_and_is_a_name_of_it() -> None:
    result = [key for study in load_studies().values() for key in study.documents]
    assert sorted(result) == sorted(DOCUMENTS)
    assert {load_study(key)[0] for key in result} == set(STUDIES)


@pytest.mark.parametrize("name", STUDIES)
def test_a_step_rests_on_a_claim_of_the_study_or_of_a_document_that_says_the_same(name: str) -> None:
    for step in load_studies()[name].steps:
        sources = {LIBRARY.claims[claim].source for claim in step.claims}
        places = " ".join(LIBRARY.claims[claim].place for claim in step.claims)
        assert sources & set(load_studies()[name].documents) or "VxFS" in places, step.title


@pytest.mark.parametrize("name", STUDIES)
def test_a_step_names_a_recommendation_that_cites_one_of_its_claims(name: str) -> None:
    cites = {
        recommendation.id: {cite.claim for cite in recommendation.cites}
        | {claim for on in recommendation.disputes for claim in on.claims}
        for recommendation in load_knowledge().catalogue
    }
    unrelated = [
        step.title for step in load_studies()[name].steps if not cites[step.recommendation] & set(step.claims)
    ]
    assert unrelated == []


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_has_figures_or_says_why_not(name: str) -> None:
    study = load_studies()[name]
    assert bool(series_of(study)) != bool(study.without_figures)


def test_a_waterfall_ends_at_the_sum_of_its_source() -> None:
    for series in (series for series in load_series() if series.kind == "steps"):
        bars = list(waterfall(series))
        assert bars[0].before == 100
        assert [bar.before for bar in bars[1:]] == [bar.after for bar in bars[:-1]]
        assert round(bars[-1].after) == series.together
        assert [bar.label for bar in bars].count(REST) <= 1
        for bar, point in zip(bars, series.points, strict=False):
            assert round((bar.after / bar.before - 1) * 100) == point.value


def test_a_waterfall_without_a_rest_has_no_bar_for_it() -> None:
    (series,) = (series for series in load_series() if series.kind == "steps")
    exact = dataclasses.replace(series, together=144)
    assert REST not in [bar.label for bar in waterfall(exact)]


def test_the_z13_follows_its_own_study_where_its_facts_are_told() -> None:
    plan = planned("z13-lpar", "oltp")
    assert outcome("z13", plan, "Give shared_buffers")[0] == "followed"
    assert outcome("z13", plan, "Reserve huge pages")[0] == "followed"
    assert outcome("z13", plan, "Bound the dirty pages")[0] == "followed"
    assert outcome("z13", plan, "With many writes, keep")[0] == "followed"
    assert outcome("z13", plan, "Where nearly everything is reading")[0] == "declined"
    assert outcome("z13", plan, "Put the WAL on disks")[0] == "declined"


def test_what_is_a_default_today_is_corrected_from_that_major_on() -> None:
    title = "Spread each checkpoint"
    assert outcome("z13", planned("small-vm", "oltp"), title) == (
        "corrected",
        LIBRARY.claims["z-deck.checkpoint_completion_target"].today,
    )
    assert outcome("z13", planned("z13-lpar", "oltp"), title)[0] == "followed"


def test_what_left_the_kernel_is_corrected_from_that_kernel_on() -> None:
    title = "Give NVMe and SSD no I/O scheduler"
    assert outcome("kernel-talk", planned("nvme-server", "oltp"), title)[0] == "corrected"
    assert outcome("kernel-talk", planned("ice-lake", "oltp"), title)[0] == "not_applicable"


def test_a_step_for_another_architecture_says_so() -> None:
    title = "Run eight threads"
    assert outcome("power10", planned("power10", "oltp"), title)[0] == "followed"
    actual, because = outcome("power10", planned("nvme-server", "oltp"), title)
    assert (actual, because) == ("not_applicable", "it is about ppc64le, this is x86_64")


def test_fsync_stays_on_in_every_posture() -> None:
    for posture in get_args(Posture):
        plan = planned("power10", "oltp", posture)
        assert outcome("power10", plan, "Turn fsync off")[0] == "declined"


def test_what_a_person_declines_or_accepts_is_told_as_theirs() -> None:
    facts, knowledge = demo_facts("nvme-server"), load_knowledge()
    answers = default_answers(facts, knowledge)
    decisions: dict[str, Decision] = {
        "pg.max_wal_size": Refused(note="disk is small"),
        "kernel.dirty_bytes": Accepted(),
    }
    plan = make_plan(facts, dataclasses.replace(answers, decisions=decisions), knowledge)
    assert outcome("z13", plan, "Allow more WAL") == (
        "refused",
        "declined by the administrator: disk is small",
    )
    assert outcome("z13", plan, "Bound the dirty pages")[0] != "open"


def test_the_system_most_like_this_machine_is_told_with_what_differs() -> None:
    system, fit, because = retold_study("power10", planned("ice-lake", "oltp")).closest
    assert (system.key, fit) == ("ice-lake", "unknown")
    assert because == "the source does not say: memory; not known here: hypervisor"
    system, fit, because = retold_study("z13", planned("nvme-server", "oltp")).closest
    assert (system.key, fit) == ("z13-lpar", "unlike")
    assert "measured on s390x, this is x86_64" in because
    system, fit, because = retold_study("kernel-talk", planned("talk-m5", "oltp")).closest
    assert (system.key, fit) == ("talk-m5", "unknown")
    assert because.startswith("the source does not say: storage")


def test_a_name_that_no_study_has_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"study: found 'vxsf', expected vxfs\?"):
        load_study("vxsf")


def example(**changed: object) -> Study:
    """A study of one step, that step changed."""
    step = StudyStep(
        title="Do", place="page 1", claims=("z-deck.wal_buffers",), recommendation="pg.wal_buffers"
    )
    return Study(
        title="An example",
        year=2026,
        documents=("z-deck",),
        systems=("z13-lpar",),
        measured="nothing",
        steps=(dataclasses.replace(step, **changed),),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType] - of one field
    )


@pytest.mark.parametrize(
    ("study", "message"),
    [
        (example(claims=("z-deck.wal_bufers",)), "steps.0.claims: found z-deck.wal_bufers, expected z-deck."),
        (example(claims=()), "steps.0.claims: found none"),
        (
            example(recommendation="pg.wal_bufers"),
            "steps.0.recommendation: found pg.wal_bufers, expected pg.",
        ),
        (example(asks="exactly"), "steps.0.value: found nothing"),
        (example(since_postgres="fourteen"), "steps.0.since_postgres: expected a version"),
        (example(claims=("z-deck.swap",), since_kernel="5.0"), "steps.0.claims: found none with a text for"),
        (dataclasses.replace(example(), documents=("z-dock",)), "documents: found z-dock, expected z-deck"),
        (dataclasses.replace(example(), systems=("z14",)), "systems: found z14, expected"),
        (dataclasses.replace(example(), also=("z-deck.all",)), "also: found z-deck.all, expected"),
    ],
)
def test_a_study_that_names_what_is_not_there_is_refused_by_file_and_key(study: Study, message: str) -> None:
    with pytest.raises(InputError) as refused:
        check_study(study, WHERE, load_knowledge())
    assert str(refused.value).startswith(f"{WHERE}: {message}")


def test_a_study_that_names_what_is_there_is_taken() -> None:
    check_study(example(since_postgres="9.1"), WHERE, load_knowledge())


@pytest.mark.parametrize(("name", "machine"), [("z13", "z13-lpar"), ("kernel-talk", "nvme-server")])
def test_a_study_reads_as_it_was_reviewed(golden: Golden, name: str, machine: str) -> None:
    golden(f"studies/{name}.{machine}.txt", study_text(retold_study(name, planned(machine, "oltp"))))


def test_the_list_names_every_study_with_its_year_and_system() -> None:
    listed = study_list(load_studies(), LIBRARY)
    for name, study in load_studies().items():
        assert f"{name} " in listed
        assert str(study.year) in listed
        assert LIBRARY.systems[study.systems[0]].name in listed


def test_as_json_it_has_the_same_steps_and_bars_that_join() -> None:
    result = retold_study("z13", planned("z13-lpar", "oltp"))
    document = json.loads(study_json(result, series_of(result.study)))
    assert [value["outcome"] for value in document["steps"]] == [step.outcome for step in result.steps]
    bars = document["figures"][0]["steps"]
    assert (bars[0]["from"], bars[-1]["to"]) == (100.0, 145.0)
    assert [bar["from"] for bar in bars[1:]] == [bar["to"] for bar in bars[:-1]]
