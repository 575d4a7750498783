"""What the guard reads of a server of each major version: every number that the release has, read-only."""

import subprocess
from pathlib import Path

import pytest

from fixtures_postgres import configure
from real_postgres import Cluster

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(300)]

PARTS = Path(__file__).resolve().parents[2] / "tunewiz" / "bundle" / "scripts"
SAMPLE = """
for part in base apart outcome writer server restart watcher state guard_rule guard_samples
do . "$1/$part.sh"; done
trim() { TRIMMED=$1; }
ME=$(id -u) WRITERS=$NL PRETEND='' ROOT='' DATA=$2 CONFIG=$2/postgresql.conf MAJOR=$3 PROBLEMS=0
keep_callers
find_apart
cd /
find_server && connect || exit 1
find_group
find_guard_sql
guard_sample b || exit 2
printf '%s %s\\n' "$GUARD_TIMED" "${GUARD_BIRTH:--}" "$GUARD_SAMPLES"
"""
SERVER = {
    3: "commits",
    4: "rollbacks",
    5: "deadlocks",
    6: "temporary files",
    7: "reads",
    10: "WAL",
    11: "checkpoints",
    12: "standbys",
    13: "sessions",
    14: "locks",
    15: "storage",
}
"""Fields that each release has."""


def sample(cluster: Cluster, major: str) -> tuple[str, str, list[str]]:
    ran = subprocess.run(
        ("sh", "-c", SAMPLE, "sh", PARTS, cluster.data_directory, major),
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr
    first, line, *_ = ran.stdout.splitlines()
    timed, birth = first.split()
    return timed, birth, line.split()


def test_every_release_tells_what_it_has(matrix_cluster: Cluster, major: str) -> None:
    configure(matrix_cluster, {"shared_preload_libraries": "pg_stat_statements"})
    matrix_cluster.start()
    older = major.startswith("9.")
    timed, birth, fields = sample(matrix_cluster, major)
    assert [name for at, name in SERVER.items() if not fields[at - 1].isdigit()] == []
    assert (timed, birth == "-") == ("transaction", older)
    assert fields[7].isdigit() == (not older and int(major) >= 14)
    matrix_cluster.query("CREATE EXTENSION pg_stat_statements")
    timed, _, fields = sample(matrix_cluster, major)
    assert (timed, fields[7].isdigit(), fields[8].isdigit()) == ("statement", True, True)


def test_statements_in_a_schema_of_an_ordinary_user_are_not_asked_for(database: Cluster) -> None:
    database.query("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'")
    database.restart()
    database.query(
        "CREATE ROLE mallory", "CREATE SCHEMA theirs AUTHORIZATION mallory",
        "CREATE EXTENSION pg_stat_statements SCHEMA theirs",
    )  # fmt: skip
    assert sample(database, database.programs.major)[0] == "transaction"
    database.query("ALTER SCHEMA theirs OWNER TO CURRENT_USER")
    assert sample(database, database.programs.major)[0] == "statement"
