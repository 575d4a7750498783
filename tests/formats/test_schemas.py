"""docs/schemas: what scripts read and people write obeys them, and they allow whatever the program reads."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_plans import small_facts, small_plan
from synthetic_proofs import PROOFS
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.versions import SUPPORTED
from tunewiz.formats import toml
from tunewiz.formats.plan import plan_json
from tunewiz.formats.records import answers_from_document, facts_from_document, facts_to_json
from tunewiz.formats.structure import is_list, is_table
from tunewiz.knowledge.loading import demo_facts
from tunewiz.knowledge.profiles import demo_names

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "docs" / "schemas"
NAMES = ("answers", "facts", "plan", "proof")

fastjsonschema: Any = import_module("fastjsonschema")


def checker(name: str) -> Callable[[object], object]:
    """Raises JsonSchemaValueException for a document that does not obey the schema."""
    compiled: Callable[[object], object] = fastjsonschema.compile(
        json.loads((SCHEMAS / f"{name}.json").read_text())
    )
    return compiled


CHECKERS = {name: checker(name) for name in NAMES}


def obeys(name: str, document: object) -> bool:
    try:
        CHECKERS[name](document)
    except fastjsonschema.JsonSchemaValueException:
        return False
    return True


def test_they_are_those_of_the_program(tmp_path: Path) -> None:
    program = [sys.executable, str(ROOT / ".ci" / "schemas.py"), str(tmp_path)]
    subprocess.run(program, env={"PYTHONPATH": f"{ROOT}/tests/support:{ROOT}"}, check=True)
    made = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert made == {file.name: file.read_bytes() for file in SCHEMAS.iterdir()}, "make docs writes them anew"
    assert sorted(made) == [f"{name}.json" for name in NAMES]


@pytest.mark.parametrize("name", demo_names())
def test_facts_of_example_machines_obey_theirs(name: str) -> None:
    CHECKERS["facts"](json.loads(facts_to_json(demo_facts(name))))


@pytest.mark.parametrize(
    "file", sorted((ROOT / "tests" / "answers").glob("*.toml")), ids=lambda file: file.stem
)
def test_answers_obey_theirs(file: Path) -> None:
    CHECKERS["answers"](toml.loads(file.read_text(), file.name))


@pytest.mark.parametrize("file", sorted(PROOFS.glob("*.json")), ids=lambda file: file.stem)
def test_proofs_obey_theirs(file: Path) -> None:
    CHECKERS["proof"](json.loads(file.read_text()))


@pytest.mark.parametrize(
    "file", sorted((ROOT / "tests" / "golden").glob("plan-*.json")), ids=lambda file: file.stem
)
def test_reviewed_plans_obey_theirs(file: Path) -> None:
    CHECKERS["plan"](json.loads(file.read_text()))


@pytest.mark.parametrize("major", SUPPORTED, ids=str)
def test_plans_of_every_version_obey_theirs(major: object) -> None:
    facts = small_facts(Given(major=str(major), settings={"work_mem": "4MB"}))
    CHECKERS["plan"](json.loads(plan_json(small_plan(facts, {"pg.work_mem": "8MB"}))))


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("facts", {"schema": 2}),
        ("facts", {"schema": 1, "cpus": 8}),
        ("facts", {"schema": 1, "cpu": {"online": "8"}}),
        ("facts", {"schema": 1, "memory": {"total": 1.5}}),
        ("answers", {"schema": 1}),
        ("answers", {"schema": 1, "workload": {"kind": "olap", "connections": 9, "database_size": "1GB"}}),
        ("answers", {"schema": 1, "workload": {"kind": "oltp", "connections": 9, "database_size": 9}}),
        ("plan", {"schema": 1}),
        ("proof", {"schema": 1, "kind": "bench"}),
    ],
)
def test_what_the_program_refuses_does_not_obey(name: str, document: object) -> None:
    assert not obeys(name, document)


@pytest.mark.parametrize(
    ("decision", "allowed"),
    [
        ({"accept": True}, True),
        ({"decline": True, "note": "not tonight"}, True),
        ({"set": 8}, True),
        ({"set": True}, True),
        ({}, False),
        ({"accept": False}, False),
        ({"accept": True, "set": "8MB"}, False),
        ({"set": ["8MB"]}, False),
        ({"accept": True, "because": "it helps"}, False),
    ],
)
def test_a_decision_is_one_of_three(decision: dict[str, object], *, allowed: bool) -> None:
    workload = {"kind": "oltp", "connections": 9, "database_size": "1GB"}
    document = {"schema": 1, "workload": workload, "decisions": {"pg.jit": decision}}
    assert obeys("answers", document) is allowed
    if allowed:
        answers_from_document({"workload": workload, "decisions": {"pg.jit": decision}}, "a.toml")
    else:
        with pytest.raises(InputError):
            answers_from_document({"workload": workload, "decisions": {"pg.jit": decision}}, "a.toml")


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(0, 1 << 40),
    st.floats(0, 2, allow_nan=False),
    st.text("abc1", max_size=4),
    st.just([]),
    st.just({}),
)


def places_in(document: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The way to each value, through keys and numbers."""
    for key, value in inside(document):
        yield (*path, key)
        yield from places_in(value, (*path, key))


def inside(document: object) -> list[tuple[str, object]]:
    if is_list(document):
        return [(str(number), entry) for number, entry in enumerate(document)]
    return list(document.items()) if is_table(document) else []


def replaced(document: object, path: tuple[str, ...], value: object) -> object:
    if not path:
        return value
    first, *rest = path
    if is_list(document):
        return [
            replaced(entry, tuple(rest), value) if str(n) == first else entry
            for n, entry in enumerate(document)
        ]
    assert is_table(document)
    return {**document, first: replaced(document[first], tuple(rest), value)}


WHOLE: object = json.loads(facts_to_json(demo_facts("nvme-server")))
PLACES = tuple(places_in(WHOLE))


@given(st.sampled_from(PLACES), VALUES)
def test_whatever_is_read_as_facts_obeys_their_schema(path: tuple[str, ...], value: object) -> None:
    document = replaced(WHOLE, path, value)
    try:
        facts_from_document(document, "facts.json")
    except InputError:
        return
    assert obeys("facts", document)


def test_such_facts_are_read_and_refused() -> None:
    """Both: else the test before would compare nothing."""
    assert obeys("facts", WHOLE)
    facts_from_document(WHOLE, "facts.json")
    with pytest.raises(InputError):
        facts_from_document(replaced(WHOLE, ("cpu",), []), "facts.json")
