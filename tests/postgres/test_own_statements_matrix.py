"""Servers of every major version give scripts of their own statements, and say what they cannot give."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixtures_postgres import configure
from own_statements import CARRIED, COUNTING, furnish, mix_of, run_scripts, weight_of, weights
from real_postgres import Cluster
from tunewiz.core.values.versions import Major

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(300)]

TELLS_PARAMETERS = Major.parse("12")
"""From here on a statement can be planned without the values of its parameters."""


@pytest.fixture
def made() -> Iterator[list[Path]]:
    folders = list[Path]()
    yield folders
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def test_its_statements_run_as_scripts(matrix_cluster: Cluster, major: str, made: list[Path]) -> None:
    configure(matrix_cluster, {name: value for name, value in COUNTING.items() if name != "jit"})
    matrix_cluster.start()
    furnish(matrix_cluster)
    counted = mix_of(matrix_cluster)
    assert weight_of(counted, "SELECT max(placed) FROM orders") == 1
    if Major.parse(major) >= TELLS_PARAMETERS:
        assert weight_of(counted, "FROM pgbench_accounts WHERE aid") == CARRIED[ACCOUNT]
    else:
        assert not any("pgbench_accounts" in text for text in weights(counted))
        assert any("before PostgreSQL 12" in omission.why for omission in counted.left_out)
    run_scripts(matrix_cluster, counted, made)
    logged = mix_of(matrix_cluster, from_statements=False, logs=(matrix_cluster.log_file,))
    assert weight_of(logged, "FROM pgbench_accounts WHERE aid = 12") == CARRIED[ACCOUNT]
    run_scripts(matrix_cluster, logged, made)


ACCOUNT = "SELECT abalance FROM pgbench_accounts WHERE aid = 12"
