"""A bundle on a real cluster of Patroni's: applied, compared, restarted in order, rolled back to the byte."""

import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import pytest

from fixtures_patroni import PatroniCluster
from small_plans import small_answers, small_facts, small_plan
from tunewiz.bundle.keepers.keeper_bundle import Texts, kept_plan, write_kept_bundle
from tunewiz.core.keepers.rulebook import NotTaken, judged
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.versions import Major
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.knowledge.keepers import load_rulebook
from tunewiz.knowledge.loading import load_settings

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("patroni")]

WANTED = {"pg.jit": "off", "pg.max_connections": "80", "pg.shared_buffers": "64MB", "pg.work_mem": "24MB"}
SHOWN = "SELECT string_agg(name || '=' || setting, ' ' ORDER BY name) FROM pg_settings WHERE name IN {}"
NAMES = "('max_connections', 'shared_buffers', 'work_mem', 'jit', 'checkpoint_timeout')"
BEFORE = "checkpoint_timeout=300 jit=on max_connections=50 shared_buffers=16384 work_mem=4096"
AFTER = "checkpoint_timeout=300 jit=off max_connections=80 shared_buffers=8192 work_mem=24576"
DROPPED = {"max_connections": "20", "checkpoint_timeout": "2h30x"}
CLIENTS = 2
SECONDS_TO_HANG = SECONDS_TO_REVERT = 90
SECONDS_TO_READ = 4
"""Members look every second (loop_wait)."""


