"""The plan with a measurement of this server, as far as that is a measurement of this plan.

On the command line a proof of another plan is refused. In the wizard every answer makes another plan, and the
measurement counts whenever the plan is the measured one.
"""

from __future__ import annotations

from tunewiz.core.answers.answers import Answers
from tunewiz.core.facts.facts import Facts
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.proof_origin import PREFIX, ProofError, check_host
from tunewiz.core.proof.measured_parts import NoProof
from tunewiz.core.proof.named_proof import ProofNamed
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.record import dataclass
from tunewiz.knowledge.loading import Knowledge
from tunewiz.planning import make_plan


@dataclass(frozen=True, kw_only=True, slots=True)
class ProvedPlan:
    """A plan, and why the measurement that was given does not count for it."""

    plan: Plan
    not_counted: str = ""
    """Empty if it counts, or if none was given."""


def proved_plan(facts: Facts, answers: Answers, knowledge: Knowledge, proof: ProofNamed) -> ProvedPlan:
    """The plan for a machine; raises InputError where the answers fit no plan."""
    if isinstance(proof, NoProof):
        return ProvedPlan(plan=make_plan(facts, answers, knowledge))
    try:
        return ProvedPlan(plan=make_plan(facts, answers, knowledge, proof.proof))
    except ProofError as error:
        why = f"{proof.name}: {error.message.removeprefix(PREFIX)}"
        return ProvedPlan(plan=make_plan(facts, answers, knowledge), not_counted=why)


def check_machine(proof: ProofNamed, facts: Facts) -> None:
    """Raises InputError for a measurement of another machine, which counts for no plan here."""
    if isinstance(proof, NoProof):
        return
    try:
        check_host(proof.proof, facts.host)
    except ProofError as error:
        raise InputError(f"{proof.file}: {error.message.removeprefix(PREFIX)}", error.hint) from error


def counting_in_words(before: str, after: str) -> str:
    """What a change did to a measurement; empty if nothing.

    Args:
        before: Why it did not count before the change; empty if it did.
        after: The same after it.
    """
    if after:
        return "" if before == after else not_counted_in_words(after)
    return "The measurement counts again." if before else ""


def not_counted_in_words(why: str) -> str:
    """That the measurement does not count, and why."""
    return f"The measurement does not count for this plan: {why}"
