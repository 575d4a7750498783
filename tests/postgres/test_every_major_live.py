"""Servers of every major version are asked by roles with many rights and with few, and count huge pages."""

import pytest

from live_servers import the_server_alone
from real_postgres import Cluster
from situations import situation
from tunewiz.collect.postgres.watching import watch_server
from tunewiz.collect.system import LiveSystem
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.server.shared_memory import huge_pages_of
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import V10, V17, Major

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(300)]

V15 = Major(1500)
MAX_EXCESS = 1.12
"""Of what the server needs: reserved pages that it does not use are lost."""
SIZES = (
    {"shared_buffers": "1GB"},
    {"shared_buffers": "4GB", "max_connections": "500"},
    {"shared_buffers": "16GB", "max_connections": "100"},
    {"shared_buffers": "64GB", "max_connections": "2000"},
)


def test_every_role_is_told_what_it_may_see(
    matrix_cluster: Cluster, major: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    matrix_cluster.start()
    matrix_cluster.query("create role few login")
    roles = ["few"]
    if Major.parse(major) >= V10:
        matrix_cluster.query("create role monitor login in role pg_monitor")
        roles.append("monitor")
    for role in (matrix_cluster.os_user, *roles):
        monkeypatch.setenv("PGUSER", role)
        server = the_server_alone(matrix_cluster)
        assert getattr(server.settings, "how", "").startswith(f"pg_settings as {role} over"), role
        settings = known_or(server.settings, {})
        assert settings["shared_buffers"].value == "16384"
        assert (settings["shared_buffers"].sourcefile or "").startswith(f"{matrix_cluster.config_file}:")
        activity = known_or(server.activity, None)
        assert activity is not None
        for fact in (activity.commits, activity.checkpoints_timed, activity.transaction_age):
            assert isinstance(fact, Known), (role, fact)
        assert isinstance(server.replication, Known), (role, server.replication)
        assert isinstance(server.replication.value.conflicts, Known), (role, server.replication)
        assert isinstance(server.slru, Known) == (Major.parse(major) >= V17), (role, server.slru)
        assert isinstance(server.file_errors, Known) == (role == matrix_cluster.os_user)
        assert known_or(server.overrides, None) == ()
        for database in known_or(server.tables, ()):
            for answer in (
                database.since,
                database.tables,
                database.unused_indexes,
                database.bare_foreign_keys,
            ):
                assert isinstance(answer, Known), (role, database.database, answer)
        assert [database.database for database in known_or(server.tables, ())] == ["postgres"]


def test_every_version_can_be_watched(matrix_cluster: Cluster) -> None:
    matrix_cluster.start()
    window = watch_server(LiveSystem(), the_server_alone(matrix_cluster), 2, lambda _: None, lambda: False)
    assert isinstance(window, Known)
    for fact in (window.value.commits, window.value.checkpoints_requested, window.value.wal_bytes):
        assert isinstance(fact, Known), fact


def test_the_calculation_of_huge_pages_covers_what_the_server_needs(
    matrix_cluster: Cluster, major: str
) -> None:
    if Major.parse(major) < V15:
        pytest.skip("the server tells its need from 15 on")
    postgres = matrix_cluster.programs.bin_directory / "postgres"
    for settings in SIZES:
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        number = int(
            matrix_cluster.run(
                postgres,
                "-D",
                matrix_cluster.data_directory,
                "-C",
                "shared_memory_size_in_huge_pages",
                *options,
            )
        )
        ours = huge_pages_of(situation(Given(major=major, memory="256GB", settings=settings)), Bytes(2**21))
        assert number <= ours.count <= number * MAX_EXCESS, (settings, number, ours)
