"""`tunewiz watch` goes on through a restart and a reset of a real server, and ends cleanly when told."""

import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from command_line import tunewiz
from live_servers import let_in
from real_postgres import Cluster
from tunewiz.collect.ring.reading import Ring, read_ring
from tunewiz.collect.ring.stretches import breaks
from tunewiz.core.facts.look import RESET, STARTED
from tunewiz.core.values.known import Known
from tunewiz.formats.records import facts_from_json
from tunewiz.formats.ring import HEAD
from waiting import until


@contextmanager
def watching(cluster: Cluster, ring: Path) -> Generator[subprocess.Popen[str]]:
    """The command, ended in any case."""
    command = (sys.executable, "-m", "tunewiz", "watch", "--every", "1s", "--keep", "10min", "--ring", ring)
    process = subprocess.Popen((*command, *where(cluster)), stderr=subprocess.PIPE, text=True)
    try:
        until(lambda: ring.exists() and ring.stat().st_size > HEAD and len(read_ring(ring).looks) >= 2)
        yield process
    finally:
        process.kill()
        process.communicate()


def where(cluster: Cluster) -> tuple[str, ...]:
    return ("--host", str(cluster.socket_directory), "--port", str(cluster.port))


def grows(path: Path, looks: int) -> None:
    before = len(read_ring(path).looks)
    until(lambda: len(read_ring(path).looks) >= before + looks)


def broken(ring: Ring) -> list[str]:
    return [why for _, why in breaks(ring.looks, ring.head.every)]


@pytest.mark.slow
def test_a_restart_and_a_reset_are_told_and_the_busiest_part_becomes_facts(
    running_cluster: Cluster, tmp_path: Path
) -> None:
    let_in(running_cluster, "local all all trust")
    path = tmp_path / "kept/ring"
    with watching(running_cluster, path) as process:
        running_cluster.query("create table t as select generate_series(1, 50000) as n")
        grows(path, 3)
        running_cluster.query("select pg_stat_reset()")
        grows(path, 3)
        running_cluster.restart()
        grows(path, 4)
        second = tunewiz("watch", "--ring", path, *where(running_cluster))
        assert second.status == 2
        assert "another `tunewiz watch` is writing it" in second.one_message
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=20)[1]
        assert process.returncode == 0
    ring = read_ring(path)
    assert (broken(ring).count("reset"), broken(ring).count("restart"), ring.damaged) == (1, 1, 0)
    assert {STARTED, RESET} <= ring.looks[-1].numbers.keys()
    assert said.count("trying again") == 1
    shown = tunewiz("watch", "--show", "--ring", path)
    assert (shown.status, shown.err) == (0, "")
    assert "1 restart, 1 reset of statistics" in shown.out
    assert re.search(r"wait|active time", shown.out), shown.out
    facts = tunewiz("facts", "--watched", path, *where(running_cluster))
    window = facts_from_json(facts.out, "standard output").postgres[0].window
    assert isinstance(window, Known)
    assert window.how.startswith(f"watched in the busiest hour that {path} holds: ")
    assert isinstance(window.value.commits, Known)
    assert window.value.commits.value >= 1
    assert window.value.curves


@pytest.mark.slow
def test_a_server_that_is_down_is_waited_for(running_cluster: Cluster, tmp_path: Path) -> None:
    let_in(running_cluster, "local all all trust")
    path = tmp_path / "ring"
    with watching(running_cluster, path) as process:
        running_cluster.stop()
        assert process.stderr is not None
        before = process.stderr.readline()
        while "trying again" not in before:
            assert process.poll() is None, before
            before += process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
        assert "Traceback" not in before + process.stderr.read()


def test_nothing_that_was_kept_says_what_keeps_it(running_cluster: Cluster) -> None:
    let_in(running_cluster, "local all all trust")
    ended = tunewiz("watch", "--show", *where(running_cluster))
    assert ended.status == 2
    assert "`tunewiz watch` records them while it runs" in ended.err
