"""`tunewiz compare`: two plans side by side, or another generator beside this plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tunewiz.commands.inputs import Inputs, planned, read_answers, read_inputs
from tunewiz.commands.named_files import read_text
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.comparison.differences import compared
from tunewiz.core.comparison.peer_differences import PeerComparison, beside
from tunewiz.core.comparison.peer_rules import PEER_RULES
from tunewiz.core.comparison.planned import ComparedPlan
from tunewiz.core.values.errors import InputError, UsageError
from tunewiz.core.values.known import MissingFact
from tunewiz.core.values.plural import how_many
from tunewiz.formats import json
from tunewiz.formats.compared import compared_plan, is_plan
from tunewiz.formats.comparison import comparison_json, peer_comparison_json
from tunewiz.formats.plan import plan_document
from tunewiz.formats.records import answers_from_toml, facts_from_json
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.peers import load_peer
from tunewiz.planning import default_answers

DIFFERS = 1
TWO = 2


def run_compare(options: Options) -> int:
    """Print the differences; exit status 0 if there are none, else 1."""
    if options.peer is not None:
        return _with_peer(options, options.peer)
    if len(options.plans) != TWO:
        raise UsageError(
            f"compare: found {how_many(len(options.plans), 'plan')}, expected two, or --with PEER",
            "A plan is a bundle, the output of `tunewiz plan --json`, facts or answers.",
        )
    one, other = options.plans
    comparison = compared(_side(one, options), _side(other, options))
    if options.json:
        output.write(comparison_json(comparison))
    else:
        from tunewiz.text.comparison import comparison_text  # noqa: PLC0415 - scripts need no rich

        output.write(comparison_text(comparison))
    return DIFFERS if comparison.differs else 0


def _with_peer(options: Options, name: str) -> int:
    if options.plans:
        raise UsageError("compare: --with compares with one machine's plan: name it with --facts or --demo")
    load_peer(name)  # refused before the machine is read
    comparison = _beside(read_inputs(options), name)
    if options.json:
        output.write(peer_comparison_json(comparison))
    else:
        from tunewiz.text.comparison import peer_comparison_text  # noqa: PLC0415 - as above

        output.write(peer_comparison_text(comparison))
    return DIFFERS if comparison.differences else 0


def _beside(inputs: Inputs, name: str) -> PeerComparison:
    try:
        return beside(planned(inputs), load_peer(name), PEER_RULES[name])
    except MissingFact as error:
        raise InputError(f"{inputs.facts_from}: {name} asks for what is not known here: {error}") from error


def _side(name: str, options: Options) -> ComparedPlan:
    """A bundle, a plan, facts or answers; raises InputError."""
    file = Path(name) / "plan.json" if Path(name).is_dir() else Path(name)
    text = read_text(file)
    if not text.lstrip().startswith("{"):
        return _planned(_of_answers(text, name, options), name)
    document = json.loads(text, str(file))
    if is_plan(document):
        return compared_plan(document, name)
    return _planned(_of_facts(text, name, options), name)


def _of_answers(text: str, name: str, options: Options) -> Inputs:
    """Answers for the machine that the options name."""
    return replace(read_inputs(options), answers=answers_from_toml(text, name), answers_from=name)


def _of_facts(text: str, name: str, options: Options) -> Inputs:
    """Facts, with the answers that the options name, otherwise the usual ones."""
    facts, knowledge = facts_from_json(text, name), load_knowledge()
    given = None if options.answers is None else read_answers(options.answers)
    return Inputs(
        knowledge=knowledge,
        facts=facts,
        facts_from=name,
        answers=given or default_answers(facts, knowledge),
        answers_from="" if options.answers is None else str(options.answers),
    )


def _planned(inputs: Inputs, name: str) -> ComparedPlan:
    return compared_plan(plan_document(planned(inputs)), name)
