"""The server itself judges what the program says of settings that keep it from starting."""

import pytest

from fixtures_postgres import MakeCluster
from situations import situation
from tunewiz.core.planning.startup_checks import clashes
from tunewiz.core.recommendation.examples import Given

pytestmark = pytest.mark.slow

REFUSED = [
    {"max_connections": "3"},
    {"max_wal_size": "16MB"},
    {"min_wal_size": "16MB", "max_wal_size": "32MB"},
    {"wal_level": "minimal"},
    {"wal_level": "minimal", "max_wal_senders": "0", "archive_mode": "on"},
    {"huge_pages": "on", "shared_memory_type": "sysv"},
    {"max_connections": "200000", "max_worker_processes": "100000"},
]
TAKEN = [
    {"max_connections": "4"},
    {"max_wal_size": "32MB", "min_wal_size": "32MB"},
    {"wal_level": "minimal", "max_wal_senders": "0"},
    {"random_page_cost": "0.1", "effective_cache_size": "1000GB", "work_mem": "100GB"},
]


def named(settings: dict[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in settings.items())


@pytest.mark.parametrize("settings", REFUSED, ids=named)
def test_the_server_does_not_start_with_what_is_called_a_clash(
    make_cluster: MakeCluster, settings: dict[str, str]
) -> None:
    assert clashes(situation(Given(settings=settings)))
    with pytest.raises(AssertionError):
        make_cluster(settings=settings).start()


@pytest.mark.parametrize("settings", TAKEN, ids=named)
def test_the_server_starts_with_what_is_called_none(
    make_cluster: MakeCluster, settings: dict[str, str]
) -> None:
    assert not clashes(situation(Given(settings=settings)))
    make_cluster(settings=settings).start()
