"""`tunewiz explain`: one recommendation in full, or the list of all."""

from __future__ import annotations

from collections.abc import Iterable

from tunewiz.commands.inputs import planned, read_inputs
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.values.errors import UsageError
from tunewiz.core.values.names import in_words, nearest
from tunewiz.knowledge.accounted import accounts, load_no_advice
from tunewiz.knowledge.loading import Knowledge, load_knowledge
from tunewiz.text.explanation import catalogue_list, explained, explained_for


def run_explain(options: Options) -> int:
    """Print the explanation or the list; of a setting without a recommendation, why it has none."""
    knowledge = load_knowledge()
    if options.recommendation is None:
        _check_no_machine(options)
        output.write(catalogue_list(knowledge.catalogue))
        return 0
    by_id = {entry.id: entry for entry in knowledge.catalogue}
    recommendation = by_id.get(options.recommendation) or _of_name(
        options.recommendation, knowledge.catalogue
    )
    if recommendation is None and (account := _account(options.recommendation, knowledge)):
        output.write(account)
        return 0
    if recommendation is None:
        close = nearest(options.recommendation, by_id)
        expected = f"{in_words(close)}?" if close else "one of those that `tunewiz explain` lists"
        raise UsageError(f"explain: found {options.recommendation!r}, expected {expected}")
    output.write(_explained(recommendation, knowledge, options))
    return 0


def _check_no_machine(options: Options) -> None:
    """The list is the same for every machine."""
    if _names_a_machine(options):
        raise UsageError(
            "explain: found a machine but no ID, expected one of those that `tunewiz explain` lists"
        )


def _names_a_machine(options: Options) -> bool:
    return any(named is not None for named in (options.facts, options.demo, options.answers))


def _explained(recommendation: Recommendation, knowledge: Knowledge, options: Options) -> str:
    """Beside the machine that the options name, if they name one."""
    if not _names_a_machine(options):
        return explained(recommendation, knowledge)
    if options.facts is None and options.demo is None:
        raise UsageError(
            "explain: found --answers without a machine, expected --facts FILE or --demo NAME too"
        )
    plan = planned(read_inputs(options))
    finding = next(finding for finding in plan.findings if finding.recommendation is recommendation)
    return explained_for(finding, plan, knowledge)


def _account(typed: str, knowledge: Knowledge) -> str:
    """Why a setting of PostgreSQL has no recommendation; empty if none has this name."""
    account = accounts(knowledge, load_no_advice()).get(typed.removeprefix("pg."))
    if account is None or account.kind == "recommendation":
        return ""
    said = "only dangerous values are warned of" if account.kind == "danger" else "no advice is given"
    return f"{account.setting}: {said}\nWhy: {account.why}.\n"


def _of_name(typed: str, catalogue: Iterable[Recommendation]) -> Recommendation | None:
    """The one about the setting of that name, as PostgreSQL or the kernel calls it."""
    return next((recommendation for recommendation in catalogue if recommendation.target.name == typed), None)
