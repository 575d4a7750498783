"""Nothing of the caller's environment leads to another server, and no other server is changed."""

import dataclasses
import os
import re
import subprocess
from ctypes.util import find_library
from itertools import permutations
from pathlib import Path

import pytest

from faulty_calls import cannot_trace
from fixtures_postgres import MakeCluster
from real_postgres import Cluster
from real_subject import MakeSubject
from server_in_root import bundle_for, machine_of

DOCUMENTED = frozenset(
    [
        "PGHOST",
        "PGSSLNEGOTIATION",
        "PGHOSTADDR",
        "PGPORT",
        "PGDATABASE",
        "PGUSER",
        "PGPASSWORD",
        "PGPASSFILE",
        "PGREQUIREAUTH",
        "PGCHANNELBINDING",
        "PGSERVICE",
        "PGSERVICEFILE",
        "PGOPTIONS",
        "PGAPPNAME",
        "PGSSLMODE",
        "PGREQUIRESSL",
        "PGSSLCOMPRESSION",
        "PGSSLCERT",
        "PGSSLKEY",
        "PGSSLCERTMODE",
        "PGSSLROOTCERT",
        "PGSSLCRL",
        "PGSSLCRLDIR",
        "PGSSLSNI",
        "PGREQUIREPEER",
        "PGSSLMINPROTOCOLVERSION",
        "PGSSLMAXPROTOCOLVERSION",
        "PGGSSENCMODE",
        "PGKRBSRVNAME",
        "PGGSSLIB",
        "PGGSSDELEGATION",
        "PGCONNECT_TIMEOUT",
        "PGCLIENTENCODING",
        "PGTARGETSESSIONATTRS",
        "PGLOADBALANCEHOSTS",
        "PGMINPROTOCOLVERSION",
        "PGMAXPROTOCOLVERSION",
        "PGDATESTYLE",
        "PGTZ",
        "PGGEQO",
        "PGSYSCONFDIR",
        "PGLOCALEDIR",
    ]
)
"""What libpq reads (documentation of PostgreSQL 18, Environment Variables)."""
OF_PROGRAMS = (
    *(
        "PGDATA",
        "PG_COLOR",
        "PG_COLORS",
        "PG_CLUSTER_CONF_ROOT",
        "PGCLUSTER",
        "PSQLRC",
        "PSQL_HISTORY",
        "PSQL_PAGER",
    ),
    *(
        "PSQL_WATCH_PAGER",
        "PSQL_EDITOR",
        "PAGER",
        "EDITOR",
        "HOME",
        "TMPDIR",
        "TZ",
        "LANG",
        "LANGUAGE",
        "LC_MESSAGES",
    ),
    *(
        "LC_COLLATE",
        "NLSPATH",
        "GREP_OPTIONS",
        "GREP_COLORS",
        "POSIXLY_CORRECT",
        "BLOCK_SIZE",
        "DF_BLOCK_SIZE",
    ),
    *(
        "DU_BLOCK_SIZE",
        "BLOCKSIZE",
        "TIME_STYLE",
        "QUOTING_STYLE",
        "LS_COLORS",
        "VERSION_CONTROL",
        "SIMPLE_BACKUP_SUFFIX",
    ),
    *(
        "SYSTEMD_OFFLINE",
        "SYSTEMD_UNIT_PATH",
        "DBUS_SYSTEM_BUS_ADDRESS",
        "SSH_SK_PROVIDER",
        "MALLOC_PERTURB_",
    ),
    *(
        "KRB5_CONFIG",
        "OPENSSL_CONF",
        "RES_OPTIONS",
        "HOSTALIASES",
        "GCONV_PATH",
        "LOCPATH",
        "PERL5OPT",
        "PERL5LIB",
    ),
)
KEPT = {"PATH", "PWD", "OLDPWD", "LC_ALL", "TUNEWIZ_ROOT", "TUNEWIZ_STATE_DIR", "_", "SHLVL"}
OURS = {"PGCONNECT_TIMEOUT=10", "PGAPPNAME=tunewiz", "PGDATA", "PG_GRANDPARENT_PID"}
WANTED = {"pg.work_mem": "24MB"}


