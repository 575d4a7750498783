"""A drop-in for the unit of a real server: what the server has of it, and what it waits for."""

from pathlib import Path

import pytest

from pretend_root import PretendRoot, Ran
from real_postgres import Cluster
from server_in_root import facts_for, machine_of
from small_host import host_bundle, put_systemd
from tunewiz.core.recommendation.targets import Effect
from tunewiz.kinds.unit import UnitDropIn

UNIT = "postgresql.service"
SITE = f"/etc/systemd/system/{UNIT}.d/10-site.conf"


@pytest.fixture
def machine(database: Cluster, tmp_path: Path) -> PretendRoot:
    """With a systemd that never started the server."""
    made = machine_of(database, tmp_path / "state")
    put_systemd(made, UNIT)
    return made


def process(database: Cluster, file: str) -> str:
    """What the kernel tells of the server's first process."""
    number = (database.data_directory / "postmaster.pid").read_text().split()[0]
    return Path(f"/proc/{number}/{file}").read_text()


def applied(database: Cluster, machine: PretendRoot, bundle: Path) -> None:
    """Puts it in place while the server is down, which runs again afterwards."""
    database.stop()
    assert machine.run(bundle / "apply.sh").status == 0
    database.start()


def bundle_of_lines(database: Cluster, directory: Path, *lines: tuple[str, str]) -> Path:
    action = UnitDropIn(unit=UNIT, lines=lines)
    return host_bundle(directory, action, effect=Effect.RESTART, facts=facts_for(database))


def waiting(ran: Ran) -> bool:
    return f"Waiting for a restart of the server: {UNIT}" in ran.out.splitlines()


def test_a_unit_that_does_not_run_the_server_is_refused(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    bundle = bundle_of_lines(database, tmp_path / "bundle", ("OOMScoreAdjust", "300"))
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert f"{UNIT}: the server is run by no unit" in ran.err


def test_what_the_server_does_not_have_yet_waits_for_its_restart(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    lines = (("OOMScoreAdjust", "300"), ("Environment", "TUNEWIZ_NEVER_SET=1"))
    bundle = bundle_of_lines(database, tmp_path / "bundle", *lines)
    applied(database, machine, bundle)
    verified = machine.run(bundle / "verify.sh")
    assert verified.status == 1
    assert verified.out.count("(waits for a restart of the server)") == len(lines)
    assert "would restart the server" in machine.run(bundle / "rollback.sh", "--dry-run").out
    assert waiting(machine.run(bundle / "rollback.sh", "--no-restart"))


def test_what_the_server_has_already_waits_for_nothing(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    score, variables = process(database, "oom_score_adj").strip(), process(database, "environ").split("\0")
    (locale,) = (variable for variable in variables if variable.startswith("LC_ALL="))
    lines = (("OOMScoreAdjust", score), ("Environment", locale))
    bundle = bundle_of_lines(database, tmp_path / "bundle", *lines)
    machine.write(SITE, f"[Service]\nOOMScoreAdjust={score}\n")
    applied(database, machine, bundle)
    verified = machine.run(bundle / "verify.sh")
    assert (verified.status, verified.out.count("as planned  ")) == (0, len(lines))
    ran = machine.run(bundle / "rollback.sh")
    assert (ran.status, ran.err, waiting(ran)) == (0, "", False)
