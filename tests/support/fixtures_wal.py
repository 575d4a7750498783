"""The fixture of a server whose log can move."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fixtures_postgres import MakeCluster
from wal_machine import SETTINGS, WalMachine, wal_machine


@pytest.fixture
def wal_host(make_cluster: MakeCluster, tmp_path: Path) -> Iterator[WalMachine]:
    """Its server runs, and its second disk is empty."""
    with wal_machine(make_cluster(settings=SETTINGS), tmp_path) as made:
        yield made
