"""Kernel and server together: a pretend root with a real PostgreSQL server in it."""

import dataclasses
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from faulty_programs import at_journal
from fixtures_postgres import MakeCluster
from pretend_root import FILES, SYSCTL_FILE, Entry, PretendRoot, entry
from real_postgres import Cluster
from server_in_root import gone
from small_plans import WANTED, small_answers, small_facts, small_plan
from tunewiz.bundle import write_bundle
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known
from tunewiz.formats.records import answers_to_toml, facts_to_json

SHOWN = {"shared_buffers": "256MB", "work_mem": "24MB"}
BEFORE = {"shared_buffers": "128MB", "work_mem": "4MB"}
ENOUGH = {**WANTED, "kernel.nr_hugepages": "200"}
"""PostgreSQL counts about 140 pages of 2 MB for 256MB of buffers."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class WholeMachine:
    """A pretend root whose data directory is a real cluster's."""

    cluster: Cluster
    machine: PretendRoot
    bundle: Path

    def show(self) -> dict[str, str]:
        """What the running server has."""
        return {name: self.cluster.query(f"SHOW {name}") for name in SHOWN}

    def files(self) -> dict[str, Entry]:
        """All that a bundle may touch: the machine without the server's own files, and its configuration."""
        root, data = self.machine.root, self.cluster.data_directory
        apart = (self.cluster.socket_directory, data, root / "usr", self.cluster.log_file)
        machine = (
            path for path in root.rglob("*") if not any(path == one or one in path.parents for one in apart)
        )
        configuration = (path for path in data.rglob("*.conf"))
        return {str(path): entry(path) for path in (*machine, *configuration)}

    def strike(self, program: str, at: int, signal: str = "KILL") -> None:
        """The Nth call of a program, by name, sends a signal to the script."""
        counter = self.bundle.parent / "calls"
        counter.write_text("0")
        shim = self.machine.path(f"/usr/bin/{program}")
        self.machine.write(
            f"/usr/bin/{program}",
            f"#!/bin/sh\nread calls <{counter}\ncalls=$((calls + 1))\necho $calls >{counter}\n"
            f'[ $calls -ne {at} ] || kill -{signal} $PPID\nexec {shutil.which(program)} "$@"\n',
        )
        shim.chmod(0o755)

    def disarm(self) -> int:
        """Takes the shims away; returns how often the last one was called."""
        shutil.rmtree(self.machine.path("/usr"))
        return int((self.bundle.parent / "calls").read_text())


MakeWhole = Callable[[Mapping[str, str]], WholeMachine]


@pytest.fixture
def make_whole(make_cluster: MakeCluster, tmp_path: Path) -> MakeWhole:
    def make(wanted: Mapping[str, str]) -> WholeMachine:
        cluster = make_cluster()
        cluster.run("mkdir", cluster.data_directory / "conf.d")
        with cluster.config_file.open("a") as config:
            config.write("include_dir = 'conf.d'\n")
        cluster.start()
        machine = PretendRoot(root=cluster.directory, state=tmp_path / "state")
        for path, content in FILES.items():
            if not path.startswith("/var/lib"):
                machine.write(path, content)
        facts = small_facts(
            Given(major=cluster.programs.major, settings={"shared_buffers": "128MB"}),
            data_directory=Known("/data", "test"),
            config_file=Known("/data/postgresql.conf", "test"),
            include_directory=Known("/data/conf.d", "test"),
        )
        bundle = tmp_path / "bundle"
        write_bundle(
            small_plan(facts, wanted), bundle, facts_to_json(facts), answers_to_toml(small_answers())
        )
        return WholeMachine(cluster=cluster, machine=machine, bundle=bundle)

    return make


@pytest.fixture
def whole(make_whole: MakeWhole) -> WholeMachine:
    return make_whole(ENOUGH)


def test_the_kernel_goes_first_on_the_way_in_and_last_on_the_way_back(whole: WholeMachine) -> None:
    before = whole.files()
    applied = whole.machine.run(whole.bundle / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    out = applied.out
    assert out.index("nr_hugepages") < out.index(SYSCTL_FILE) < out.index("zz-tunewiz.conf")
    assert out.index("zz-tunewiz.conf") < out.index("restart the server")
    assert whole.show() == SHOWN
    assert whole.machine.run(whole.bundle / "verify.sh").status == 0
    restored = whole.machine.run(whole.bundle / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    out = restored.out
    assert out.index("zz-tunewiz.conf") < out.index("restart the server") < out.index("nr_hugepages")
    assert whole.show() == BEFORE
    assert whole.files() == before


def test_a_server_that_does_not_come_up_takes_the_kernel_back_too(make_whole: MakeWhole) -> None:
    whole = make_whole({**ENOUGH, "pg.shared_preload_libraries": "nosuchlib"})
    before = whole.files()
    ran = whole.machine.run(whole.bundle / "apply.sh")
    assert ran.status == 5
    assert "nosuchlib" in ran.err
    assert whole.show() == BEFORE
    assert whole.files() == before


def test_a_server_that_a_killed_run_left_down_is_started_again(whole: WholeMachine) -> None:
    before = whole.files()
    at_journal(whole.machine, "server stopping", f"{gone(whole.cluster)}; kill -KILL $PPID")
    assert whole.machine.run(whole.bundle / "apply.sh").status < 0
    whole.machine.path("/usr/bin/sync").unlink()
    assert not whole.cluster.is_running()
    ran = whole.machine.run(whole.bundle / "rollback.sh")
    assert ran.status == 0
    assert whole.show() == BEFORE
    assert whole.files() == before


def prepared(whole: WholeMachine) -> int:
    """How often a whole run calls sync; the machine is as before afterwards."""
    whole.strike("sync", 0)
    whole.machine.run(whole.bundle / "apply.sh")
    calls = whole.disarm()
    whole.machine.run(whole.bundle / "rollback.sh")
    return calls


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("then", ["rollback.sh", "apply.sh"])
def test_case_5_apply_killed_at_any_write_is_taken_back_or_finished(then: str, whole: WholeMachine) -> None:
    before, calls = whole.files(), prepared(whole)
    for at in range(1, calls + 1):
        whole.strike("sync", at)
        whole.machine.run(whole.bundle / "apply.sh")
        whole.disarm()
        assert whole.machine.run(whole.bundle / then).status in (0, 3), f"killed at call {at}"
        if then == "apply.sh":
            assert whole.show() == SHOWN
            assert whole.machine.run(whole.bundle / "rollback.sh").status == 0
        assert whole.show() == BEFORE, f"killed at call {at}"
        assert whole.files() == before, f"killed at call {at}"


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_case_66_apply_told_to_stop_at_any_write_undoes_itself(whole: WholeMachine) -> None:
    before, calls = whole.files(), prepared(whole)
    for at in range(1, calls):
        whole.strike("sync", at, "TERM")
        assert whole.machine.run(whole.bundle / "apply.sh").status == 5, f"stopped at call {at}"
        whole.disarm()
        assert whole.show() == BEFORE, f"stopped at call {at}"
        assert whole.files() == before, f"stopped at call {at}"
