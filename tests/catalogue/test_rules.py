"""The rules for recommendations find what they are there to find."""

import dataclasses

import pytest

from catalogue_rules import faults, uncited
from tunewiz.catalogue import recommendations
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Dispute, Example, Recommendation, Sets
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.knowledge.loading import load_knowledge

CLAIMS = load_knowledge().library.claims
SOUND = next(
    recommendation for recommendation in recommendations() if recommendation.id == "pg.shared_buffers"
)
APPLIES = Example(name="applies", given=Given(), outcome=Sets(value="16GB"))
DECLINES = Example(name="declines", given=Given(), outcome=Declines())


def broken(**changed: object) -> Recommendation:
    """The sound recommendation, but for what is changed."""
    return dataclasses.replace(SOUND, **changed)  # type: ignore[arg-type]


def explained(**changed: str) -> Recommendation:
    """The sound recommendation with parts of its explanation replaced."""
    return broken(explanation=dataclasses.replace(SOUND.explanation, **changed))


def test_a_sound_recommendation_has_no_fault() -> None:
    assert faults(SOUND, CLAIMS) == []


@pytest.mark.parametrize(
    ("subject", "fault"),
    [
        (broken(id="pg.SharedBuffers"), "id: pg.SharedBuffers"),
        (broken(id="pg.work_mem"), "id: pg.work_mem changes shared_buffers"),
        (broken(id="pg.x", target=SysctlTarget(name="vm.x")), "id: pg.x changes the kernel"),
        (broken(title=""), "title: length"),
        (broken(title="give PostgreSQL a larger cache"), "title: no imperative of its own"),
        (explained(changes=""), "changes: length"),
        (explained(helps="It helps very much and everywhere"), "helps: no whole sentence"),
        (explained(leave_alone=" " * 30), "leave_alone: no whole sentence"),
        (explained(costs="A restart. " * 60 + "."), "costs: length"),
        (explained(watch="It is best practice to look."), "hollow: best practice"),
        (explained(watch="Look at  the log of the server."), "spacing: 'Look at  the log of the server.'"),
        (broken(pros=()), "pros: none"),
        (broken(cons=()), "cons: none"),
        (broken(cons=("",)), "cons: ''"),
        (broken(pros=SOUND.cons), "pros: also among the cons"),
        (broken(cites=()), "cites: none"),
        (broken(cites=(Cite(claim="99"),)), "cites: 99 is unknown"),
        (
            broken(
                cites=(
                    Cite(claim="z-deck.shared_buffers_quarter"),
                    Cite(claim="z-deck.shared_buffers_quarter", opposes=True),
                )
            ),
            "cites: one claim twice",
        ),
        (
            broken(cites=(Cite(claim="z-deck.effective_cache_size"),)),
            "disputes: z-deck.shared_buffers_quarter is not cited",
        ),
        (
            broken(basis="measured", cites=(Cite(claim="z-guide.queries_first"),), disputes=()),
            "basis: no claim was measured",
        ),
        (
            broken(
                basis="measured", cites=(Cite(claim="z-deck.shared_buffers_quarter", near=True),), disputes=()
            ),
            "basis: no claim was measured",
        ),
        (
            broken(basis="reasoned", cites=(Cite(claim="z-deck.shared_buffers_quarter"),), disputes=()),
            "basis: z-deck.shared_buffers_quarter was measured",
        ),
        (
            broken(
                cons=("No source of this project measured it.",),
                cites=(Cite(claim="z-deck.shared_buffers_quarter"),),
                disputes=(),
            ),
            "cons: z-deck.shared_buffers_quarter was measured",
        ),
        (broken(versions="every Linux"), "versions: a setting has its own, everything else says them"),
        (
            broken(id="kernel.x", target=SysctlTarget(name="vm.x")),
            "versions: a setting has its own, everything else says them",
        ),
        (broken(examples=(APPLIES,)), "examples: none declines"),
        (broken(examples=(DECLINES,)), "examples: none applies"),
        (broken(examples=()), "examples: none declines"),
        (broken(examples=(APPLIES, DECLINES, DECLINES)), "examples: one name twice"),
        (
            broken(
                disputes=(
                    Dispute(one="A  b.", other="C.", follows="D.", claims=("z-deck.shared_buffers_quarter",)),
                )
            ),
            "spacing: 'A  b.'",
        ),
    ],
)
def test_what_is_broken_is_named(subject: Recommendation, fault: str) -> None:
    assert fault in faults(subject, CLAIMS)


def test_a_claim_that_nobody_cites_is_found() -> None:
    assert uncited(recommendations(), {*CLAIMS, "99"}) == {"99"}
    assert uncited((), CLAIMS) == {*CLAIMS}
