"""A value that a script carries reaches the server as what it was, whatever it is."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from real_postgres import Cluster
from tunewiz.core.proof.parameter_values import literal

PIECES = st.sampled_from(
    ["'", '"', "\\", ":scale", ":1", "::", ";", "\n", "\t", "$1", "$$", "--", "/*", "é", "𝄞", "%"]
)
VALUES = (
    st.lists(st.one_of(PIECES, st.text(max_size=3)), max_size=6)
    .map("".join)
    .filter(lambda text: "\0" not in text and text.encode(errors="ignore").decode() == text)
)


def check(cluster: Cluster, values: Sequence[str]) -> None:
    """Have pgbench run a statement for each value that fails unless it is what went in."""
    text = "pg_catalog.encode(pg_catalog.convert_to(CAST({} AS text), 'UTF8'), 'hex')"
    lines = [
        f"SELECT 1 / CAST({text.format(literal(value, 'text'))} = '{value.encode().hex()}' AS int);"
        for value in values
    ]
    file = cluster.directory / "values.sql"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    where = ("-h", cluster.socket_directory, "-p", str(cluster.port), "postgres")
    run = cluster.run("pgbench", "-n", "-t", "1", "-f", file, *where)
    assert "processed: 1/1" in run


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(VALUES, min_size=40, max_size=60))
def test_a_text_comes_back_equal(running_cluster: Cluster, values: list[str]) -> None:
    check(running_cluster, values)


def test_a_wrong_value_would_be_found(running_cluster: Cluster) -> None:
    file = running_cluster.directory / "wrong.sql"
    file.write_text("SELECT 1 / (CASE WHEN 'a' = 'b' THEN 1 ELSE 0 END);\n")
    where = ("-h", running_cluster.socket_directory, "-p", str(running_cluster.port), "postgres")
    with pytest.raises(AssertionError, match="division by zero"):
        running_cluster.run("pgbench", "-n", "-t", "1", "-f", file, *where)
