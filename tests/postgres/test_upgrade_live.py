"""What an upgrade is told to do is what the new server does: real servers of both majors read the lines."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fixtures_postgres import configure, crash, describe, directory_of, initialize, unprivileged_user
from real_postgres import Cluster, Programs
from small_plans import small_facts
from tools_here import need
from tunewiz.collect.postgres.conf import quoted
from tunewiz.core.facts.server import Override
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.upgrade.items import Upgrade
from tunewiz.core.upgrade.lines import UpgradeStep
from tunewiz.core.upgrade.target import put_right, segment_of
from tunewiz.core.upgrade.upgrade import server_of, upgrade_of
from tunewiz.core.values.known import Known
from tunewiz.core.values.pg_settings import SettingInfo
from tunewiz.core.values.versions import SUPPORTED, Major
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.upgrades import load_release_notes
from tunewiz.planning import default_answers, make_plan

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(300)]

KNOWLEDGE = load_knowledge()
FILES = 8
"""Configurations that are drawn for each pair of majors."""
PAIRS = [(str(old), str(new)) for old in SUPPORTED for new in SUPPORTED if old < new]

NOT_IN_A_FILE = frozenset(
    {"transaction_isolation", "transaction_read_only", "transaction_deferrable", "seed"}
)
"""They are of a session: what a file says of them is no configuration."""
TRAPS: Mapping[str, Mapping[str, str]] = {
    "9.5": {"wal_level": "hot_standby", "max_wal_size": "2GB", "sql_inheritance": "on"},
    "9.6": {"wal_level": "minimal", "sql_inheritance": "on", "max_wal_size": "2GB"},
    "10": {"replacement_sort_tuples": "1000", "dynamic_shared_memory_type": "none"},
    "11": {"default_with_oids": "on", "max_files_per_process": "40"},
    "12": {"wal_keep_segments": "8", "effective_io_concurrency": "500"},
    "13": {"operator_precedence_warning": "on", "vacuum_cleanup_index_scale_factor": "0.2"},
    "14": {"stats_temp_directory": "pg_stat_tmp", "wal_compression": "on"},
    "15": {"force_parallel_mode": "off", "vacuum_defer_cleanup_age": "10"},
    "16": {"old_snapshot_threshold": "60min", "db_user_namespace": "off"},
    "17": {"ssl_ecdh_curve": "prime256v1", "autovacuum_max_workers": "5"},
    "18": {"io_workers": "4", "escape_string_warning": "off", "standard_conforming_strings": "off"},
}
"""Lines of each major that some later one does not take, or takes in another sense."""

REFUSED_ALONE: defaultdict[Path, set[tuple[str, str]]] = defaultdict(set)
"""By the cluster: lines that it refused with no other line beside them."""

drawn = settings(
    max_examples=FILES,
    database=None,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def step(old: str, new: str) -> UpgradeStep:
    """With nothing but the tables and the notes."""
    before, after = (KNOWLEDGE.settings[Major.parse(text)] for text in (old, new))
    server = small_facts(Given(major=old)).postgres[0]
    return UpgradeStep(old=before, new=after, notes=load_release_notes(), segment=segment_of(server, before))


def upgrade_and_lines(
    old: str, new: str, lines: Mapping[str, str], overrides: tuple[Override, ...] = ()
) -> tuple[Upgrade, Mapping[str, str]]:
    """What is said of an upgrade of a server with these lines, and the lines put right by that."""
    facts = small_facts(Given(major=old, settings=lines), overrides=Known(overrides, "test"))
    plan = make_plan(facts, default_answers(facts, KNOWLEDGE), KNOWLEDGE)
    upgrade = upgrade_of(
        plan, KNOWLEDGE.settings[Major.parse(new)], load_release_notes(), KNOWLEDGE.catalogue
    )
    right = dict(put_right(server_of(plan.start), step(old, new)))
    for item in upgrade.items:
        if item.kind == "clash":
            right.update(item.instead)
    return upgrade, right


@st.composite
def files(draw: st.DrawFn, old: str, new: str) -> Mapping[str, str]:
    """A configuration of the old major: whatever goes later, and some of all that stays."""
    before, after = (KNOWLEDGE.settings[Major.parse(text)].known for text in (old, new))
    usable = {name: info for name, info in before.items() if _is_drawn(info)}
    gone = sorted(usable.keys() - after.keys())
    some = draw(st.sets(st.sampled_from(sorted(usable)), max_size=60))
    return {name: usable[name].show(draw(_value(usable[name]))) for name in sorted({*gone, *some})}


def _is_drawn(info: SettingInfo) -> bool:
    """Texts are names of files and places: drawn ones are no configuration."""
    return info.context != "internal" and info.vartype != "string" and info.name not in NOT_IN_A_FILE


def _value(info: SettingInfo) -> st.SearchStrategy[str]:
    if info.vartype == "bool":
        return st.sampled_from(("on", "off"))
    if info.vartype == "enum":
        return st.sampled_from(info.choices)
    limits = [entry for entry in (info.minimum, info.maximum) if entry is not None]
    return st.sampled_from((info.default, *limits))


@pytest.fixture(scope="session")
def cluster_of(
    server_of_major: Callable[[str], Programs | str], next_port: Callable[[], int]
) -> Iterator[Callable[[str], Cluster]]:
    """A stopped cluster of a major, made once; a test is left out where its programs are not here."""
    made, user = dict[str, Cluster](), unprivileged_user()
    with ExitStack() as undo:

        def cluster(major: str) -> Cluster:
            programs = server_of_major(major)
            if isinstance(programs, str):
                pytest.skip(programs)
            if major not in made:
                directory = undo.enter_context(directory_of(user))
                made[major] = describe("plain", programs, user, directory, next_port())
                prepare(made[major])
                undo.callback(crash, made[major])
            return made[major]

        yield cluster


def prepare(cluster: Cluster) -> None:
    """Includes conf.d at the end of its configuration."""
    initialize(cluster.programs, cluster.os_user, cluster.data_directory)
    cluster.run("mkdir", cluster.socket_directory, cluster.data_directory / "conf.d")
    configure(cluster, {"include_dir": "conf.d"})


def write(cluster: Cluster, lines: Mapping[str, str]) -> None:
    """Puts these, and no others, behind what initdb wrote."""
    text = "".join(f"{name} = {quoted(value)}\n" for name, value in lines.items())
    (cluster.data_directory / "conf.d" / "upgraded.conf").write_text(text)


def reads(cluster: Cluster, lines: Mapping[str, str]) -> bool:
    """Whether the server takes all of these: it reads and judges its files to print a setting."""
    write(cluster, lines)
    postgres = cluster.programs.bin_directory / "postgres"
    try:
        cluster.run(postgres, "-D", cluster.data_directory, "-C", "work_mem")
    except AssertionError:
        return False
    return True


def refused(cluster: Cluster, lines: Mapping[str, str]) -> set[str]:
    """The lines that the server does not take, found by halving: its messages do not always name them.

    What it refused alone once is not given to it again: a pair of majors draws few lines that others do not.
    """
    alone = REFUSED_ALONE[cluster.data_directory]
    known = {name for name, value in lines.items() if (name, value) in alone}
    return known | _refused_by_halves(
        cluster, {name: value for name, value in lines.items() if name not in known}
    )


def _refused_by_halves(cluster: Cluster, lines: Mapping[str, str]) -> set[str]:
    if reads(cluster, lines):
        return set()
    if len(lines) == 1:
        REFUSED_ALONE[cluster.data_directory].update(lines.items())
        return set(lines)
    names = list(lines)
    halves = names[: len(names) // 2], names[len(names) // 2 :]
    return {
        bad for half in halves for bad in _refused_by_halves(cluster, {name: lines[name] for name in half})
    }


def starts(cluster: Cluster, lines: Mapping[str, str]) -> bool:
    """Whether the server runs with these."""
    write(cluster, lines)
    try:
        cluster.start()
    except AssertionError:
        return False
    cluster.stop()
    return True


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_the_new_server_refuses_what_was_told_and_nothing_else(
    old: str, new: str, cluster_of: Callable[[str], Cluster]
) -> None:
    before, after = cluster_of(old), cluster_of(new)

    @drawn
    @given(files(old, new))
    def judges(lines: Mapping[str, str]) -> None:
        bad = refused(before, lines)
        lines = {name: value for name, value in lines.items() if name not in bad}
        upgrade, right = upgrade_and_lines(old, new, lines)
        stops = {item.setting for item in upgrade.items if item.stops and item.kind != "clash"}
        assert refused(after, lines) == stops
        assert refused(after, right) == set()

    judges()


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_the_new_server_starts_once_the_lines_are_put_right(
    old: str, new: str, cluster_of: Callable[[str], Cluster]
) -> None:
    cluster = cluster_of(new)
    upgrade, right = upgrade_and_lines(old, new, TRAPS[old])
    assert starts(cluster, TRAPS[old]) is not any(item.stops for item in upgrade.items)
    assert starts(cluster, right)


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_a_statement_that_was_told_to_stop_the_restore_fails_and_the_others_do_not(
    old: str, new: str, cluster_of: Callable[[str], Cluster]
) -> None:
    need("psql")
    cluster = cluster_of(new)
    usual = {"work_mem": "8MB", **TRAPS[old]}
    known = KNOWLEDGE.settings[Major.parse(old)]
    of_role = {name: value for name, value in usual.items() if known[name].context == "user"}
    mine = tuple(Override(database="", role="app", name=name, value=value) for name, value in of_role.items())
    stops = {item.setting for item in upgrade_and_lines(old, new, {}, mine)[0].items if item.stops_restore}
    write(cluster, {})
    cluster.start()
    try:
        cluster.query("drop role if exists app; create role app")
        failed = {name for name, value in of_role.items() if not takes(cluster, name, value)}
    finally:
        cluster.stop()
    assert failed == stops


def takes(cluster: Cluster, name: str, value: str) -> bool:
    """Whether the statement that a dump has for it succeeds."""
    try:
        cluster.query(f"alter role app set {name} = {quoted(value)}")
    except AssertionError:
        return False
    return True
