"""The machine and the answers named on the command line, and the plan made from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tunewiz.commands.named_files import read_text
from tunewiz.commands.options import Options
from tunewiz.core.answers.answers import Answers
from tunewiz.core.facts.facts import Facts
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.proof_origin import PREFIX
from tunewiz.core.proof.measured_parts import NO_PROOF, ProofGiven
from tunewiz.core.proof.proof import Proof
from tunewiz.core.values.errors import InputError, UsageError
from tunewiz.formats.proof import proof_from_json
from tunewiz.formats.records import answers_from_toml, facts_from_json
from tunewiz.knowledge.loading import Knowledge, demo_facts, load_knowledge
from tunewiz.planning import default_answers, make_plan

if TYPE_CHECKING:
    from tunewiz.fleet.policy import Policy


@dataclass(frozen=True, kw_only=True, slots=True)
class Inputs:
    """What a plan is made from, and the files that it was read from."""

    knowledge: Knowledge
    facts: Facts
    facts_from: str
    answers: Answers
    answers_from: str
    """Empty if no answers were given: the usual ones are used."""
    proof: ProofGiven = NO_PROOF
    proof_from: str = ""
    policy: Policy | None = None
    """Rules that the plan obeys."""
    environment: str = ""
    """The host's, for rules; empty if it was not given."""


def read_inputs(options: Options) -> Inputs:
    """The machine and the answers that the options name; raises InputError and UsageError."""
    knowledge = load_knowledge()
    answers = None if options.answers is None else read_answers(options.answers)
    facts = read_machine(options)
    return Inputs(
        knowledge=knowledge,
        facts=facts,
        facts_from=_machine_name(options),
        answers=default_answers(facts, knowledge) if answers is None else answers,
        answers_from="" if options.answers is None else str(options.answers),
        proof=NO_PROOF if options.proof is None else read_proof(options.proof),
        proof_from="" if options.proof is None else str(options.proof),
        policy=None if options.policy is None else _read_policy(options.policy),
        environment=_environment(options),
    )


def _environment(options: Options) -> str:
    if options.environment is not None and options.policy is None:
        raise UsageError("--environment: expected --policy with it, whose rules name environments")
    return options.environment or ""


def read_answers(file: Path) -> Answers:
    """The answers in a file; raises InputError."""
    return answers_from_toml(read_text(file), str(file))


def _read_policy(file: Path) -> Policy:
    from tunewiz.fleet.policy import read_policy  # noqa: PLC0415 - few plans have rules

    return read_policy(file)


def read_proof(file: Path) -> Proof:
    """The proof in a file; raises InputError."""
    return proof_from_json(read_text(file), str(file))


def read_facts_file(file: Path) -> Facts:
    """The facts in a file; raises InputError."""
    return facts_from_json(read_text(file), str(file))


def read_machine(options: Options) -> Facts:
    """The facts of a file, an example machine or this host, with what was measured or recorded beside them.

    Raises:
        InputError: A file cannot be used.
        UsageError: There is no such example or server.
    """
    facts = _named_machine(options)
    if options.probe or options.waits or options.deep or options.watched is not None or options.log:
        from tunewiz.commands.learned import with_learned  # noqa: PLC0415 - few ask for it

        return with_learned(facts, options)
    return facts


def _named_machine(options: Options) -> Facts:
    if options.facts is not None:
        return read_facts_file(options.facts)
    if options.demo is not None:
        return demo_facts(options.demo)
    from tunewiz.commands.connection import named_first  # noqa: PLC0415 - facts at hand need no collectors
    from tunewiz.commands.host import read_host  # noqa: PLC0415 - as above

    return named_first(read_host(options.watch), options)


def _machine_name(options: Options) -> str:
    if options.facts is not None:
        return str(options.facts)
    return f"--demo {options.demo}" if options.demo is not None else "this host"


def planned(inputs: Inputs) -> Plan:
    """The plan, which obeys the rules of the shop; an error in the inputs names its file."""
    plan = _made(inputs, inputs.answers)
    if inputs.policy is None:
        return plan
    from tunewiz.commands.host_policy import obedient  # noqa: PLC0415 - as above

    return obedient(inputs.policy, inputs.environment, plan, partial(_made, inputs))


def _made(inputs: Inputs, answers: Answers) -> Plan:
    try:
        return make_plan(inputs.facts, answers, inputs.knowledge, inputs.proof)
    except InputError as error:
        raise InputError(_named_in(error, inputs), error.hint) from error


def say_unkept(inputs: Inputs, plan: Plan) -> int:
    """Name the rules of the shop that the plan does not keep; the exit status."""
    if inputs.policy is None:
        return 0
    from tunewiz.commands.host_policy import say_rules  # noqa: PLC0415 - as above

    return say_rules(inputs.policy, inputs.environment, plan)


def _named_in(error: InputError, inputs: Inputs) -> str:
    """The message, beginning with the name of the file that it concerns."""
    if error.message.startswith(PREFIX):
        return f"{inputs.proof_from}: {error.message.removeprefix(PREFIX)}"
    at_facts = error.message.startswith("postgres.")
    return f"{inputs.facts_from if at_facts else inputs.answers_from or 'answers'}: {error.message}"
