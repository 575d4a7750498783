"""No name in a statement of ours means what an ordinary database user created."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from fixtures_postgres import (
    Initialized,
    configure,
    copy_into,
    crash,
    describe,
    directory_of,
    unprivileged_user,
)
from live_servers import the_server, value
from planted_names import USER, is_sprung, plant
from real_postgres import Programs
from real_subject import MakeSubject, Subject
from tunewiz.bench.run import MeasuredServer
from tunewiz.bench.server import Server
from tunewiz.collect.postgres.plans import flips_on
from tunewiz.collect.postgres.watching import watch_server
from tunewiz.collect.system import LiveSystem
from tunewiz.core.proof.plan_flips import SettingTried
from tunewiz.core.values.errors import ServerError

pytestmark = pytest.mark.slow

LAST_OPEN = "14"
"""Up to this release whoever may connect may create in `public`."""
COUNTING = {"fsync": "off", "autovacuum": "off", "shared_preload_libraries": "pg_stat_statements"}
MANY = 1_000
SECONDS = 2
A_MILLISECOND = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
PATHS = ("", "public, pg_catalog")
"""The default, and one that the owner of the database can set: hers come before the server's own."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trapped:
    """A server full of traps."""

    subject: Subject
    canary: Path

    def is_sprung(self) -> bool:
        """Whether a statement has run into one."""
        return is_sprung(self.subject.cluster, self.canary)

    def look_in(self, path: str) -> None:
        """What is set for the database that our sessions enter; it belongs to the user."""
        what = f"SET search_path = {path}" if path else "RESET search_path"
        self.subject.cluster.query(f"ALTER DATABASE postgres {what}")


@pytest.fixture(scope="module", params=["installed", LAST_OPEN])
def trapped(
    request: pytest.FixtureRequest,
    postgres_programs: Programs,
    server_of_major: Callable[[str], Programs | str],
    initialized: Initialized,
    next_port: Callable[[], int],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Trapped]:
    """A running server."""
    programs = postgres_programs if request.param == "installed" else server_of_major(request.param)
    if isinstance(programs, str):
        pytest.skip(programs)
    with directory_of(unprivileged_user()) as directory:
        cluster = describe("plain", programs, unprivileged_user(), directory, next_port())
        copy_into(cluster, initialized(programs))
        included, place = cluster.data_directory / "conf.d", tmp_path_factory.mktemp("names")
        cluster.run("mkdir", cluster.socket_directory, included)
        configure(cluster, {**COUNTING, "include_dir": "conf.d"})
        cluster.start()
        # In another database: the list of all is asked for in the one with the traps.
        cluster.query("CREATE DATABASE shop")
        cluster.query("CREATE EXTENSION pg_stat_statements", database="shop")
        cluster.query(f"CREATE ROLE {USER} LOGIN", f"ALTER DATABASE postgres OWNER TO {USER}")
        (place / "bundles").mkdir()
        subject = Subject(
            cluster=cluster, included=included, state=place / "state", bundles=place / "bundles"
        )
        assert plant(cluster, "postgres", directory / "canary") > MANY
        yield Trapped(subject=subject, canary=directory / "canary")
        crash(cluster)


def sprung_by(trapped: Trapped, statement: str) -> bool:
    """Whether a plain session of a superuser runs into one."""
    trapped.subject.cluster.query(statement)
    return trapped.is_sprung()


def test_nobody_gains_by_what_they_named_like_ours(trapped: Trapped) -> None:
    subject = trapped.subject
    trapped.look_in(PATHS[0])
    assert sprung_by(trapped, "SELECT sourcefile || ':' || sourceline FROM pg_settings LIMIT 1")
    assert not sprung_by(trapped, "SELECT 'a' || 'b', 1 = 1, now()")
    for path in PATHS:
        trapped.look_in(path)
        bundle = subject.bundle()
        before = subject.configuration()
        for script, arguments in (
            ("apply.sh", ("--dry-run",)),
            ("apply.sh", ()),
            ("verify.sh", ()),
            ("rollback.sh", ()),
        ):
            ran = subject.run(bundle / script, *arguments)
            assert (ran.status, ran.err, trapped.is_sprung()) == (0, "", False), (script, ran.said)
        assert subject.configuration() == before


def test_nor_by_what_the_wizard_reads(trapped: Trapped) -> None:
    cluster = trapped.subject.cluster
    trapped.look_in(PATHS[1])
    server = the_server(cluster)
    assert value(server.settings)["work_mem"].source == "default"
    assert (value(value(server.activity).commits) > 0, trapped.is_sprung()) == (True, False)
    window = value(watch_server(LiveSystem(), server, SECONDS, lambda _: None, lambda: False))
    assert (window.seconds >= SECONDS, trapped.is_sprung()) == (True, False)
    with suppress(ServerError):
        flips_on(LiveSystem(), server, (SettingTried(name="random_page_cost", before="4", after="1"),))
    assert not trapped.is_sprung()


def test_nor_by_what_a_measurement_looks_up(trapped: Trapped) -> None:
    cluster = trapped.subject.cluster
    trapped.look_in(PATHS[1])
    measured = MeasuredServer(
        major=cluster.programs.major,
        data_directory=str(cluster.data_directory),
        owner=cluster.os_user,
        role=cluster.os_user,
        programs=str(cluster.programs.psql.parent).removeprefix("."),
    )
    server = Server(measured=measured, label="bench")
    assert server.wal_bytes() > 0
    server.drop("bench_copy")
    server.end_sessions()
    assert not trapped.is_sprung()


def test_limits_of_a_role_stop_no_script(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle = subject.bundle()
    limits = (f"ALTER ROLE {subject.cluster.os_user} SET {name} = 1" for name in A_MILLISECOND)
    others = ("default_transaction_read_only = on", "standard_conforming_strings = off")
    subject.cluster.query(*limits, *(f"ALTER DATABASE postgres SET {other}" for other in others))
    for script in ("apply.sh", "verify.sh", "rollback.sh"):
        ran = subject.run(bundle / script)
        assert (ran.status, ran.err) == (0, ""), ran.said


def test_the_traps_fit_what_is_looked_up_in_public_first(trapped: Trapped) -> None:
    trapped.look_in(PATHS[1])
    for statement in (
        "SELECT now()",
        "SELECT 1 WHERE 1 = 2",
        "SELECT name FROM pg_settings",
        "SELECT 'a'::text",
        "SELECT pg_is_in_recovery()",
    ):
        assert sprung_by(trapped, statement), statement
