"""Plans of whole recorded servers with their answers, for tests of what is said of a server in trouble."""

from pathlib import Path

from tunewiz.core.planning.plan import Plan
from tunewiz.formats.records import answers_from_toml, facts_from_json
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import make_plan

CASES = Path(__file__).resolve().parent.parent / "core" / "cases"


def case_plan(name: str) -> Plan:
    """The plan for `NAME.facts.json` with `NAME.answers.toml`."""
    facts = facts_from_json(CASES.joinpath(f"{name}.facts.json").read_text(), f"{name}.facts.json")
    answers = answers_from_toml(CASES.joinpath(f"{name}.answers.toml").read_text(), f"{name}.answers.toml")
    return make_plan(facts, answers, load_knowledge())


def warning_texts(plan: Plan) -> dict[str, str]:
    """Each warning's text by its code; of several with the same code, the last."""
    return {warning.code: warning.text for warning in plan.warnings}
