"""Bundles of a few changes, written for a pretend root."""

from collections.abc import Mapping
from pathlib import Path

from pretend_root import DATA
from small_plans import WANTED, small_answers, small_facts, small_plan
from tunewiz.bundle import write_bundle
from tunewiz.core.facts import Facts
from tunewiz.core.known import Known
from tunewiz.core.plan import Plan
from tunewiz.records import answers_to_toml, facts_to_json


def small_bundle(directory: Path, wanted: Mapping[str, str] = WANTED, *, facts: Facts | None = None) -> Path:
    """The bundle that puts the wanted values in force on a pretend root."""
    found = facts or small_facts(include_directory=Known(f"{DATA}/conf.d", "test"))
    return bundle_of(small_plan(found, wanted), directory)


def bundle_of(plan: Plan, directory: Path) -> Path:
    """A plan's bundle."""
    facts_json = facts_to_json(plan.start.facts)
    write_bundle(plan, directory, facts_json, answers_to_toml(small_answers()))
    return directory
