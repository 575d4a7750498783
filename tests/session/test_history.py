"""Every choice can be taken back and made again, one at a time, down to the start."""

import dataclasses

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.corrections import CORRECTABLE, correctable, corrected
from tunewiz.core.answers.put_back import put_back
from tunewiz.core.answers.questions import CONNECTIONS, RESTART
from tunewiz.core.facts.facts import Facts
from tunewiz.core.planning.decisions import is_open, noted, put_aside, takes_value, toggled, why_no_value
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers
from tunewiz.wizard.history import MOST, NO_HISTORY, PlanInputs
from tunewiz.wizard.journey import Journey, begin

TYPED = {
    "cpu.cores": "3",
    "memory.total": "24GB",
    "memory.swap_total": "1GB",
    "memory.huge_page_size": "none",
    "virtualization.hypervisor": "vmware",
    "virtualization.container": "podman",
    "limits.memory": "16GB",
    "limits.memory_high": "15GB",
    "limits.cpus": "2.5",
}


def at_the_start(machine: str = "small-vm") -> Journey:
    facts, knowledge = demo_facts(machine), load_knowledge()
    return begin(facts, default_answers(facts, knowledge), knowledge)


def undone(journey: Journey) -> Journey:
    return journey.travelled(again=False).journey


def redone(journey: Journey) -> Journey:
    return journey.travelled(again=True).journey


def with_connections(journey: Journey, count: int) -> Journey:
    return journey.with_answers(CONNECTIONS.taken(journey.answers, str(count)))


class Choosing(RuleBasedStateMachine):
    """Any choices in any order, against a list of the states that they made."""

    @initialize()
    def start(self) -> None:
        """A machine as it was read."""
        self.journey = at_the_start()
        self.states, self.at = [self.journey.choices], 0

    def chosen(self, journey: Journey) -> None:
        """Remember the state, if it is another."""
        if journey.choices != self.journey.choices:
            self.states[self.at + 1 :] = [journey.choices]
            self.at += 1
        self.journey = journey

    def answered(self, answers: Answers) -> None:
        """With these answers."""
        self.chosen(self.journey.with_answers(answers))

    @rule(count=st.sampled_from([20, 60, 100]))
    def connections(self, count: int) -> None:
        """Type a number of clients."""
        self.chosen(with_connections(self.journey, count))

    @rule(yes=st.booleans())
    def restart(self, *, yes: bool) -> None:
        """Allow a restart, or not."""
        self.answered(RESTART.taken(self.journey.answers, yes=yes))

    @rule(number=st.integers(0, 200), note=st.sampled_from(["", "why"]))
    def decide(self, number: int, note: str) -> None:
        """Tick, untick, or write a note."""
        findings = [finding for finding in self.journey.plan.findings if is_open(finding)]
        finding = findings[number % len(findings)]
        answers = self.journey.answers
        self.answered(noted(finding, note, answers) if note else toggled(finding, answers))

    @rule(number=st.integers(0, 200))
    def take_own_back(self, number: int) -> None:
        """One decision back to the proposal."""
        names = sorted(self.journey.answers.decisions)
        if names:
            self.answered(put_aside(frozenset({names[number % len(names)]}), self.journey.answers))

    @rule(memory=st.sampled_from(["8GB", "16GB"]))
    def correct(self, memory: str) -> None:
        """Correct a fact."""
        facts = correctable("memory.total").correct(self.journey.facts, memory)
        self.chosen(self.journey.changed(facts, self.journey.answers).journey)

    @rule()
    def undo(self) -> None:
        """Take one back."""
        self.at = max(0, self.at - 1)
        self.journey = undone(self.journey)

    @rule()
    def redo(self) -> None:
        """Make one again."""
        self.at = min(len(self.states) - 1, self.at + 1)
        self.journey = redone(self.journey)

    @invariant()
    def is_where_it_should_be(self) -> None:
        """As in the list."""
        assert self.journey.choices == self.states[self.at]

    def teardown(self) -> None:
        """All the way back, and all the way again."""
        for _ in self.states:
            self.journey = undone(self.journey)
        assert self.journey.choices == self.states[0]
        for _ in self.states:
            self.journey = redone(self.journey)
        assert self.journey.choices == self.states[-1]


TestChoosing = Choosing.TestCase
TestChoosing.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)


def test_what_was_taken_back_is_told_with_both_values() -> None:
    start = with_connections(at_the_start(), 60)
    travelled = with_connections(start, 90).travelled(again=False)
    assert travelled.words == "Undone: Connections at the peak: 90 -> 60"
    assert travelled.journey.travelled(again=True).words == "Redone: Connections at the peak: 60 -> 90"


def test_at_either_end_there_is_nothing_and_that_is_said() -> None:
    start = at_the_start()
    for again, words in ((False, "Nothing to undo."), (True, "Nothing to redo.")):
        travelled = start.travelled(again=again)
        assert (travelled.journey, travelled.words) == (start, words)


def test_a_choice_that_chooses_nothing_is_no_step() -> None:
    once = with_connections(at_the_start(), 60)
    assert len(with_connections(once, 60).history.past) == 1


def test_what_was_learned_since_stays_when_choices_are_taken_back() -> None:
    later = with_connections(at_the_start(), 60)

    def learned(facts: Facts) -> Facts:
        return dataclasses.replace(facts, host=dataclasses.replace(facts.host, name=Known("db9", "asked")))

    back = undone(dataclasses.replace(later, history=later.history.with_facts(learned)))
    assert back.choices == PlanInputs(facts=learned(at_the_start().facts), answers=at_the_start().answers)


def test_every_corrected_fact_goes_back_to_what_was_read_alone() -> None:
    assert {*TYPED} == {entry.key for entry in CORRECTABLE}
    for machine in demo_names():
        read = demo_facts(machine)
        for key, text in TYPED.items():
            try:
                facts = correctable(key).correct(read, text)
            except InputError:
                continue  # impossible on this machine
            assert put_back(key, facts, read) == read
            if facts != read and key != "cpu.cores" and isinstance(read.cpu.cores, Known):
                both = correctable("cpu.cores").correct(facts, str(read.cpu.cores.value))
                assert corrected(put_back(key, both, read)) == corrected(both)[:1]


def test_a_value_that_cannot_be_set_has_a_reason() -> None:
    for machine in demo_names():
        for finding in at_the_start(machine).plan.findings:
            if not takes_value(finding):
                assert why_no_value(finding).endswith(".")


def test_a_choice_at_the_limit_forgets_the_oldest_only() -> None:
    start = at_the_start().choices
    history, states = NO_HISTORY, [start]
    for count in range(MOST + 5):
        states.append(PlanInputs(facts=start.facts, answers=CONNECTIONS.taken(start.answers, str(count + 1))))
        history = history.after(states[-2], states[-1])
    assert len(history.past) == MOST
    assert history.past[-1] == states[-2]
