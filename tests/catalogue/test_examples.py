"""Every worked example decides as it says: it is documentation, and must be true."""

import pytest

from tunewiz.catalogue import recommendations
from tunewiz.core.planning.decide import decide_all
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Recommendation, Sets
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import example_situation

EXAMPLES = [
    (recommendation, example) for recommendation in recommendations() for example in recommendation.examples
]
MAX_REASON = 78 * 2
MAX_COMPUTATION = 78 * 3


@pytest.mark.parametrize(
    ("recommendation", "example"),
    EXAMPLES,
    ids=[f"{recommendation.id}: {example.name}" for recommendation, example in EXAMPLES],
)
def test_the_example_decides_as_it_says(recommendation: Recommendation, example: Example) -> None:
    _, (finding,) = decide_all((recommendation,), example_situation(example.given, load_knowledge()))
    match example.outcome, finding.verdict:
        case Sets(value=value), Proposal() as proposal:
            assert proposal.value == value
            assert 0 < len(proposal.computed) <= MAX_COMPUTATION
        case Advises(), Advice() as advice:
            assert advice.steps
            assert advice.undo
        case Declines(kind=kind), Declined() as declined:
            assert declined.kind == kind, declined.because
        case expected, result:
            pytest.fail(f"expected {expected}, found {result}")
    assert 0 < len(finding.because) <= MAX_REASON
    assert not finding.because.endswith(".")
