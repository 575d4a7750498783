"""`tunewiz prove bench --copy`: a copy of the server is measured, and the server itself is left alone."""

import dataclasses
import json
import shutil
from pathlib import Path

import pytest

from bench_runs import BRIEF, DATABASES, SHORT, as_before, prove
from fixtures_postgres import MakeCluster
from planned_bundles import bundle_for
from pretend_root import Entry, entry
from real_postgres import Cluster
from real_subject import MakeSubject, Subject, system_identifier
from tunewiz.core.values.known import Known
from tunewiz.formats.proof import proof_from_json

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
    return {each.name: entry(each) for each in cluster.data_directory.glob("*.conf*")}


def refused(subject: Subject, bundle: Path, copy: Path, *options: str) -> str:
    """Why, on one line; nothing may have been begun."""
    done = prove(subject, bundle, *BRIEF, *PAIRS, "--copy", str(copy), *options)
    assert done.returncode == 4, done.stderr
    assert not (subject.state / "prove").exists()
    return " ".join(done.stderr.split())


def test_settings_are_measured_on_the_copy_and_the_server_beside_it_is_left_alone(
    make_subject: MakeSubject, copy: Cluster, tmp_path: Path
) -> None:
    subject, out = make_subject(), tmp_path / "proof.json"
    bundle, server, started = bundle_for(subject, WANTED), as_before(subject), subject.started()
    before, databases = files_of(copy), copy.query(DATABASES)
    written = subject.cluster.query("SELECT pg_current_wal_insert_lsn()")
    done = prove(
        subject, bundle, *SHORT, *PAIRS, *WINDOW, "--copy", str(copy.data_directory), "-o", str(out)
    )
    assert done.returncode in (0, 1, 3, 4), done.stderr
    proof = proof_from_json(out.read_text(), str(out))
    assert (proof.server.is_copy, proof.server.data_directory) == (True, str(copy.data_directory))
    assert proof.server.system_identifier == system_identifier(subject.cluster)
    assert [each.id for each in proof.bundle.changes] == ["pg.work_mem"]
    assert "kernel.transparent_hugepage" in {each.what for each in proof.left_out}
    assert "The server itself ran on this machine too" in " ".join(proof.cannot_tell)
    assert len(proof.pairs) == 2
    assert f"in {copy.data_directory}, a copy of the server" in done.stdout
    assert (files_of(copy), copy.query(DATABASES)) == (before, databases)
    assert (as_before(subject), subject.started()) == (server, started)
    assert subject.cluster.query("SELECT pg_current_wal_insert_lsn()") == written
    assert not (subject.state / "prove").exists()
