"""The shape of a plan as EXPLAIN (FORMAT JSON) gives it: how each table is read, how they are joined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeAlias, TypeGuard

from tunewiz.core.values.record import dataclass

Node: TypeAlias = Mapping[str, object]
"""A node of a plan."""

_SHAPE = (
    "Node Type",
    "Join Type",
    "Strategy",
    "Partial Mode",
    "Operation",
    "Parent Relationship",
    "Schema",
    "Relation Name",
    "Alias",
    "Index Name",
    "Scan Direction",
    "Workers Planned",
    "Subplan Name",
    "CTE Name",
    "Function Name",
)
"""What makes two plans differ; costs and estimates of rows do not."""
_JOINS = frozenset({"Nested Loop", "Hash Join", "Merge Join"})
_WAYS = frozenset(
    {"Sort", "Incremental Sort", "Aggregate", "Group", "Unique", "Materialize", "Memoize", "SetOp"}
)


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanShape:
    """One plan."""

    cost: float
    """The planner's total, in its own unit."""
    nodes: tuple[tuple[int, tuple[tuple[str, object], ...]], ...]
    """Each node's depth and what makes it itself, from the top."""

    @property
    def reads_catalogs_alone(self) -> bool:
        """Whether it reads tables or functions, and all of them are the server's own."""
        schemas = {dict(node)["Schema"] for _, node in self.nodes if "Schema" in dict(node)}
        return bool(schemas) and schemas <= {"pg_catalog", "information_schema"}


def shape_of(document: object) -> PlanShape:
    """The shape of what EXPLAIN printed; raises ValueError if that is not a plan."""
    first = document[0] if is_list(document) and document else None
    plan = first.get("Plan") if is_node(first) else None
    if not is_node(plan):
        raise ValueError("EXPLAIN printed something that is not a plan")
    cost = plan.get("Total Cost")
    return PlanShape(cost=float(cost) if isinstance(cost, int | float) else 0.0, nodes=tuple(_walk(plan, 0)))


def is_list(data: object) -> TypeGuard[list[object]]:
    """Whether this is a list in JSON."""
    return isinstance(data, list)


def is_node(data: object) -> TypeGuard[Node]:
    """Whether this is an object in JSON, as a node of a plan is."""
    return isinstance(data, dict)


def _walk(node: Node, depth: int) -> Iterator[tuple[int, tuple[tuple[str, object], ...]]]:
    yield depth, tuple((name, node[name]) for name in _SHAPE if name in node)
    inner = node.get("Plans")
    for value in inner if is_list(inner) else ():
        if is_node(value):
            yield from _walk(value, depth + 1)


def is_same(one: PlanShape, other: PlanShape) -> bool:
    """Whether both do the same."""
    return one.nodes == other.nodes


def changes_in_words(before: PlanShape, after: PlanShape) -> tuple[str, ...]:
    """What became different, one thing each; none if nothing did."""
    if is_same(before, after):
        return ()
    changes = (
        *_reads(before, after),
        *_counted("joins", _of(before, _JOINS), _of(after, _JOINS)),
        *_counted("also", _of(before, _WAYS), _of(after, _WAYS)),
        *_parallel(before, after),
    )
    return changes or ("the same steps in another order",)


def _reads(before: PlanShape, after: PlanShape) -> Iterator[str]:
    """How each table is read, where that changed."""
    old, new = _ways_in(before), _ways_in(after)
    for alias in sorted(old.keys() | new.keys()):
        one, other = old.get(alias, "not read"), new.get(alias, "not read")
        if one != other:
            yield f"{alias}: {one} -> {other}"


def _ways_in(plan: PlanShape) -> Mapping[str, str]:
    """By the table's name in the statement: `Seq Scan`, `Index Scan with orders_pkey`."""
    ways = dict[str, str]()
    indexes = list[str]()
    for _, node in reversed(plan.nodes):
        result = dict(node)
        index, alias = result.get("Index Name"), result.get("Alias", result.get("Relation Name"))
        if alias is None:
            if isinstance(index, str):
                indexes.append(index)
            continue
        names = sorted({*indexes, index} if isinstance(index, str) else {*indexes})
        used = names if result.get("Node Type") == "Bitmap Heap Scan" else [index] if index else []
        with_ = f" with {' and '.join(map(str, used))}" if used else ""
        ways[str(alias)] = f"{result.get('Node Type')}{with_}"
        indexes.clear()
    return ways


def _of(plan: PlanShape, kinds: frozenset[str]) -> Counter[str]:
    return Counter(
        " ".join(
            str(result[name])
            for name in ("Strategy", "Node Type")
            if name in result and result[name] != "Plain"
        )
        for _, node in plan.nodes
        if (result := dict(node)).get("Node Type") in kinds
    )


def _counted(label: str, before: Counter[str], after: Counter[str]) -> Iterator[str]:
    gone, come = before - after, after - before
    if gone or come:
        yield f"{label}: {_list(gone)} -> {_list(come)}"


def _list(counted: Counter[str]) -> str:
    results = (f"{count} x {name}" if count > 1 else name for name, count in sorted(counted.items()))
    return ", ".join(results) or "none"


def _parallel(before: PlanShape, after: PlanShape) -> Iterator[str]:
    old, new = _workers(before), _workers(after)
    if old != new:
        yield f"parallel workers: {old or 'none'} -> {new or 'none'}"


def _workers(plan: PlanShape) -> int:
    planned = (dict(node).get("Workers Planned", 0) for _, node in plan.nodes)
    return sum(count for count in planned if isinstance(count, int))
