"""The wizard's state: the screens show it, the app replaces it, and it is never modified."""

from __future__ import annotations

import dataclasses

from tunewiz.core.answers.answers import Answers, Replaced
from tunewiz.core.answers.step_order import target
from tunewiz.core.answers.steps import Direction, Step
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.learned_later import Learned
from tunewiz.core.planning.decisions import put_aside, replaced
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.user_values import checked_value
from tunewiz.core.proof.measured_parts import NO_PROOF
from tunewiz.core.proof.named_proof import ProofNamed
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import known_or
from tunewiz.core.values.record import dataclass
from tunewiz.formats.since import HostNews
from tunewiz.knowledge.loading import Knowledge
from tunewiz.session.record import Session
from tunewiz.wizard.history import NO_HISTORY, History, Moved, NothingThere, PlanInputs
from tunewiz.wizard.last_visit import FIRST_VISIT, FirstVisit
from tunewiz.wizard.proved_plan import check_machine, counting_in_words, proved_plan


@dataclass(frozen=True, kw_only=True, slots=True)
class NotExample:
    """The machine is a real one, or the run goes on with what somebody chose."""


NOT_EXAMPLE = NotExample()


@dataclass(frozen=True, kw_only=True, slots=True)
class Journey:
    """Facts, answers, and the plan that follows from them."""

    facts: Facts
    answers: Answers
    knowledge: Knowledge
    plan: Plan
    origin: str = ""
    """The source of the facts unless this host: `example`, or a file."""
    out: str = ""
    """The directory that the bundle goes to, as typed; empty until the last step."""
    as_read: Facts
    """The facts without corrections by hand."""
    proof: ProofNamed = NO_PROOF
    """A measurement of this machine; it counts for the plan if that is the measured one."""
    not_counted: str = ""
    """Why it does not count for this plan; empty if it does, or if there is none."""
    history: History = NO_HISTORY
    """The choices before this one, and those that were taken back."""
    example: PlanInputs | NotExample = NOT_EXAMPLE
    """What an example machine began with."""
    since: HostNews | FirstVisit = FIRST_VISIT
    """What became of this host since an earlier run read it."""

    @property
    def is_untouched_example(self) -> bool:
        """Whether nobody chose anything, on a machine that comes with the program."""
        return self.example == self.choices

    @property
    def name(self) -> str:
        """The machine's name."""
        return known_or(self.facts.host.name, "this machine")

    @property
    def is_this_host(self) -> bool:
        """Whether the facts were read here."""
        return not self.origin

    def with_answers(self, answers: Answers) -> Journey:
        """The same machine with other answers; raises InputError where they fit no plan."""
        return self._planned(self.facts, answers)

    def changed(self, facts: Facts, answers: Answers) -> ChangedJourney:
        """With these facts and answers; values set by hand that no longer fit are dropped and reported.

        Raises:
            InputError: There is no plan even without such values.
        """
        try:
            return self._changed_to(self._planned(facts, answers))
        except InputError as error:
            own = frozenset(name for name, said in answers.decisions.items() if isinstance(said, Replaced))
            if not own:
                raise
            without = self._planned(facts, put_aside(own, answers))
            return self._changed_to(without, f"Values set by hand were dropped: {_in_words(error)}")

    def _changed_to(self, journey: Journey, dropped: str = "") -> ChangedJourney:
        news = journey.news_since(self)
        return ChangedJourney(journey=journey, put_aside=". ".join(text for text in (dropped, news) if text))

    def news_since(self, earlier: Journey) -> str:
        """Whether the measurement stopped or began to count, in words; empty if neither."""
        return counting_in_words(earlier.not_counted, self.not_counted)

    def travelled(self, *, again: bool) -> Travelled:
        """With the last choice taken back, or with the one that was taken back last made again.

        Raises:
            InputError: What was learned since leaves no plan for those choices.
        """
        match self.history.redone(self.choices) if again else self.history.undone(self.choices):
            case Moved(history=history, choices=choices, words=words):
                planned = self._planned(choices.facts, choices.answers)
                if news := planned.news_since(self):
                    words = f"{words}. {news}"
                return Travelled(journey=dataclasses.replace(planned, history=history), words=words)
            case NothingThere():
                return Travelled(journey=self, words="Nothing to redo." if again else "Nothing to undo.")

    def _planned(self, facts: Facts, answers: Answers) -> Journey:
        choices = PlanInputs(facts=facts, answers=answers)
        if choices == self.choices:
            return self
        proved = proved_plan(facts, answers, self.knowledge, self.proof)
        return dataclasses.replace(
            self,
            facts=facts,
            answers=answers,
            plan=proved.plan,
            not_counted=proved.not_counted,
            history=self.history.after(self.choices, choices),
        )

    def with_learned(self, learned: Learned) -> ChangedJourney:
        """With what was learned of one of its servers since; raises InputError as above.

        Where the plan changes with it, that is a step that can be taken back.
        """
        done = self.changed(learned(self.facts), self.answers)
        is_step = _outcomes(done.journey.plan) != _outcomes(self.plan)
        history = self.history.learned(self.choices, learned) if is_step else self.history.with_facts(learned)
        journey = dataclasses.replace(done.journey, as_read=learned(self.as_read), history=history)
        return dataclasses.replace(done, journey=journey)

    @property
    def choices(self) -> PlanInputs:
        """What the plan follows from."""
        return PlanInputs(facts=self.facts, answers=self.answers)

    def next_step(self, step: Step, to: Direction) -> Step:
        """The step after leaving a page in that direction."""
        return target(step, to, self.facts)

    def session(self, step: Step) -> Session:
        """The session to save at a step."""
        return Session(
            facts=self.facts,
            answers=self.answers,
            step=step,
            out=self.out,
            origin=self.origin,
            as_read=self.as_read,
            proof=self.proof,
            changes=len(self.plan.changes),
            is_worthless=self.is_untouched_example,
        )


def begin(
    facts: Facts,
    answers: Answers,
    knowledge: Knowledge,
    *,
    origin: str = "",
    out: str = "",
    proof: ProofNamed = NO_PROOF,
) -> Journey:
    """A journey from facts as they were read.

    Raises:
        InputError: The answers fit no plan, or the measurement is of another machine.
    """
    check_machine(proof, facts)
    proved = proved_plan(facts, answers, knowledge, proof)
    return Journey(
        facts=facts,
        answers=answers,
        knowledge=knowledge,
        plan=proved.plan,
        origin=origin,
        out=out,
        as_read=facts,
        proof=proof,
        not_counted=proved.not_counted,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedJourney:
    """A journey with other facts or answers."""

    journey: Journey
    put_aside: str = ""
    """What else became of values set by hand and of the measurement; empty if nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Travelled:
    """A journey with earlier or later choices."""

    journey: Journey
    words: str
    """What changed, or that there was nothing to go to."""


def _outcomes(plan: Plan) -> tuple[tuple[str, str], ...]:
    return tuple(
        (finding.state, finding.verdict.value if isinstance(finding.verdict, Proposal) else "")
        for finding in plan.findings
    )


def with_value(journey: Journey, finding: Finding, text: str) -> Journey:
    """With a value set by hand for a recommendation; raises InputError about that value only."""
    try:
        checked_value(finding.recommendation, text, journey.plan.start)
        return journey.with_answers(replaced(finding, text, journey.answers))
    except InputError as error:
        raise InputError(_in_words(error), error.hint) from error


def _in_words(error: InputError) -> str:
    """Without the key of the answers' file that the plan names: nobody wrote such a file here."""
    where, _, words = error.message.partition(": ")
    return words if where.partition(".")[0] == "decisions" else error.message
