"""`tunewiz prove bench --copy`: a copy of the server is measured, and the server itself is left alone."""

import dataclasses
import os
import shutil
import signal
from pathlib import Path

import pytest

from bench_runs import BRIEF, DATABASES, as_before, prove, under_way
from fixtures_postgres import MakeCluster
from planned_bundles import bundle_for
from pretend_root import Entry, entry
from real_postgres import Cluster
from real_subject import MakeSubject, Subject, system_identifier
from tunewiz.bench.bundle import read_bundle
from tunewiz.bench.subject import subject_of
from tunewiz.bundle import write_bundle
from tunewiz.bundle.reopen import ANSWERS
from tunewiz.core.values.known import Known
from tunewiz.formats.proof import proof_from_json
from tunewiz.formats.records import facts_to_json

WANTED = {"pg.work_mem": "24MB", "kernel.transparent_hugepage": "madvise"}
PAIRS = ("--pairs", "2", "--same-pairs", "2")
WINDOW = ("--window", "10min")
"""For a server that runs beside its copy."""


@pytest.fixture
def copy(make_cluster: MakeCluster) -> Cluster:
    """A running copy: all plain clusters of the tests are copies of one."""
    made = make_cluster()
    made.start()
    return made


def files_of(cluster: Cluster) -> dict[str, Entry]:
    """Its configuration: content, mode, owner."""
    return {path.name: entry(path) for path in cluster.data_directory.glob("*.conf*")}


def refused(subject: Subject, bundle: Path, copy: Path, *options: str) -> str:
    """Why, on one line; nothing may have been begun."""
    done = prove(subject, bundle, *BRIEF, *PAIRS, "--copy", str(copy), *options)
    assert done.returncode == 4, done.stderr
    assert not (subject.state / "prove").exists()
    return " ".join(done.stderr.split())


def start_with(cluster: Cluster, config_file: Path) -> None:
    """Start it again, configured by another file, at its own port and socket."""
    own = {"data_directory": cluster.data_directory, "unix_socket_directories": cluster.socket_directory}
    words = " ".join(f"-c {name}={value}" for name, value in own.items())
    pg_ctl = cluster.programs.bin_directory / "pg_ctl"
    options = f"-p {cluster.port} -c config_file={config_file} {words}"
    cluster.run(pg_ctl, "-w", "-D", cluster.data_directory, "-l", cluster.log_file, "-o", options, "restart")


@pytest.mark.timeout(300)
def test_settings_are_measured_on_the_copy_and_the_server_beside_it_is_left_alone(
    make_subject: MakeSubject, copy: Cluster, tmp_path: Path
) -> None:
    subject, out = make_subject(), tmp_path / "proof.json"
    bundle, server, started = bundle_for(subject, WANTED), as_before(subject), subject.started()
    before, databases = files_of(copy), copy.query(DATABASES)
    options = (*BRIEF, *PAIRS, *WINDOW, "--copy", str(copy.data_directory))
    with under_way(subject, bundle, *options) as run:
        run.until(lambda: copy.query("SHOW work_mem") == "24MB")
        assert as_before(subject) == server
        os.kill(run.runner(), signal.SIGKILL)
        run.until_over()
    assert (files_of(copy), copy.query(DATABASES)) == (before, databases)
    other = prove(subject, bundle, *options[:-1], str(subject.cluster.data_directory), "--resume")
    assert (other.returncode, "the unfinished run measures in" in other.stderr) == (4, True)
    done = prove(subject, bundle, *options, "--resume", "-o", str(out))
    assert done.returncode in (0, 1, 3, 4), done.stderr
    proof = proof_from_json(out.read_text(), str(out))
    assert (proof.server.is_copy, proof.server.data_directory) == (True, str(copy.data_directory))
    assert proof.server.system_identifier == system_identifier(subject.cluster)
    assert [change.id for change in proof.bundle.changes] == ["pg.work_mem"]
    assert "kernel.transparent_hugepage" in {omission.what for omission in proof.left_out}
    assert "The server itself ran on this machine too" in " ".join(proof.cannot_tell)
    assert len(proof.pairs) == 2
    assert f"in {copy.data_directory}, a copy of the server" in done.stdout
    assert (files_of(copy), copy.query(DATABASES)) == (before, databases)
    assert (as_before(subject), subject.started()) == (server, started)
    assert not (subject.state / "prove").exists()


def test_what_is_no_copy_or_not_apart_is_refused_before_it_is_started(
    make_subject: MakeSubject, make_cluster: MakeCluster, copy: Cluster, tmp_path: Path
) -> None:
    subject = make_subject()
    bundle, server = bundle_for(subject, WANTED), as_before(subject)
    original, data = subject.cluster.data_directory, make_cluster().data_directory
    assert "this is the server itself, not a copy" in refused(subject, bundle, original)
    assert "the server itself runs on this machine" in refused(subject, bundle, copy.data_directory)
    signal = data / "standby.signal"
    signal.touch()
    assert "standby.signal makes it follow the server" in refused(subject, bundle, data, *WINDOW)
    signal.unlink()
    text = refused(subject, bundle, data, *WINDOW)
    assert "the copy does not run" in text
    assert f"pg_ctl -D {data} -o '-p PORT -c archive_mode=off -c max_logical_replication_workers=0'" in text
    shutil.rmtree(data / "pg_wal")
    (data / "pg_wal").symlink_to(original / "pg_wal")
    assert f"{data}/pg_wal: belongs to the server in {original} too" in refused(
        subject, bundle, data, *WINDOW
    )
    (data / "pg_wal").unlink()
    (data / "pg_tblspc" / "16500").symlink_to(copy.data_directory / "base")
    subject.cluster.run("ln", "-s", copy.data_directory / "base", original / "pg_tblspc" / "16500")
    text = refused(subject, bundle, data, *WINDOW)
    assert f"{data}/pg_tblspc/16500: belongs to the server" in text
    (data / "pg_tblspc" / "16500").unlink()
    (original / "pg_tblspc" / "16500").unlink()
    (data / "global" / "pg_control").unlink()
    (data / "global" / "pg_control").hardlink_to(original / "global" / "pg_control")
    assert f"{data}/global/pg_control: belongs to the server" in refused(subject, bundle, data, *WINDOW)
    control = (original / "global" / "pg_control").read_bytes()
    (data / "global" / "pg_control").unlink()
    (data / "global" / "pg_control").write_bytes(b"12345678" + control[8:])
    assert "it is not a copy of the server" in refused(subject, bundle, data, *WINDOW)
    for place, why in ((tmp_path, "expected a data directory"), (tmp_path / "none", "No such file")):
        done = prove(subject, bundle, *BRIEF, *PAIRS, "--copy", str(place))
        assert (done.returncode, why in done.stderr) == (2, True), done.stderr
    assert as_before(subject) == server


