"""The public form of a proof (proof.json), read strictly and written so that it reads back the same."""

from __future__ import annotations

import json
from collections.abc import Iterable

from tunewiz.core.proof.metrics import METRIC_NAMES
from tunewiz.core.proof.proof import SCHEMA, Arm, Proof, QueryResult
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.names import expected_name
from tunewiz.formats import json as strict_json
from tunewiz.formats.mismatch import shown
from tunewiz.formats.provenance import RecordWriter
from tunewiz.formats.structure import is_table, structure

_RUNS = 3
"""Of one group: without it, with it, without it."""


def proof_json(proof: Proof) -> str:
    """All of it, in ASCII: the same proof gives the same bytes."""
    return json.dumps({"schema": SCHEMA, **RecordWriter().fields(proof)}, indent=2) + "\n"


def proof_from_json(text: str, where: str) -> Proof:
    """The proof in a JSON text.

    Args:
        text: The document.
        where: Its file, for the message.

    Raises:
        InputError: It is not valid JSON, of another schema, has unknown keys or impossible values.
    """
    data = strict_json.loads(text, where)
    if not is_table(data):
        raise InputError(f"{where}: found {shown(data)}, expected keys and values")
    value = data.pop("schema", None)
    if value != SCHEMA or isinstance(value, bool):
        hint = "Was it written by a newer tunewiz?" if isinstance(value, int) and value > SCHEMA else ""
        raise InputError(f"{where}: schema: found {shown(value)}, expected {SCHEMA}", hint)
    proof = structure(data, Proof, where)
    _check(proof, where)
    return proof


def _check(proof: Proof, where: str) -> None:
    """What the types do not say; raises InputError."""
    if proof.can_show is not None and proof.can_show < 1:
        raise InputError(f"{where}: can_show: found {proof.can_show}, expected a ratio of 1 or more")
    _check_names("metrics", proof.metrics, where)
    for name, result in proof.metrics.items():
        if not 0 < result.low <= result.ratio <= result.high:
            text = f"{result.low}, {result.ratio}, {result.high}"
            expected = "low, ratio and high above 0, in that order"
            raise InputError(f"{where}: metrics.{name}: found {text}, expected {expected}")
    for key, pairs in (("pairs", proof.pairs), ("same_pairs", proof.same_pairs)):
        for number, pair in enumerate(pairs):
            _check_arm(f"{key}.{number}.before", pair.before, where)
            _check_arm(f"{key}.{number}.after", pair.after, where)
    for number, query in enumerate(proof.queries):
        _check_query(f"queries.{number}", query, where)
    for number, cycle in enumerate(proof.cycles):
        expected_runs = 2 * len(cycle.order) + 1
        if len(cycle.runs) != expected_runs or expected_runs < _RUNS:
            found_runs = f"found {len(cycle.runs)} runs of {len(cycle.order)} groups"
            raise InputError(f"{where}: cycles.{number}: {found_runs}, expected {max(expected_runs, _RUNS)}")
        for place, arm in enumerate(cycle.runs):
            _check_arm(f"cycles.{number}.runs.{place}", arm, where)


def _check_query(key: str, query: QueryResult, where: str) -> None:
    if min(query.calls_before, query.calls_after) < 0:
        number = min(query.calls_before, query.calls_after)
        raise InputError(f"{where}: {key}: found {number} calls, expected 0 or more")
    if query.ratio is not None and query.ratio <= 0:
        raise InputError(f"{where}: {key}.ratio: found {query.ratio}, expected a ratio above 0 or null")


def _check_arm(key: str, arm: Arm, where: str) -> None:
    _check_names(f"{key}.figures", arm.figures, where)
    for name, figure in arm.figures.items():
        if figure < 0:
            raise InputError(f"{where}: {key}.figures.{name}: found {figure}, expected 0 or more")


def _check_names(key: str, named: Iterable[str], where: str) -> None:
    for name in named:
        if name not in METRIC_NAMES:
            expected = expected_name(name, METRIC_NAMES)
            raise InputError(f"{where}: {key}: found the unknown key {name!r}, expected {expected}")
