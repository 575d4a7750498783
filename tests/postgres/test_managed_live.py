"""The query that docs/managed.md names, answered by a real server, is facts that a plan is exported from."""

import re
import shlex
from pathlib import Path

import pytest

from command_line import tunewiz
from real_postgres import Cluster
from tunewiz.core.values.known import known_or
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.managed.stated_facts import QUERY, managed_facts

pytestmark = pytest.mark.postgres

PAGE = Path(__file__).resolve().parents[2] / "docs" / "managed.md"


def answered(cluster: Cluster) -> str:
    """What psql prints for the command on the page."""
    (command,) = re.findall(r"^psql .*(?= >settings.csv$)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    program, *arguments = shlex.split(command)
    assert (program, arguments[-1]) == ("psql", QUERY)
    where = ("-h", str(cluster.socket_directory), "-p", str(cluster.port), "-d", "postgres")
    return cluster.run(cluster.programs.psql, "-X", *where, *arguments)


def test_a_servers_settings_are_what_it_shows(running_cluster: Cluster) -> None:
    (server,) = managed_facts(answered(running_cluster), "settings.csv", Bytes(64 * GIB), 16).postgres
    settings = known_or(server.settings, {})
    lines = answered(running_cluster)
    for name in ("shared_buffers", "work_mem", "max_connections", "wal_level"):
        shown = f"{name},{settings[name].value},{settings[name].unit or ''},"
        assert shown in lines
    shown = running_cluster.query("SHOW server_version").split()[0]
    assert known_or(server.version, "") == shown


def test_a_plan_for_it_is_exported(running_cluster: Cluster, tmp_path: Path) -> None:
    file, facts = tmp_path / "settings.csv", tmp_path / "facts.json"
    file.write_text(answered(running_cluster))
    assert (
        tunewiz("facts", "--pg-settings", file, "--memory", "64GB", "--cores", "16", "-o", facts).status == 0
    )
    ended = tunewiz("export", "--service", "rds", "--facts", facts)
    assert (ended.status, ended.err) == (0, "")
    assert 'name         = "shared_buffers"' in ended.out
