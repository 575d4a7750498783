"""The column that each parameter of a statement is compared with, from the generic plan."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping

from tunewiz.core.proof.plan_shapes import Node, is_list, is_node
from tunewiz.core.proof.statement_text import parts, without_strings
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """A column of a table."""

    schema: str
    table: str
    name: str


_NAME = r'(?:"(?:[^"]|"")+"|[a-z_][\w$]*)'
# The server puts a cast expression in parentheses, as it does a function's argument, after the name.
_CAST = r"\)::[a-z][a-z ]*"
_ALONE, _IN_CAST = r"(?<![\w$.\"])", r"(?<![\w$\"])\("
_COLUMN = rf"(?:{_ALONE}|(?P<cast>{_IN_CAST}))(?P<alias>{_NAME})\.(?P<column>{_NAME})(?(cast){_CAST})"
_PARAMETER = rf"(?:{_ALONE}|(?P<given>{_IN_CAST}))\$(?P<number>[0-9]{{1,5}})(?(given){_CAST})"
_EQUAL = (
    re.compile(rf"{_COLUMN} = {_PARAMETER}(?![\w.])"),
    re.compile(rf"{_PARAMETER} = {_COLUMN}(?![\w.(])"),
)
_ANY = re.compile(rf"{_COLUMN} = ANY \(\(?ARRAY\[(?P<list>[^\]]*)\]")
_OF_LIST = re.compile(r"\$([0-9]{1,5})")


def nodes(explained: object) -> Iterator[Node]:
    """Every node of a plan, as EXPLAIN (FORMAT JSON) gives it."""
    if is_list(explained):
        for value in explained:
            yield from nodes(value)
    elif is_node(explained):
        if "Node Type" in explained:
            yield explained
        yield from nodes(explained.get("Plan"))
        yield from nodes(explained.get("Plans"))


def conditions(node: Node) -> Iterator[str]:
    """Every expression of a node, without its strings."""
    for value in node.values():
        for text in value if is_list(value) else (value,):
            if isinstance(text, str):
                yield without_strings(text)


def compared_columns(explained: object) -> Mapping[int, Column]:
    """Columns by the number of the parameter that is compared with them for equality.

    Empty if the server also numbers results of sub-selects as parameters (before 17).
    """
    result = [*nodes(explained)]
    if any("returns $" in str(node.get("Subplan Name", "")) for node in result):
        return {}
    tables = {
        str(node["Alias"]): (str(node.get("Schema", "")), str(node["Relation Name"]))
        for node in result
        if "Alias" in node and "Relation Name" in node
    }
    columns = dict[int, Column]()
    for node in result:
        for text in conditions(node):
            for number, alias, name in _matches(text):
                if alias in tables:
                    schema, table = tables[alias]
                    columns.setdefault(number, Column(schema=schema, table=table, name=name))
    return columns


def _matches(text: str) -> Iterator[tuple[int, str, str]]:
    for pattern in _EQUAL:
        for match in pattern.finditer(text):
            yield int(match["number"]), _plain(match["alias"]), _plain(match["column"])
    for match in _ANY.finditer(text):
        for number in _OF_LIST.findall(match["list"]):
            yield int(number), _plain(match["alias"]), _plain(match["column"])


def _plain(name: str) -> str:
    return name[1:-1].replace('""', '"') if name[0] == '"' else name


def limits(text: str) -> frozenset[int]:
    """Numbers of the parameters of LIMIT and OFFSET.

    >>> sorted(limits("select a from t limit $2 offset $3"))
    [2]
    """
    result = [(kind, part.lower()) for kind, part in parts(text) if kind != "blank"]
    return frozenset(
        int(part[1:])
        for (_, before), (kind, part) in itertools.pairwise(result)
        if kind == "parameter" and before in ("limit", "first", "next")
    )


def parameters(text: str) -> tuple[int, ...]:
    """Numbers of all parameters, in order.

    >>> parameters("select $2, '$3', $1")
    (1, 2)
    """
    return tuple(sorted({int(part[1:]) for kind, part in parts(text) if kind == "parameter"}))
