"""Drop-ins for a systemd unit: put in place, read by systemd, and taken back."""

from pathlib import Path

import pytest

from pretend_root import PretendRoot, make_root
from small_host import host_bundle, put_program, put_systemd
from tunewiz.core.recommendation.targets import Effect
from tunewiz.kinds.unit import UnitDropIn

UNIT = "postgresql.service"
DROP_IN = f"/etc/systemd/system/{UNIT}.d/90-tunewiz.conf"
PROTECTED = UnitDropIn(
    unit=UNIT,
    lines=(("OOMScoreAdjust", "-900"), ("Environment", "PG_OOM_ADJUST_FILE=/proc/self/oom_score_adj")),
)


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    made = make_root(tmp_path)
    put_systemd(made, UNIT)
    return made


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return host_bundle(tmp_path / "bundle", PROTECTED, effect=Effect.RESTART)


def loaded(machine: PretendRoot) -> str:
    """Our drop-in as systemd has read it."""
    file = machine.root.parent / "read-units" / f"{UNIT}.d" / "90-tunewiz.conf"
    return file.read_text() if file.exists() else ""


def test_a_drop_in_is_put_in_place_read_verified_and_taken_back(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    applied = machine.run(bundle / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    assert machine.read(DROP_IN).splitlines()[1:] == [
        "[Service]",
        "OOMScoreAdjust=-900",
        "Environment=PG_OOM_ADJUST_FILE=/proc/self/oom_score_adj",
    ]
    assert loaded(machine) == machine.read(DROP_IN)
    verified = machine.run(bundle / "verify.sh")
    assert (verified.status, verified.out.count("as planned  ")) == (0, 2)
    assert machine.run(bundle / "apply.sh").status == 3
    assert machine.run(bundle / "rollback.sh").status == 0
    assert machine.tree() == before
    assert loaded(machine) == ""


def test_a_masked_unit_is_refused(machine: PretendRoot, bundle: Path) -> None:
    machine.path(f"/etc/systemd/system/{UNIT}").symlink_to("/dev/null")
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert f"{UNIT}: systemd says it is masked" in ran.err
    assert machine.tree() == before


def test_a_unit_that_systemd_does_not_know_is_refused(machine: PretendRoot, bundle: Path) -> None:
    machine.path(f"/usr/lib/systemd/system/{UNIT}").unlink()
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "systemd does not know this unit" in ran.err


@pytest.mark.parametrize("missing", ["/run/systemd/system", "/usr/bin/systemctl"])
def test_without_systemd_it_is_refused_and_no_other_systemd_is_asked(
    missing: str, machine: PretendRoot, bundle: Path
) -> None:
    machine.path(missing).rename(machine.root / "away")
    ran = machine.run(bundle / "apply.sh")
    result = [line for line in ran.err.splitlines() if line.startswith("  ")]
    assert (ran.status, result) == (4, [f"  {DROP_IN}: systemd does not run this machine"])


def test_a_machine_that_systemd_no_longer_runs_is_told_by_verify(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh")
    machine.path("/run/systemd/system").rmdir()
    ran = machine.run(bundle / "verify.sh")
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.count("DIFFERS") == 2


def test_a_drop_in_that_systemd_takes_otherwise_by_now_is_not_confirmed(
    machine: PretendRoot, bundle: Path
) -> None:
    before = machine.tree()
    machine.run(bundle / "apply.sh", "--confirm-within", "10", "--watcher")
    read = machine.root.parent / "read-units" / f"{UNIT}.d" / "90-tunewiz.conf"
    read.write_text(read.read_text().replace("OOMScoreAdjust=-900", "OOMScoreAdjust=0"))
    ran = machine.run(bundle / "apply.sh", "--confirm")
    assert ran.status == 4
    assert ran.err.splitlines()[0] == f"  {UNIT}: planned OOMScoreAdjust=-900, systemd has 0"
    assert machine.run(bundle / "rollback.sh").status == 0
    assert machine.tree() == before


def test_other_variables_of_the_same_unit_do_not_hide_ours(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh")
    machine.write(f"/etc/systemd/system/{UNIT}.d/95-site.conf", "[Service]\nEnvironment=LANG=C\n")
    (machine.root.parent / "read-units" / f"{UNIT}.d" / "95-site.conf").write_text("Environment=LANG=C\n")
    assert machine.run(bundle / "verify.sh").status == 0


def test_a_later_drop_in_with_other_variables_is_no_rival(machine: PretendRoot, bundle: Path) -> None:
    machine.write(f"/etc/systemd/system/{UNIT}.d/override.conf", "[Service]\nEnvironment=LANG=C\n")
    assert machine.run(bundle / "apply.sh").status == 0
    assert machine.run(bundle / "verify.sh").status == 0


def test_a_later_drop_in_that_sets_the_same_is_refused(machine: PretendRoot, bundle: Path) -> None:
    machine.write(f"/etc/systemd/system/{UNIT}.d/override.conf", "[Service]\nOOMScoreAdjust = 0\n")
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "override.conf sets it too" in ran.err


def test_a_drop_in_of_someone_elses_beside_ours_stays(machine: PretendRoot, bundle: Path) -> None:
    machine.write(f"/etc/systemd/system/{UNIT}.d/10-site.conf", "[Service]\nOOMScoreAdjust=0\n")
    before = machine.tree()
    assert machine.run(bundle / "apply.sh").status == 0
    assert machine.run(bundle / "rollback.sh").status == 0
    assert machine.tree() == before


def test_a_unit_file_that_systemd_has_not_read_is_refused(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh")
    machine.run(bundle / "rollback.sh")
    machine.write(f"/etc/systemd/system/{UNIT}.d/10-site.conf", "[Service]\nNice=1\n")
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "has not loaded what others changed" in ran.err


def test_where_systemd_fails_to_read_it_everything_is_undone(
    machine: PretendRoot, bundle: Path, tmp_path: Path
) -> None:
    failing = machine.read("/usr/bin/systemctl").replace(
        "daemon-reload)\n", f"daemon-reload)\n        [ ! -e {tmp_path}/fail ] || exit 1\n"
    )
    put_program(machine, "systemctl", failing)
    before = machine.tree()
    (tmp_path / "fail").touch()
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 5
    assert "systemd did not reload its units" in ran.err
    assert not machine.path(DROP_IN).exists()
    (tmp_path / "fail").unlink()
    machine.run(bundle / "rollback.sh")
    assert (machine.tree(), loaded(machine)) == (before, "")


@pytest.mark.parametrize("script", ["apply.sh", "rollback.sh"])
def test_what_a_killed_run_did_not_have_read_is_read_by_the_next(
    script: str, machine: PretendRoot, bundle: Path
) -> None:
    whole = machine.read("/usr/bin/systemctl")
    machine.run(bundle / "apply.sh")
    if script == "apply.sh":
        machine.run(bundle / "rollback.sh")
    deadly = "daemon-reload)\n        kill -KILL $PPID; exit 1\n"
    put_program(machine, "systemctl", whole.replace("daemon-reload)\n", deadly))
    assert machine.run(bundle / script).status < 0
    put_program(machine, "systemctl", whole)
    assert machine.run(bundle / script).status == 0
    assert loaded(machine) == (machine.read(DROP_IN) if script == "apply.sh" else "")


def test_a_drop_in_that_someone_changed_since_is_left_alone(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh")
    machine.write(DROP_IN, "[Service]\nOOMScoreAdjust=-500\n")
    ran = machine.run(bundle / "rollback.sh")
    assert ran.status == 4
    assert machine.read(DROP_IN) == "[Service]\nOOMScoreAdjust=-500\n"


def test_a_dry_run_tells_it_and_changes_nothing(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh", "--dry-run")
    assert f"would put {DROP_IN} in place" in ran.out
    assert machine.tree() == before
    assert not (machine.root.parent / "read-units").exists()
