"""A measurement of this server in the wizard: it counts for the measured plan, and says where it does not."""

import dataclasses

import pytest

from recognizable_machine import unmeasured
from synthetic_proofs import told
from tunewiz.core.answers.answers import Refused
from tunewiz.core.answers.questions import CONNECTIONS
from tunewiz.core.proof.measured_parts import NO_PROOF
from tunewiz.core.proof.named_proof import NamedProof
from tunewiz.core.proof.proof import Verdict
from tunewiz.core.values.errors import InputError
from tunewiz.wizard.journey import Journey, begin
from tunewiz.wizard.what_if import Supposed

FILE = "/srv/proof.json"
NOT_COUNTED = "The measurement does not count for this plan"


def measured(verdict: Verdict) -> Journey:
    plain = unmeasured()
    proof = NamedProof(file=FILE, proof=told(plain.plan, verdict))
    return begin(plain.facts, plain.answers, plain.knowledge, proof=proof)


def changes(journey: Journey) -> set[str]:
    return {change.recommendation.id for change in journey.plan.changes}


def test_what_hurt_is_unticked_and_what_did_not_hurt_stays() -> None:
    assert changes(measured("hurt")) < changes(unmeasured())
    assert changes(measured("same")) == changes(unmeasured())
    assert measured("hurt").not_counted == ""


def test_answers_that_make_another_plan_end_its_effect_until_they_are_taken_back() -> None:
    first = measured("hurt")
    more = first.changed(first.facts, CONNECTIONS.taken(first.answers, "2000"))
    assert more.put_aside.startswith(f"{NOT_COUNTED}: proof.json: bundle.changes.")
    assert more.journey.plan.start.proof == NO_PROOF
    again = more.journey.changed(first.facts, CONNECTIONS.taken(first.answers, "2001"))
    assert again.put_aside == ""
    back = again.journey.changed(first.facts, first.answers)
    assert back.put_aside == "The measurement counts again."
    assert back.journey.plan == first.plan


def test_undo_and_redo_say_what_they_do_to_it() -> None:
    first = measured("hurt")
    more = first.changed(first.facts, CONNECTIONS.taken(first.answers, "2000")).journey
    undone = more.travelled(again=False)
    assert undone.words.endswith(". The measurement counts again.")
    assert "does not count for this plan" in undone.journey.travelled(again=True).words


LEADING = {"kernel.nr_hugepages", "pg.max_connections", "pg.shared_buffers", "pg.work_mem"}
"""Other values follow from these: without one it is another plan, of which nothing was measured."""


def test_a_decision_of_a_person_does_not_end_its_effect() -> None:
    first = measured("same")
    name = max(set(changes(first)) - LEADING)
    declined = first.with_answers(dataclasses.replace(first.answers, decisions={name: Refused()}))
    assert declined.not_counted == ""
    assert declined.news_since(first) == ""


def test_it_counts_for_supposed_values_as_for_answers() -> None:
    first = measured("hurt")
    supposed = Supposed.of(first).typed("connections", "2000")
    answers = CONNECTIONS.taken(first.answers, "2000")
    assert supposed.plan == first.changed(first.facts, answers).journey.plan
    assert supposed.typed("connections", CONNECTIONS.shown(first.answers)).plan == first.plan


def test_a_measurement_of_other_answers_waits_for_them() -> None:
    plain = unmeasured()
    other = plain.changed(plain.facts, CONNECTIONS.taken(plain.answers, "2000")).journey
    proof = NamedProof(file=FILE, proof=told(other.plan, "hurt"))
    journey = begin(plain.facts, plain.answers, plain.knowledge, proof=proof)
    assert journey.not_counted.startswith("proof.json: bundle.changes.")
    assert journey.plan == plain.plan
    assert journey.changed(other.facts, other.answers).put_aside == "The measurement counts again."


def test_a_measurement_of_another_machine_is_refused() -> None:
    plain = unmeasured()
    proof = told(plain.plan, "helped")
    foreign = dataclasses.replace(proof, host=dataclasses.replace(proof.host, identity="b" * 64))
    with pytest.raises(InputError, match=f"^{FILE}: host.identity: found bbbb"):
        begin(plain.facts, plain.answers, plain.knowledge, proof=NamedProof(file=FILE, proof=foreign))
