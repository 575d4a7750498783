"""What the program takes for a value, a real server takes too, and means the same by it."""

import pytest

from fixtures_postgres import MakeCluster
from real_postgres import Cluster
from tunewiz.collect.postgres.conf import quoted
from tunewiz.core.values.pg_settings import SettingError
from tunewiz.core.values.versions import Major
from tunewiz.knowledge.loading import load_knowledge

BOOLEANS = (
    "on",
    "OFF",
    "of",
    "o",
    "t",
    "True",
    "tru",
    "yes",
    "y",
    "n",
    "no",
    "0",
    "1",
    "2",
    "",
    "onn",
    "enabled",
)
SIZES = (
    "4MB",
    "1.5MB",
    "0.5 MB",
    " 8MB ",
    "8 MB",
    "1024",
    "64",
    "63",
    "0",
    "-1",
    "4mb",
    "4Mb",
    "1GiB",
    "1e3",
)
SIZES_TOO = (
    "1TB",
    "2TB",
    "3TB",
    "1024B",
    "100000B",
    "12,5MB",
    "MB",
    "",
    "0x1000",
    "010000",
    "1.9999",
    "64.4kB",
    "64.6kB",
)
TIMES = (
    "5min",
    "300s",
    "300",
    "1h",
    "1d",
    "2d",
    "29s",
    "30s",
    "45500ms",
    "30.4s",
    "1500 ms",
    "0.01h",
    "30 S",
    "1w",
    "60000000us",
)
REALS = ("1.1", "1", "0", "-1", "1e1", ".5", "5.", "1e400", "abc", "1,1", "1.1 ", "1.1x")
ENUMS = {
    "huge_pages": ("try", "TRY", "on", "true", "yes", "1", "off", "false", "0", "maybe", "t", ""),
    "wal_level": ("replica", "Minimal", "logical", "on", "repl"),
    "synchronous_commit": ("on", "remote_apply", "true", "off", "0", "local", "of"),
}
TRIED = {
    "jit": BOOLEANS,
    "work_mem": (*SIZES, *SIZES_TOO),
    "shared_buffers": ("128MB", "16", "15", "130kB", "132kB", "1GB", "1.5GB", "8193B"),
    "max_wal_size": ("1GB", "2", "1", "100", "1.5GB", "1025kB"),
    "checkpoint_timeout": TIMES,
    "autovacuum_vacuum_cost_delay": ("2ms", "0.5", "1.25ms", "500us", "-1", "101", "1s"),
    "random_page_cost": REALS,
    "max_connections": ("100", "0", "1", "262144", "1k", "100.4", "100.5", "101.5"),
    **ENUMS,
}


@pytest.fixture
def cluster(make_cluster: MakeCluster) -> Cluster:
    return make_cluster(settings={})


def by_server(cluster: Cluster, name: str, value: str) -> str | None:
    """The value as the server has it in the setting's unit; None where it refuses."""
    cluster.config_file.write_text(f"{name} = {quoted(value)}\n")
    try:
        shown = cluster.run(
            cluster.programs.bin_directory / "postgres", "-D", cluster.data_directory, "-C", name
        )
    except AssertionError:
        return None
    return shown.removesuffix("\n")


def test_values_are_taken_and_refused_as_the_server_does(cluster: Cluster) -> None:
    known = load_knowledge().settings[Major.parse(cluster.programs.major)]
    differing = dict[tuple[str, str], tuple[str | None, str | None]]()
    for name, value in ((name, value) for name, values in TRIED.items() for value in values):
        try:
            ours = known[name].canonical(value)
        except SettingError:
            ours = None
        theirs = by_server(cluster, name, value)
        if ours != theirs:
            differing[name, value] = (ours, theirs)
    assert differing == {}


BY_A_MINOR_RELEASE = {"composite_type_mismatch"}
"""Settings that a later minor release of majors already known has brought: 15.20 has it, 15.18 has not."""


def test_the_settings_that_are_known_are_those_of_the_server_at_hand(running_cluster: Cluster) -> None:
    known = load_knowledge().settings[Major.parse(running_cluster.programs.major)]
    rows = running_cluster.query(
        "select name, vartype, context, unit, min_val, max_val, boot_val from pg_settings"
        " where vartype <> 'string' and context <> 'internal' and name !~ '^(debug|trace|jit|krb|ssl)_'"
    )
    for row in rows.splitlines():
        name, vartype, context, unit, low, high, default = row.split("|")
        if name in BY_A_MINOR_RELEASE and not known.has(name):
            continue
        info = known[name]
        ours = (
            info.vartype,
            info.context,
            info.unit or "",
            info.minimum or "",
            info.maximum or "",
            info.default,
        )
        assert ours == (vartype, context, unit, low, high, default), name
