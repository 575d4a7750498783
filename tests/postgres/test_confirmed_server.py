"""What is looked at again of a real server before a change is confirmed."""

from pathlib import Path

from pretend_root import PretendRoot, Ran
from real_postgres import Cluster
from server_in_root import DROP_IN, bundle_for, machine_of

DONE, REFUSED = 0, 4
WITH_A_TIME = ("--confirm-within", "5", "--watcher")


def refused_for(ran: Ran, why: str) -> bool:
    """Whether that alone keeps the change from being confirmed."""
    result = [line for line in ran.err.splitlines() if line.startswith("  ")]
    return ran.status == REFUSED and len(result) == 1 and why in result[0]


def test_case_56_a_server_that_is_not_as_it_was_left_is_not_confirmed(
    database: Cluster, tmp_path: Path
) -> None:
    machine, conf_d = machine_of(database, tmp_path / "state"), database.data_directory / "conf.d"
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.work_mem": "24MB"})
    assert machine.run(bundle / "apply.sh", *WITH_A_TIME).status == DONE

    later = conf_d / "zzz-later.conf"
    database.run("sh", "-c", f"echo \"work_mem = '5MB'\" >{later}")
    assert refused_for(confirm(machine, bundle), "work_mem: the files give 5MB, planned was 24MB")

    database.query("SELECT pg_reload_conf()")
    reloaded(database, "5MB")
    later.unlink()
    assert refused_for(confirm(machine, bundle), "work_mem: planned 24MB, the server has 5MB")

    database.stop()
    assert refused_for(confirm(machine, bundle), "the server is down")

    database.start()
    assert (machine.state / "pending").exists()
    assert confirm(machine, bundle).status == DONE
    assert not (machine.state / "pending").exists()
    assert database.query("SHOW work_mem") == "24MB"


def test_a_setting_that_was_left_to_wait_for_a_restart_may_be_confirmed(
    database: Cluster, tmp_path: Path
) -> None:
    machine = machine_of(database, tmp_path / "state")
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.shared_buffers": "192MB"})
    assert machine.run(bundle / "apply.sh", *WITH_A_TIME, "--no-restart").status == DONE
    ran = confirm(machine, bundle)
    assert (ran.status, ran.err) == (DONE, "")
    assert database.query("SHOW shared_buffers") == "128MB"
    assert (database.data_directory / DROP_IN).exists()


def confirm(machine: PretendRoot, bundle: Path) -> Ran:
    return machine.run(bundle / "apply.sh", "--confirm")


def reloaded(cluster: Cluster, work_mem: str) -> None:
    """New connections have it once the postmaster has read its files."""
    for _ in range(100):
        if cluster.query("SHOW work_mem") == work_mem:
            return
    raise AssertionError(f"the server did not come to {work_mem}")
