"""A server that takes no further connection is left alone, and the reason is told in plain words."""

import subprocess
from contextlib import ExitStack

import pytest

from inherited_state import postmaster
from real_subject import MakeSubject

pytestmark = pytest.mark.slow

REFUSED = 4
SLOTS = 6


def test_case_119_a_server_whose_slots_are_all_taken_is_left_alone(make_subject: MakeSubject) -> None:
    subject = make_subject()
    cluster, bundle = subject.cluster, subject.bundle({"pg.work_mem": "24MB"})
    with cluster.config_file.open("a") as config:
        config.write(f"max_connections = {SLOTS}\nmax_wal_senders = 0\nsuperuser_reserved_connections = 2\n")
    cluster.restart()
    number, before = postmaster(cluster), subject.configuration()
    place = ("-h", cluster.socket_directory, "-p", str(cluster.port), "-U", cluster.os_user, "-d", "postgres")
    with ExitStack() as open_sessions:
        for _ in range(SLOTS):
            line = (cluster.programs.psql, "-XAtq", *place)
            session = open_sessions.enter_context(
                subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            )
            assert session.stdin is not None
            assert session.stdout is not None
            session.stdin.write("SELECT 1;\n")
            session.stdin.flush()
            assert session.stdout.readline() == "1\n"
            open_sessions.callback(session.kill)
        ran = subject.run(bundle / "apply.sh")
    assert (ran.status, "accepts no connection: all its connection slots are taken" in ran.err) == (
        REFUSED,
        True,
    )
    assert (subject.configuration(), postmaster(cluster)) == (before, number)