class Load:
    """pgbench on the primary, started anew whenever a restart has cut it off; counts what was committed."""

    def __init__(self, cluster: PatroniCluster) -> None:
        self.cluster = cluster
        self.acknowledged = 0
        self.cut_off = 0
        self.ending = threading.Event()
        self.script = cluster.directory / "insert.sql"
        self.script.write_text("INSERT INTO acknowledged DEFAULT VALUES;\n")
        self.port = cluster.ports[cluster.leader()]
        self.thread = threading.Thread(target=self.run)

    def __enter__(self) -> Self:
        self.cluster.query(self.cluster.leader(), "CREATE TABLE acknowledged (number serial)")
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ending.set()
        self.thread.join()

    def run(self) -> None:
        """Until it is told to end."""
        pgbench = self.cluster.programs.bin_directory / "pgbench"
        where = ("-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "postgres")
        command = (pgbench, "-n", "-c", str(CLIENTS), "-R", "100", "-T", "2", "-f", self.script, *where)
        while not self.ending.is_set():
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            counted = re.search(r"actually processed: (\d+)", done.stdout)
            self.acknowledged += int(counted[1]) if counted else 0
            self.cut_off += done.returncode != 0


def bundle(directory: Path, wanted: Mapping[str, str] = WANTED) -> Path:
    """The bundle of a plan that saw this cluster as it begins."""
    facts = small_facts(Given(settings={"max_connections": "50", "shared_buffers": "128MB"}), owner="patroni")
    plan = small_plan(facts, wanted)
    kept = kept_plan(plan, "patroni", load_rulebook("patroni"))
    texts = Texts(facts_json=facts_to_json(facts), answers_toml=answers_to_toml(small_answers()))
    write_kept_bundle(plan, kept, directory, texts)
    return directory


def shown(cluster: PatroniCluster) -> list[str]:
    return [cluster.query(member, SHOWN.format(NAMES)) for member in range(len(cluster.ports))]


def test_a_cluster_is_changed_restarted_in_order_and_put_back_to_the_byte(
    patroni_cluster: PatroniCluster, tmp_path: Path
) -> None:
    cluster = patroni_cluster
    made, before, primary = bundle(tmp_path / "b"), cluster.stored(), cluster.leader()
    assert shown(cluster) == [BEFORE, BEFORE]

    with Load(cluster) as load:
        applied = cluster.script(made / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    restarted = re.findall(r"^restart pg(\d)", applied.out, re.MULTILINE)
    assert restarted == [str(2 - primary), str(primary + 1)], "a raised limit: the standby first"
    assert shown(cluster) == [AFTER, AFTER]
    assert cluster.leader() == primary, "nothing failed over"
    rows = int(cluster.query(primary, "SELECT count(*) FROM acknowledged"))
    assert 0 < load.acknowledged <= rows <= load.acknowledged + load.cut_off * CLIENTS
    assert load.cut_off >= 1, "the primary was restarted under load"

    assert cluster.script(made / "verify.sh").status == 0
    assert cluster.script(made / "apply.sh").status == 3

    undone = cluster.script(made / "rollback.sh")
    assert (undone.status, undone.err) == (0, "")
    restarted = re.findall(r"^restart pg(\d)", undone.out, re.MULTILINE)
    assert restarted == [str(primary + 1), str(2 - primary)], "a lowered limit: the primary first"
    assert shown(cluster) == [BEFORE, BEFORE]
    assert cluster.stored() == before


def test_a_value_that_patroni_drops_in_silence_is_refused_before(
    patroni_cluster: PatroniCluster, tmp_path: Path
) -> None:
    cluster, settings, rules = patroni_cluster, load_settings()[Major.parse("15")], load_rulebook("patroni")
    before = cluster.stored()
    answer = cluster.control(
        "edit-config", "--force", *(f"-p{name}={text}" for name, text in DROPPED.items())
    )
    assert "Configuration changed" in answer
    time.sleep(SECONDS_TO_READ)
    assert shown(cluster) == [BEFORE, BEFORE], "no member took them, and nobody was told"
    cluster.control("edit-config", "--force", "-pmax_connections=50", "-pcheckpoint_timeout=null")
    assert cluster.stored() == before

    assert all(isinstance(judged(rules, settings, name, text), NotTaken) for name, text in DROPPED.items())
    with pytest.raises(InputError, match="expected at least 25, found 20"):
        bundle(tmp_path / "low", {"pg.max_connections": "20"})


RACING = """#!/bin/sh
case " $* " in
    *" edit-config "*) "{real}" -c "{file}" edit-config --force -s {changed} >/dev/null 2>&1 ;;
esac
exec "{real}" "$@"
"""


@contextmanager
def patronictl_as(cluster: PatroniCluster, text: str, **named: object) -> Generator[None]:
    """Another program in its place, which knows where the real one is."""
    real = cluster.patronictl.rename(cluster.patronictl.with_name("patronictl.real"))
    cluster.patronictl.write_text(text.format(real=real, **named))
    cluster.patronictl.chmod(0o755)
    try:
        yield
    finally:
        real.rename(cluster.patronictl)


def test_what_someone_else_changes_meanwhile_is_not_overwritten(
    patroni_cluster: PatroniCluster, tmp_path: Path
) -> None:
    cluster = patroni_cluster
    before = cluster.stored()
    own = cluster.root / "etc/patroni/patroni.yml"
    with patronictl_as(cluster, RACING, file=own, changed="maximum_lag_on_failover=7"):
        lost = cluster.script(bundle(tmp_path / "b") / "apply.sh")
    assert lost.status == 5
    assert "someone else is changing it" in lost.err
    assert "Everything is as it was before." in lost.err
    assert shown(cluster) == [BEFORE, BEFORE]
    assert "maximum_lag_on_failover: 7" in cluster.control("show-config")
    cluster.control("edit-config", "--force", "-smaximum_lag_on_failover=null")
    assert cluster.stored() == before


HANGING = """#!/bin/sh
case " $* " in
    *" restart "*"{member} "*) : >"{reached}" && exec sleep 300 ;;
esac
exec "{real}" "$@"
"""


def killed_at_the_restart_of(cluster: PatroniCluster, member: int, made: Path) -> None:
    """Apply, and kill it with all that it started once it restarts that member."""
    reached = cluster.directory / "reached"
    with patronictl_as(cluster, HANGING, member=f"pg{member + 1}", reached=reached):
        environment = cluster.environment(made / "apply.sh")
        applying = subprocess.Popen(
            ("sh", made / "apply.sh"), env=environment, stdout=subprocess.DEVNULL, start_new_session=True
        )
        until = time.monotonic() + SECONDS_TO_HANG
        while not reached.exists():
            assert applying.poll() is None
            assert time.monotonic() < until
            time.sleep(0.1)
        os.killpg(applying.pid, signal.SIGKILL)
        applying.wait()
    reached.unlink()


def test_what_is_killed_between_two_restarts_is_put_back_to_the_byte(
    patroni_cluster: PatroniCluster, tmp_path: Path
) -> None:
    cluster = patroni_cluster
    made, before, primary = bundle(tmp_path / "b"), cluster.stored(), cluster.leader()
    killed_at_the_restart_of(cluster, primary, made)
    assert cluster.stored() != before
    limits = [cluster.query(member, "SHOW max_connections") for member in (primary, 1 - primary)]
    assert limits == ["50", "80"], "the standby was restarted, the primary was not"

    undone = cluster.script(made / "rollback.sh")
    assert (undone.status, undone.err) == (0, "")
    assert cluster.stored() == before
    assert shown(cluster) == [BEFORE, BEFORE]
    assert cluster.leader() == primary
    check_streams(cluster)


def check_streams(cluster: PatroniCluster) -> None:
    """The standby follows."""
    assert '"streaming"' in cluster.control("list", "-f", "json")


MINUTES_GO_BY = """#!/bin/sh
# Minutes pass when the test says so; anything shorter is waited for.
[ "$1" -ge 60 ] 2>/dev/null || exec /bin/sleep "$@"
read -r _ <"{time}"
"""


def test_what_is_not_confirmed_in_time_is_taken_back_by_itself(
    patroni_cluster: PatroniCluster, tmp_path: Path
) -> None:
    cluster, passing = patroni_cluster, tmp_path / "time"
    os.mkfifo(passing)
    made, before = bundle(tmp_path / "b"), cluster.stored()

    sleep = cluster.patronictl.with_name("sleep")
    sleep.write_text(MINUTES_GO_BY.format(time=passing))
    sleep.chmod(0o755)
    try:
        applied = cluster.script(made / "apply.sh", "--confirm-within", "1", "--watcher")
        assert (applied.status, applied.err) == (0, "")
        assert shown(cluster) == [AFTER, AFTER]
        end = os.open(passing, os.O_WRONLY | os.O_NONBLOCK)  # fails where nobody waits
        os.write(end, b"\n")
        os.close(end)
    finally:
        sleep.unlink()
    pending = tmp_path / "state" / "pending"
    until = time.monotonic() + SECONDS_TO_REVERT
    while pending.exists():
        assert time.monotonic() < until, [path.read_text() for path in tmp_path.glob("state/*/watcher.log")]
        time.sleep(0.2)
    assert shown(cluster) == [BEFORE, BEFORE]
    assert cluster.stored() == before
    check_streams(cluster)


def test_a_member_that_has_its_own_value_is_named(patroni_cluster: PatroniCluster, tmp_path: Path) -> None:
    cluster = patroni_cluster
    standby = 1 - cluster.leader()
    cluster.query(standby, "ALTER SYSTEM SET work_mem = '5MB'")
    try:
        cluster.query(standby, "SELECT pg_reload_conf()")
        time.sleep(1)
        refused = cluster.script(bundle(tmp_path / "b") / "apply.sh")
    finally:
        cluster.query(standby, "ALTER SYSTEM RESET work_mem")
        cluster.query(standby, "SELECT pg_reload_conf()")
    assert refused.status == 4
    assert f"work_mem on pg{standby + 1}: 4MB when planned, found 5MB" in refused.err
    assert f"work_mem on pg{standby + 1}: is set by ALTER SYSTEM, which overrides it" in refused.err
