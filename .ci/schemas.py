"""Makes docs/schemas: JSON Schemas (draft 7) of the documents that scripts read and people write.

PYTHONPATH=tests/support .venv/bin/python .ci/schemas.py DIRECTORY

What is read into records has its schema from their types. A plan is written from none: its keys and types are
those of the plans of all example machines, for each workload, some with decisions and with a measurement.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import get_args

from genson import SchemaBuilder
from record_schemas import DRAFT, RecordSchemas, Schema

from synthetic_proofs import measured_plan, told
from tunewiz.core.answers import answers as answers_record
from tunewiz.core.answers.answers import Accepted, Answers, Decision, Posture, Refused, Replaced, WorkloadKind
from tunewiz.core.facts import facts as facts_record
from tunewiz.core.planning.plan import Plan
from tunewiz.core.proof import proof as proof_record
from tunewiz.formats.plan import plan_document
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan

ANSWERS = "answers"


def schemas() -> Mapping[str, Schema]:
    """Each schema by the name of its document."""
    texts = RecordSchemas("texts")
    answers = texts.document(Answers, answers_record.SCHEMA)
    return {
        "facts": RecordSchemas("whole numbers").document(
            facts_record.Facts, facts_record.SCHEMA, "learned", "unknown"
        ),
        ANSWERS: answers,
        "proof": RecordSchemas("texts").document(proof_record.Proof, proof_record.SCHEMA),
        "plan": _plan_schema(answers),
    }


def _plan_schema(answers: Schema) -> Schema:
    builder = SchemaBuilder(schema_uri=DRAFT)
    for plan in plans():
        builder.add_object(json.loads(json.dumps({**plan_document(plan), ANSWERS: {}})))
    result: Schema = builder.to_schema()
    result["properties"] |= {
        "schema": {"const": 1},
        ANSWERS: {name: entry for name, entry in answers.items() if name not in {"$schema", "definitions"}}
        | {"properties": {name: entry for name, entry in answers["properties"].items() if name != "schema"}}
        | {"required": [name for name in answers["required"] if name != "schema"]},
    }
    return {**result, "definitions": answers["definitions"]}


def plans() -> Iterator[Plan]:
    """Of every example machine, and of one that was measured."""
    for name in demo_names():
        yield from _plans_of(name)
    measured = measured_plan()
    for verdict in ("helped", "hurt"):
        yield measured_plan(told(measured, verdict, {"pg.jit": verdict}))


def _plans_of(name: str) -> Iterator[Plan]:
    knowledge, facts = load_knowledge(), demo_facts(name)
    usual = default_answers(facts, knowledge)
    plan = make_plan(facts, usual, knowledge)
    yield make_plan(facts, replace(usual, decisions=_decisions(plan)), knowledge)
    for kind, posture in zip(get_args(WorkloadKind), cycle(get_args(Posture))):
        workload, risk = replace(usual.workload, kind=kind), replace(usual.risk, posture=posture)
        yield make_plan(facts, replace(usual, workload=workload, risk=risk), knowledge)


def _decisions(plan: Plan) -> Mapping[str, Decision]:
    """One of each kind, where the plan changes so much."""
    decided = dict[str, Decision]()
    for number, change in enumerate(plan.changes[:3]):
        decisions = (Accepted(), Refused(note="not tonight"), Replaced(value=change.sets, note="as before"))
        decided[change.recommendation.id] = decisions[number]
    return decided


def main() -> int:
    """Write them."""
    directory = Path(sys.argv[1])
    directory.mkdir(exist_ok=True)
    for name, schema in schemas().items():
        (directory / f"{name}.json").write_text(json.dumps(schema, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
