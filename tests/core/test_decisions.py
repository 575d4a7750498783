"""What yes, no, a value and a note do to the answers."""

from situations import declines, finding, plan, proposes, recommendation, situation
from tunewiz.core.answers.answers import NO_DECISIONS, Accepted, Answers, Decision, Refused, Replaced
from tunewiz.core.planning.decisions import is_open, note_of, noted, put_aside, replaced, toggled
from tunewiz.core.planning.finding import Finding
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Proposal

WORK_MEM = "pg.work_mem"
TICKED = proposes(WORK_MEM, "24MB")
UNTICKED = recommendation(
    WORK_MEM, lambda _: Proposal(value="24MB", because="a test", computed="24MB", ticked=False)
)
ADVISED = recommendation(
    "host.swap",
    lambda _: Advice(because="a test", steps=("do it",), undo=()),
    target=AdviceTarget(name="swap"),
)


def finding_and_answers(what: Recommendation, decision: Decision | None = None) -> tuple[Finding, Answers]:
    """What a plan says of one recommendation, and the answers that it was made from."""
    result = situation(decisions={what.id: decision} if decision else NO_DECISIONS)
    return finding(plan(what, now=result), what.id), result.answers


def after(what: Recommendation, decision: Decision | None = None) -> Decision:
    """The decision that a press of the space bar makes of another."""
    return toggled(*finding_and_answers(what, decision)).decisions[what.id]


def test_a_change_is_declined_and_accepted_again() -> None:
    assert after(TICKED) == Refused()
    assert after(TICKED, Refused()) == Accepted()
    assert after(TICKED, Accepted()) == Refused()


def test_a_proposal_that_is_not_ticked_is_accepted_first() -> None:
    assert after(UNTICKED) == Accepted()


def test_advice_is_declined_and_taken_up_again() -> None:
    assert after(ADVISED) == Refused()
    assert after(ADVISED, Refused()) == Accepted()


def test_a_note_outlives_yes_and_no() -> None:
    assert after(TICKED, Refused(note="not before May")) == Accepted(note="not before May")
    assert after(TICKED, Accepted(note="agreed")) == Refused(note="agreed")


def test_a_value_of_ones_own_is_given_up_with_a_no() -> None:
    assert after(TICKED, Replaced(value="32MB", note="agreed")) == Refused(note="agreed")


def test_a_value_keeps_the_note() -> None:
    one, answers = finding_and_answers(TICKED, Accepted(note="agreed"))
    assert replaced(one, "32MB", answers).decisions[WORK_MEM] == Replaced(value="32MB", note="agreed")


def test_a_note_takes_the_decision_as_it_is_shown() -> None:
    assert noted(*swapped(finding_and_answers(TICKED))).decisions[WORK_MEM] == Accepted(note="why")
    assert noted(*swapped(finding_and_answers(UNTICKED))).decisions[WORK_MEM] == Refused(note="why")
    assert noted(*swapped(finding_and_answers(ADVISED))).decisions["host.swap"] == Accepted(note="why")


def test_a_note_changes_no_decision_that_was_taken() -> None:
    one, answers = finding_and_answers(TICKED, Replaced(value="32MB"))
    assert noted(one, "why", answers).decisions[WORK_MEM] == Replaced(value="32MB", note="why")


def swapped(pair: tuple[Finding, Answers]) -> tuple[Finding, str, Answers]:
    return pair[0], "why", pair[1]


def test_what_is_left_alone_is_not_open() -> None:
    one, _ = finding_and_answers(declines(WORK_MEM))
    assert not is_open(one)
    assert is_open(finding_and_answers(TICKED)[0])


def test_nobody_wrote_a_note_yet() -> None:
    assert note_of(finding_and_answers(TICKED)[0]) == ""


def test_other_decisions_stay_when_some_are_put_aside() -> None:
    answers = situation(decisions={"pg.a": Replaced(value="1"), "pg.b": Refused()}).answers
    assert put_aside(frozenset({"pg.a"}), answers).decisions == {"pg.b": Refused()}
