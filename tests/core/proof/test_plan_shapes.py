"""Two plans are told apart by what they do, not by what the planner expects of it."""

from collections.abc import Mapping

import pytest

from tunewiz.core.proof.plan_shapes import PlanShape, changes_in_words, is_same, shape_of


def plan(cost: float = 1.0, **node: object) -> object:
    return [{"Plan": {"Node Type": "Result", "Total Cost": cost, "Plan Rows": 7, **node}}]


def scan(kind: str, *, table: str = "orders", **more: object) -> dict[str, object]:
    return {"Node Type": kind, "Relation Name": table, "Schema": "public", "Alias": table, **more}


def shape(node: Mapping[str, object]) -> PlanShape:
    return shape_of([{"Plan": {"Total Cost": 2, **node}}])


def test_other_costs_and_estimates_are_no_other_plan() -> None:
    one, other = shape_of(plan(1.0)), shape_of(plan(900.0, **{"Plan Rows": 3}))
    assert is_same(one, other)
    assert changes_in_words(one, other) == ()
    assert other.cost == 900


def test_another_way_into_a_table_names_table_ways_and_index() -> None:
    before = shape(scan("Seq Scan"))
    after = shape(scan("Index Scan", **{"Index Name": "orders_pkey"}))
    assert changes_in_words(before, after) == ("orders: Seq Scan -> Index Scan with orders_pkey",)


def test_the_indexes_of_a_bitmap_are_named() -> None:
    both = [{"Node Type": "Bitmap Index Scan", "Index Name": name} for name in ("b", "a")]
    after = shape(scan("Bitmap Heap Scan", Plans=[{"Node Type": "BitmapOr", "Plans": both}]))
    (change,) = changes_in_words(shape(scan("Seq Scan")), after)
    assert change == "orders: Seq Scan -> Bitmap Heap Scan with a and b"


def test_joins_sorts_and_workers_are_counted() -> None:
    inner = [scan("Seq Scan"), scan("Seq Scan", table="lines")]
    before = shape({"Node Type": "Hash Join", "Plans": inner})
    after = shape(
        {"Node Type": "Gather", "Workers Planned": 2, "Plans": [{"Node Type": "Nested Loop", "Plans": inner}]}
    )
    assert changes_in_words(before, after) == (
        "joins: Hash Join -> Nested Loop",
        "parallel workers: none -> 2",
    )
    aggregate = {"Node Type": "Aggregate", "Strategy": "Hashed", "Plans": inner}
    assert changes_in_words(shape({**aggregate, "Strategy": "Sorted"}), shape(aggregate)) == (
        "also: Sorted Aggregate -> Hashed Aggregate",
    )


def test_the_same_steps_in_another_order_are_said_to_be_that() -> None:
    one, other = scan("Seq Scan"), scan("Seq Scan", table="lines")
    join = {"Node Type": "Nested Loop"}
    assert changes_in_words(
        shape({**join, "Plans": [one, other]}), shape({**join, "Plans": [other, one]})
    ) == ("the same steps in another order",)


@pytest.mark.parametrize("data", [None, [], {}, [{}], [{"Plan": 3}], "Seq Scan"])
def test_what_is_no_plan_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="not a plan"):
        shape_of(data)


def test_catalogs_are_told_from_tables() -> None:
    assert shape(scan("Seq Scan", Schema="pg_catalog")).reads_catalogs_alone is True
    mixed = [scan("Seq Scan", Schema="pg_catalog"), scan("Seq Scan")]
    assert shape({"Node Type": "Append", "Plans": mixed}).reads_catalogs_alone is False
    assert shape({"Node Type": "Result"}).reads_catalogs_alone is False