def test_what_reaches_out_to_others_is_refused(make_subject: MakeSubject, copy: Cluster) -> None:
    subject = make_subject()
    bundle = bundle_for(subject, WANTED)
    subject.cluster.stop()
    copy.query("ALTER SYSTEM SET archive_mode = on", "ALTER SYSTEM SET archive_command = 'cp %p /nowhere'")
    copy.restart()
    copy.query("SELECT pg_create_physical_replication_slot('standby1')")
    copy.query(
        "CREATE SUBSCRIPTION reports CONNECTION 'host=/nowhere' PUBLICATION p WITH (connect = false)",
        "ALTER SUBSCRIPTION reports ENABLE",
    )
    copy.query("CREATE DATABASE shop")
    copy.query(
        "CREATE FOREIGN DATA WRAPPER f", "CREATE SERVER elsewhere FOREIGN DATA WRAPPER f", database="shop"
    )
    text = refused(subject, bundle, copy.data_directory, "--dbname", "shop")
    for why in (
        "it archives WAL (cp %p /nowhere)",
        "start the copy with -c archive_mode=off",
        "it keeps all WAL for 1 replication slot",
        "1 subscription would take changes that are meant for its server",
        "shop has foreign servers (elsewhere)",
    ):
        assert why in text
    # As the message about a copy that does not run says to start it.
    copy.query("ALTER SYSTEM SET archive_mode = off", "ALTER SYSTEM SET max_logical_replication_workers = 0")
    copy.restart()
    text = refused(subject, bundle, copy.data_directory)
    assert "archive" not in text
    assert "subscription" not in text


def test_a_copy_that_is_configured_otherwise_or_elsewhere_is_refused(
    make_subject: MakeSubject, copy: Cluster
) -> None:
    subject = make_subject()
    bundle = bundle_for(subject, WANTED)
    subject.cluster.stop()
    copy.query("ALTER SYSTEM SET work_mem = '8MB'", "SELECT pg_reload_conf()")
    assert "work_mem is 8MB, expected 4MB" in refused(subject, bundle, copy.data_directory)
    copy.query("ALTER SYSTEM RESET work_mem")
    start_with(copy, subject.cluster.config_file)
    text = refused(subject, bundle, copy.data_directory)
    assert f"configures the server in {subject.cluster.data_directory} too" in text


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory to someone else")
def test_settings_go_to_no_directory_that_is_not_the_owners(make_subject: MakeSubject, copy: Cluster) -> None:
    subject = make_subject()
    bundle = bundle_for(subject, WANTED)
    subject.cluster.stop()
    apart = copy.directory / "etc"
    apart.mkdir()
    shutil.copy(copy.config_file, apart)
    (apart / copy.config_file.name).chmod(0o644)
    start_with(copy, apart / copy.config_file.name)
    text = refused(subject, bundle, copy.data_directory)
    assert f"{apart}/postgresql.conf: expected a directory of the copy's owner" in text


def test_a_copy_on_another_machine_is_measured_with_nobody_disturbed_and_says_so(
    make_subject: MakeSubject, copy: Cluster
) -> None:
    subject = make_subject()
    facts = subject.facts()
    host = dataclasses.replace(facts.host, name=Known("db7", "test"), identity=Known("1" * 64, "test"))
    elsewhere = bundle_for(subject, WANTED, dataclasses.replace(facts, host=host))
    result = subject_of(read_bundle(elsewhere), copy.data_directory, ablate=False, window=False)
    assert result.server.is_copy
    assert any("The server is on another machine (db7)" in text for text in result.cannot_tell)
    assert result.plan is not None
    here = subject.bundles / "here"
    write_bundle(result.plan, here, facts_to_json(result.plan.start.facts), (elsewhere / ANSWERS).read_text())
    assert subject.run(elsewhere / "apply.sh", "--dry-run").status == 4
    there = subject.run(here / "apply.sh", "--dry-run")
    assert (there.status, "work_mem = '24MB'" in there.out) == (0, True), there
    assert f"cluster|{copy.programs.major}|{copy.data_directory}|" in (here / "steps.txt").read_text()


def test_a_bundle_of_the_machine_alone_is_not_measured_on_a_copy(
    make_subject: MakeSubject, copy: Cluster
) -> None:
    subject = make_subject()
    bundle = bundle_for(subject, {"kernel.transparent_hugepage": "madvise"})
    subject.cluster.stop()
    assert "nothing to measure on a copy" in refused(subject, bundle, copy.data_directory)