def names_in_libpq() -> frozenset[str]:
    """What looks like one of its variables in the library that is installed here."""
    name = find_library("pq")
    places = (
        folder / str(name)
        for folder in (Path("/usr/lib/x86_64-linux-gnu"), *Path("/usr/lib").glob("*-linux-gnu"))
    )
    library = next((place for place in places if place.exists()), None)
    if library is None:
        return frozenset()
    words = {word.decode() for word in re.findall(rb"\0(PG[A-Z_]{2,})(?=\0)", library.read_bytes())}
    return frozenset(word for word in words if not word.startswith("PGRES_"))


ALL_NAMES = sorted(DOCUMENTED | names_in_libpq() | set(OF_PROGRAMS))


@pytest.mark.skipif(bool(cannot_trace()), reason=cannot_trace())
def test_case_78_no_program_is_given_a_variable_of_the_callers(
    make_subject: MakeSubject, tmp_path: Path
) -> None:
    subject = make_subject()
    bundle, log = subject.bundle(WANTED), tmp_path / "programs"
    tracing = (
        "strace",
        "-f",
        "--seccomp-bpf",
        "-qq",
        "-v",
        "-s",
        "4096",
        "-e",
        "trace=execve",
        "-o",
        str(log),
    )
    hostile = {
        "PATH": os.environ["PATH"],
        "TUNEWIZ_STATE_DIR": str(subject.state),
        **dict.fromkeys(ALL_NAMES, "hostile-value"),
    }
    for script in ("apply.sh", "verify.sh", "rollback.sh"):
        done = subprocess.run(
            [*tracing, "sh", bundle / script], env=hostile, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (script, done.stdout, done.stderr)
        # The first calls are those of the sweep itself, which has to look at what there is.
        programs = log.read_text(errors="replace").splitlines()
        given = [line for line in programs if "hostile-value" in line]
        looking = [line for line in given if re.search(r'execve\("[^"]*/(env|sed|sh)"', line)]
        assert given == looking, (script, given[-1][:400])
        assert len(given) <= 7, (script, len(given))


def other_server(make_cluster: MakeCluster, port: int) -> Cluster:
    """A server of someone's, on the same port of another address."""
    made = make_cluster(settings={"listen_addresses": "127.0.0.1", "fsync": "off", "port": str(port)})
    made.start()
    return dataclasses.replace(made, port=port)


MISLEADING = (
    {"PGHOSTADDR": "127.0.0.1"},
    {"PGHOST": "127.0.0.1", "PGPORT": "{port}"},
    {"PGPORT": "1"},
    {"PGSERVICE": "other", "PGSERVICEFILE": "{service}"},
    {"PGCLIENTENCODING": "LATIN1"},
    {"PGOPTIONS": "-c work_mem=24MB -c allow_system_table_mods=on"},
    {"PGDATABASE": "nosuch", "PGUSER": "nosuch"},
    {"PGREQUIREPEER": "nobody", "PGREQUIRESSL": "1"},
    {"PGDATA": "{data}", "PGTARGETSESSIONATTRS": "standby"},
)


@pytest.mark.parametrize(
    "misleading",
    [
        pytest.param(row, id=" ".join(row), marks=() if "PGHOSTADDR" in row else pytest.mark.slow)
        for row in MISLEADING
    ],
)
@pytest.mark.parametrize("way", ["ALTER SYSTEM", pytest.param("drop-in", marks=pytest.mark.slow)])
def test_case_78_the_environment_leads_to_no_other_server(
    way: str, misleading: dict[str, str], make_subject: MakeSubject, make_cluster: MakeCluster, tmp_path: Path
) -> None:
    subject = make_subject(way=way)
    other = other_server(make_cluster, subject.cluster.port)
    auto, started = other.data_directory / "postgresql.auto.conf", "SELECT pg_postmaster_start_time()"
    before, since = auto.read_bytes(), other.query(started)
    service = tmp_path / "service"
    service.write_text(f"[other]\nhost=127.0.0.1\nport={other.port}\n")
    words = {"port": other.port, "service": service, "data": other.data_directory}
    environment = {name: value.format(**words) for name, value in misleading.items()}
    bundle = subject.bundle({"pg.work_mem": "24MB", "pg.shared_buffers": "192MB"})
    results = ("env", *(f"{name}={value}" for name, value in environment.items()))
    for script, shown in (("apply.sh", "24MB"), ("verify.sh", "24MB"), ("rollback.sh", "4MB")):
        ran = subject.run(bundle / script, before=results)
        assert (ran.status, ran.err) == (0, ""), script
        assert subject.show()["work_mem"] == shown
    assert (auto.read_bytes(), other.query(started)) == (before, since)


@pytest.mark.parametrize("answers", ["apply.sh", "rollback.sh"])
def test_case_79_another_server_that_answers_in_its_place_is_not_changed(
    answers: str, make_cluster: MakeCluster, database: Cluster, tmp_path: Path
) -> None:
    other = make_cluster()
    other.start()
    bundle, machine = (
        bundle_for(database, tmp_path / "bundle", WANTED),
        machine_of(database, tmp_path / "state"),
    )
    if answers == "rollback.sh":
        assert machine.run(bundle / "apply.sh").status == 0
    pid = database.data_directory / "postmaster.pid"
    was = pid.read_text()
    lines = was.splitlines()
    lines[3:5] = [str(other.port), str(other.socket_directory)]
    pid.write_text("".join(f"{line}\n" for line in lines))
    loaded = other.query("SELECT pg_conf_load_time()")
    ran = machine.run(bundle / answers)
    pid.write_text(was)
    assert ran.status in {4, 5}, ran.said
    assert "another server answers at" in ran.err
    assert other.query("SELECT pg_conf_load_time()") == loaded
    assert other.query("SHOW work_mem") == "4MB"


ORDERS = tuple(permutations(("apply A", "apply B", "rollback A", "rollback B")))


def makes_sense(order: tuple[str, ...]) -> bool:
    return all(order.index(f"apply {name}") < order.index(f"rollback {name}") for name in "AB")


@pytest.mark.parametrize(
    "order",
    [
        pytest.param(order, id=", ".join(order), marks=() if number == 0 else pytest.mark.slow)
        for number, order in enumerate(filter(makes_sense, ORDERS))
    ],
)
def test_case_80_two_servers_on_one_host_are_changed_one_by_one_in_every_order(
    order: tuple[str, ...], make_cluster: MakeCluster, tmp_path: Path
) -> None:
    first, second = make_cluster(), make_cluster()
    for cluster in (first, second):
        cluster.run("mkdir", cluster.data_directory / "conf.d")
        with cluster.config_file.open("a") as config:
            config.write("include_dir = 'conf.d'\n")
        cluster.start()
    # Copies of one directory: they have the same system identifier.
    clusters = {"A": first, "B": second}
    bundles = {name: bundle_for(cluster, tmp_path / name, WANTED) for name, cluster in clusters.items()}
    machines = {name: machine_of(cluster, tmp_path / f"state-{name}") for name, cluster in clusters.items()}
    shown = dict.fromkeys("AB", "4MB")
    for turn in order:
        script, name = turn.split()
        ran = machines[name].run(bundles[name] / f"{script}.sh")
        assert ran.status == 0, ran.said
        shown[name] = "24MB" if script == "apply" else "4MB"
        assert {name: cluster.query("SHOW work_mem") for name, cluster in clusters.items()} == shown
