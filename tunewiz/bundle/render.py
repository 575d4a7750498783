"""A plan as the files of a bundle: the same plan gives the same bytes, nothing is written yet."""

from __future__ import annotations

from collections.abc import Mapping

from tunewiz.bundle.dropins import drop_ins
from tunewiz.bundle.manifest import MANIFEST, SUMS, checksums, manifest
from tunewiz.bundle.parts import parts, scripts
from tunewiz.bundle.placing import placed
from tunewiz.bundle.review.document import reviews
from tunewiz.bundle.review.proof import proof_files
from tunewiz.bundle.steps import step_lines
from tunewiz.core.planning.plan import Plan
from tunewiz.core.tables.scripts import table_scripts
from tunewiz.core.tables.tables import advice_on_tables
from tunewiz.formats.plan import plan_json


def rendered(plan: Plan, facts_json: str, answers_toml: str) -> Mapping[str, bytes]:
    """Content by path inside the bundle; raises BundleError for a plan that no bundle can carry."""
    placement = placed(plan)
    installed = drop_ins(placement)
    bundle = {
        **scripts(),
        **{f"lib/{name}": file.read_bytes() for name, file in parts().items()},
        **{f"files{path}": content for path, content in installed.items()},
        **reviews(plan, placement, installed),
        **_for_tables(plan),
        **proof_files(plan),
        "plan.json": plan_json(plan).encode(),
        "facts.json": facts_json.encode(),
        "answers.toml": answers_toml.encode(),
        MANIFEST: manifest(plan, placement, installed),
    }
    # SHA256SUMS has a line for each of these and for the steps, which say how many lines it has.
    steps = step_lines(placement, plan.start.facts.host, len(bundle) + 1)
    whole = {**bundle, "steps.txt": steps}
    return {**whole, SUMS: checksums(whole)}


def _for_tables(plan: Plan) -> Mapping[str, bytes]:
    """SQL that a person reads and runs: no script of the bundle does."""
    scripts = table_scripts(advice_on_tables(plan), plan.start)
    return {name: text.encode() for name, text in scripts.items()}
