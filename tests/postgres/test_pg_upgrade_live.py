"""What `tunewiz upgrade --to 19` says of a running server is what pg_upgrade of the real 19 does with it."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from fixtures_postgres import (
    Initialized,
    configure,
    crash,
    describe,
    directory_of,
    initialize,
    unprivileged_user,
)
from live_servers import the_server
from real_postgres import Cluster, Programs
from small_plans import small_facts
from tunewiz.collect.postgres.conf import quoted
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.upgrade.items import Upgrade
from tunewiz.core.upgrade.lines import UpgradeStep
from tunewiz.core.upgrade.target import put_right, segment_of
from tunewiz.core.upgrade.upgrade import server_of, upgrade_of
from tunewiz.core.values.versions import NEWEST, SUPPORTED, V12, Major
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.upgrades import load_release_notes
from tunewiz.planning import default_answers, make_plan
from upgraded_clusters import new_cluster, programs_for_upgrade

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(300)]

KNOWLEDGE = load_knowledge()
CHECKSUMS_DIFFER = "checksum"
"""In the refusal of pg_upgrade."""
OWN_PLACES = frozenset({"port", "listen_addresses", "unix_socket_directories"})
"""Lines that each test cluster has of its own."""
ROWS = 1000
USUAL = {"work_mem": "8MB", "max_locks_per_transaction": "64"}
"""Lines that every major takes."""
TRAPS: Mapping[str, Mapping[str, str]] = {
    "9.5": {"wal_level": "hot_standby", "sql_inheritance": "on"},
    "9.6": {"sql_inheritance": "on", "password_encryption": "on"},
    "10": {"replacement_sort_tuples": "1000"},
    "11": {"default_with_oids": "on"},
    "12": {"wal_keep_segments": "8", "operator_precedence_warning": "on"},
    "13": {"operator_precedence_warning": "on", "vacuum_cleanup_index_scale_factor": "0.2"},
    "14": {"stats_temp_directory": "pg_stat_tmp"},
    "15": {"force_parallel_mode": "off", "vacuum_defer_cleanup_age": "10"},
    "16": {"old_snapshot_threshold": "60min", "db_user_namespace": "off"},
    "17": {"escape_string_warning": "off"},
    "18": {"io_workers": "4", "escape_string_warning": "off", "standard_conforming_strings": "off"},
}
"""Lines that 19 does not take."""


@pytest.fixture
def new(server_of_major: Callable[[str], Programs | str], next_port: Callable[[], int]) -> Iterator[Cluster]:
    """Where the upgraded cluster will stand; the test is left out where the newest major is not here."""
    programs = server_of_major(str(NEWEST))
    if isinstance(programs, str):
        pytest.skip(programs)
    yield from _place(programs, next_port())


@pytest.fixture
def old_of_matrix(
    old: str, server_of_major: Callable[[str], Programs | str], next_port: Callable[[], int]
) -> Iterator[Cluster]:
    """A stopped cluster of the older major."""
    programs = server_of_major(old)
    if isinstance(programs, str):
        pytest.skip(programs)
    for cluster in _place(programs, next_port()):
        _make(cluster)
        yield cluster


@pytest.fixture
def old_installed(postgres_programs: Programs, next_port: Callable[[], int]) -> Iterator[Cluster]:
    """A stopped cluster of the server that is installed here, with all of its own programs."""
    if postgres_programs.major not in TRAPS:
        pytest.skip(f"PostgreSQL {postgres_programs.major} is installed here, which is not an older one")
    for cluster in _place(postgres_programs, next_port()):
        _make(cluster)
        yield cluster


def _place(programs: Programs, port: int) -> Iterator[Cluster]:
    user = unprivileged_user()
    with directory_of(user) as directory:
        cluster = describe("plain", programs, user, directory, port)
        yield cluster
        crash(cluster)


def _make(cluster: Cluster) -> None:
    initialize(cluster.programs, cluster.os_user, cluster.data_directory)
    cluster.run("mkdir", cluster.socket_directory)
    configure(cluster, {**USUAL, **TRAPS[cluster.programs.major], "autovacuum": "off"})


def fill(cluster: Cluster) -> None:
    """A table, and a role with the lines that roles can have."""
    hidden_column = "without oids" if Major.parse(cluster.programs.major) < V12 else ""
    cluster.query(
        f"create table kept (n int primary key) {hidden_column}",
        f"insert into kept select generate_series(1, {ROWS})",
        "create role app",
        *(f"alter role app set {name} = {quoted(value)}" for name, value in of_role(cluster).items()),
        "checkpoint",
    )


def of_role(cluster: Cluster) -> Mapping[str, str]:
    """The lines that a role can have too."""
    known = KNOWLEDGE.settings[Major.parse(cluster.programs.major)]
    lines = {**USUAL, **TRAPS[cluster.programs.major]}
    return {name: value for name, value in lines.items() if known[name].context == "user"}


def upgrade_and_lines(cluster: Cluster) -> tuple[Upgrade, Mapping[str, str]]:
    """What is said of an upgrade of a running cluster, and its lines put right by that."""
    major = Major.parse(cluster.programs.major)
    facts = dataclasses.replace(small_facts(Given(major=str(major))), postgres=(the_server(cluster),))
    plan = make_plan(facts, default_answers(facts, KNOWLEDGE), KNOWLEDGE)
    notes, newest = load_release_notes(), KNOWLEDGE.settings[NEWEST]
    server = server_of(plan.start)
    step = UpgradeStep(
        old=plan.start.settings, new=newest, notes=notes, segment=segment_of(server, plan.start.settings)
    )
    upgrade = upgrade_of(plan, newest, notes, KNOWLEDGE.catalogue)
    lines = {name: value for name, value in put_right(server, step).items() if name not in OWN_PLACES}
    return upgrade, lines


def upgraded(old: Cluster, new: Cluster, programs: Path, *options: str) -> str | None:
    """Runs pg_upgrade; what it says where it fails."""
    folders = ("-b", str(programs), "-B", str(new.programs.bin_directory))
    data = ("-d", str(old.data_directory), "-D", str(new.data_directory))
    ports = ("-p", str(old.port), "-P", str(new.port), "-s", str(new.directory))
    try:
        new.run(new.programs.bin_directory / "pg_upgrade", *folders, *data, *ports, "--no-sync", *options)
    except AssertionError as failed:
        logs = new.data_directory.glob("pg_upgrade_output.d/*/log/*")
        return "\n".join((str(failed), *(log.read_text(errors="replace") for log in logs)))
    return None


def starts(cluster: Cluster, lines: Mapping[str, str]) -> bool:
    """Whether the server runs with these lines behind its own; they stay if it does."""
    before = cluster.config_file.read_text()
    configure(cluster, lines)
    try:
        cluster.start()
    except AssertionError:
        cluster.config_file.write_text(before)
        return False
    return True


def check_upgrade(old: Cluster, new: Cluster, pristine: Path) -> None:
    """Everything that was said happens, in the order in which an administrator meets it."""
    old.start()
    fill(old)
    upgrade, right = upgrade_and_lines(old)
    programs = programs_for_upgrade(old)
    checksums = old.query("show data_checksums") == "on"
    old.stop()
    wants_choice = any(item.setting == "data_checksums" and item.hand for item in upgrade.items)
    new_cluster(new, pristine, checksums=True)
    refusal = upgraded(old, new, programs, "--check")
    assert wants_choice is not checksums
    assert (CHECKSUMS_DIFFER in (refusal or "")) is wants_choice, refusal
    take_back(old, new, pristine, upgrade, checksums=checksums)
    new_cluster(new, pristine, checksums=checksums)
    assert upgraded(old, new, programs) is None
    assert any(item.stops for item in upgrade.items)
    assert not starts(new, {**USUAL, **TRAPS[old.programs.major]})
    assert starts(new, right)
    assert new.query("select count(*) from kept") == str(ROWS)
    assert new.query("select count(*) from pg_file_settings where error is not null") == "0"
    assert new.query("show server_version_num")[:2] == str(NEWEST)


def take_back(old: Cluster, new: Cluster, pristine: Path, upgrade: Upgrade, *, checksums: bool) -> None:
    """Statements of roles that were said to stop pg_upgrade do, and go then."""
    stops = sorted({item.setting for item in upgrade.items if item.stops_restore})
    if not stops:
        return
    old.start()
    programs = programs_for_upgrade(old)
    old.stop()
    new_cluster(new, pristine, checksums=checksums)
    failure = upgraded(old, new, programs)
    assert failure is not None
    assert any(f'"{name}"' in failure for name in stops), failure
    old.start()
    old.query(*(f"alter role app reset {name}" for name in stops), "checkpoint")
    programs_for_upgrade(old)
    old.stop()


def test_the_installed_server_is_upgraded_to_the_newest_as_it_was_said(
    old_installed: Cluster, new: Cluster, initialized: Initialized
) -> None:
    check_upgrade(old_installed, new, initialized(new.programs))


@pytest.mark.slow
@pytest.mark.parametrize("old", [str(major) for major in SUPPORTED[:-1]])
def test_every_older_major_is_upgraded_to_the_newest_as_it_was_said(
    old_of_matrix: Cluster, new: Cluster, initialized: Initialized
) -> None:
    check_upgrade(old_of_matrix, new, initialized(new.programs))
