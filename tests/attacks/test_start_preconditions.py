"""A server is stopped only when it would come up again, as what it is: a start is tried before."""

import random
import shutil
import subprocess
import time

import pytest

from fixtures_postgres import MakeCluster
from real_postgres import Cluster
from real_subject import MakeSubject, Subject
from start_faults import FAULTS, SIGNAL_FILES, prepare
from tools_here import need

pytestmark = pytest.mark.slow

DONE, REFUSED, UNDONE, NOT_RESTORED = 0, 4, 5, 5
WANTED = {"pg.shared_buffers": "192MB", "pg.work_mem": "24MB"}


def drawn_faults(cluster: Cluster) -> list[str]:
    """Those that a server of that major can have, in any order."""
    old = cluster.programs.major.partition(".")[0] in {"9", "10", "11"}
    apart: set[str] = set(SIGNAL_FILES) if old else set()
    return random.sample(sorted(set(FAULTS) - apart), k=len(set(FAULTS) - apart))


def stands(subject: Subject) -> tuple[str, str, str]:
    """Which process of the server answers, in which role, with what."""
    query = subject.cluster.query
    return subject.started(), query("SELECT pg_is_in_recovery()"), query("SHOW shared_buffers")


@pytest.fixture
def subject(make_subject: MakeSubject) -> Subject:
    need("openssl")
    made = make_subject()
    prepare(made.cluster)
    return made


def test_case_131_apply_refuses_to_stop_a_server_that_would_not_start_again(subject: Subject) -> None:
    bundle, before, files = subject.bundle(WANTED), stands(subject), subject.configuration()
    for name in drawn_faults(subject.cluster):
        with FAULTS[name].made(subject.cluster):
            ran = subject.run(bundle / "apply.sh")
            overridden = name.startswith("one of our settings")
            refusal = (UNDONE, "overrides ours") if overridden else (REFUSED, FAULTS[name].reason)
            assert (ran.status, refusal[1] in ran.err) == (refusal[0], True), f"{name}: {ran.said}"
            assert stands(subject) == before, name
    assert subject.configuration().keys() == files.keys()
    assert subject.run(bundle / "apply.sh").status == DONE


def test_case_131_a_rollback_by_hand_refuses_to_stop_a_server_that_would_not_start_again(
    subject: Subject,
) -> None:
    bundle = subject.bundle(WANTED)
    assert subject.run(bundle / "apply.sh").status == DONE
    applied = stands(subject)
    for name in drawn_faults(subject.cluster):
        with FAULTS[name].made(subject.cluster):
            ran = subject.run(bundle / "rollback.sh")
            assert (ran.status, "as it was before" in ran.said) in {
                (REFUSED, False),
                (NOT_RESTORED, False),
            }, f"{name}: {ran.said}"
            assert FAULTS[name].reason in ran.err, f"{name}: {ran.said}"
            assert stands(subject) == applied, name
    ran = subject.run(bundle / "rollback.sh")
    assert (ran.status, stands(subject)[2]) == (DONE, "128MB"), ran.said


def test_case_131_a_deadline_leaves_a_server_running_that_would_not_start_again(subject: Subject) -> None:
    bundle = subject.bundle(WANTED)
    assert subject.run(bundle / "apply.sh").status == DONE
    applied = stands(subject)
    for name in drawn_faults(subject.cluster):
        with FAULTS[name].made(subject.cluster):
            ran = subject.run(bundle / "rollback.sh", "--unless-confirmed")
            assert (ran.status, FAULTS[name].reason in ran.err) == (NOT_RESTORED, True), f"{name}: {ran.said}"
            assert stands(subject) == applied, name
            assert subject.show()["work_mem"] == "4MB", name
    assert subject.run(bundle / "rollback.sh", "--unless-confirmed").status == DONE
    assert stands(subject)[2] == "128MB"


def test_case_131_a_deadline_tries_again_until_the_server_would_start(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle = subject.bundle(WANTED)
    assert subject.run(bundle / "apply.sh").status == DONE
    fired = ["sh", str(bundle / "rollback.sh"), "--unless-confirmed", "--keep-trying"]
    environment = {"TUNEWIZ_STATE_DIR": str(subject.state), **subject.cluster.environment}
    with FAULTS["pg_hba.conf is gone"].made(subject.cluster):
        trying = subprocess.Popen(fired, env=environment, stderr=subprocess.PIPE, text=True)
        while not list(subject.state.glob("*/again")):
            assert trying.poll() is None
            time.sleep(0.1)
        assert stands(subject)[2] == "192MB"
    _, said = trying.communicate(timeout=60)
    assert (trying.returncode, "It is tried again in 10 s." in said) == (DONE, True), said
    assert stands(subject)[2] == "128MB"
    assert not list(subject.state.glob("*/again"))


def test_case_132_a_standby_is_not_stopped_where_it_would_start_with_less_than_its_primary(
    make_subject: MakeSubject, make_cluster: MakeCluster
) -> None:
    primary = make_cluster()
    primary.start()
    standby = make_subject()
    cluster = standby.cluster
    cluster.stop()
    settings = cluster.config_file.read_text()
    shutil.rmtree(cluster.data_directory)
    where = ("-h", primary.socket_directory, "-p", str(primary.port))
    basebackup = primary.programs.bin_directory / "pg_basebackup"
    cluster.run(basebackup, *where, "-R", "-c", "fast", "-D", cluster.data_directory)
    cluster.run("mkdir", cluster.data_directory / "conf.d")
    cluster.config_file.write_text(settings)
    cluster.start()
    bundle = standby.bundle({"pg.max_connections": "150"})
    assert standby.run(bundle / "apply.sh").status == DONE
    since = standby.started()

    primary.query("ALTER SYSTEM SET max_connections = 120")
    primary.restart()
    here = primary.query("SELECT pg_current_wal_lsn()")
    while cluster.query(f"SELECT pg_last_wal_replay_lsn() >= '{here}'") != "t":
        time.sleep(0.1)

    for options, status in (((), REFUSED), (("--unless-confirmed",), NOT_RESTORED)):
        ran = standby.run(bundle / "rollback.sh", *options)
        assert (ran.status, "its primary has 120" in ran.err) == (status, True), ran.said
        assert (standby.started(), cluster.query("SELECT pg_is_in_recovery()")) == (since, "t")
    (cluster.data_directory / "standby.signal").rename(cluster.data_directory / "away")
    ran = standby.run(bundle / "rollback.sh")
    assert "would start as a primary" in ran.err, ran.said
    assert standby.started() == since
