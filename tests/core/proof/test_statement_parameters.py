"""A generic plan tells which column a parameter is compared with; what it does not tell is not guessed."""

import pytest

from tunewiz.core.proof.statement_parameters import Column, compared_columns, limits, parameters


def plan(condition: str, **more: object) -> object:
    node = {"Node Type": "Seq Scan", "Relation Name": "orders", "Schema": "public", "Alias": "o"}
    outer = {"Node Type": "Limit", "Plans": [{**node, "Filter": condition, **more}]}
    return [{"Plan": outer}]


def column(name: str) -> Column:
    return Column(schema="public", table="orders", name=name)


@pytest.mark.parametrize(
    ("condition", "numbers", "name"),
    [
        ("(o.id = $1)", (1,), "id"),
        ("($2 = o.id)", (2,), "id"),
        ("((o.state)::text = $1)", (1,), "state"),
        ("((o.state)::text = ($1)::text)", (1,), "state"),
        ('(o."Odd ""Name" = $1)', (1,), 'Odd "Name'),
        ("(o.id = ANY (ARRAY[$1, $2, $12]))", (1, 2, 12), "id"),
        ("((o.state)::text = ANY ((ARRAY[$1, $2])::text[]))", (1, 2), "state"),
        ("((o.id = $1) AND (o.id > 3))", (1,), "id"),
    ],
)
def test_an_equality_is_found(condition: str, numbers: tuple[int, ...], name: str) -> None:
    assert compared_columns(plan(condition)) == dict.fromkeys(numbers, column(name))


@pytest.mark.parametrize(
    "condition",
    [
        "(o.id > $1)",
        "(o.id <> $1)",
        "(o.id = (o.customer + $1))",
        "(o.state ~~ $1)",
        "(o.state = 'o.id = $1'::text)",
        "(lower(o.state) = $1)",
        "(other.id = $1)",
        "((o.id + 1) = $1)",
        "($1 = o.id.part)",
        "(o.id = $1.part)",
    ],
)
def test_anything_else_is_not_taken_for_one(condition: str) -> None:
    assert compared_columns(plan(condition)) == {}


def test_numbers_of_sub_selects_are_not_taken_for_parameters() -> None:
    assert compared_columns(plan("(o.id = $1)", **{"Subplan Name": "InitPlan 1 (returns $1)"})) == {}


def test_what_is_no_table_of_the_plan_has_no_columns_to_compare() -> None:
    for node in ({"Alias": "o", "Function Name": "orders"}, {"Relation Name": "orders", "Schema": "public"}):
        assert compared_columns([{"Plan": {**node, "Filter": "(o.id = $1)"}}]) == {}


def test_limits_and_parameters_are_read_from_the_text() -> None:
    text = "select '$9' from t where a = $2 and b = $1 order by c limit $3 offset $4"
    assert parameters(text) == (1, 2, 3, 4)
    assert limits(text) == {3}
    assert limits("select 1 fetch first $1 rows only") == {1}
    assert limits("select 1 from t limit 10 offset $1") == frozenset()
    assert limits("select 1 from t limit all") == frozenset()
