"""A bundle that someone else could change while it runs is not run."""

import os
from pathlib import Path

import pytest

from pretend_root import PretendRoot, make_root
from small_bundles import small_bundle

SCRIPTS = ("apply.sh", "rollback.sh", "verify.sh")
NOBODY = 65534
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    return make_root(tmp_path)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    (tmp_path / "place").mkdir(mode=0o755)
    return small_bundle(tmp_path / "place" / "bundle")


def refused(machine: PretendRoot, script: Path, named: Path) -> bool:
    before = machine.tree()
    ran = machine.run(script)
    assert machine.tree() == before
    assert not machine.state.exists()
    return ran.status == 2 and ran.err.startswith("Refused, nothing was") and f"  {named}: " in ran.err


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("mode", [0o775, 0o757], ids=oct)
def test_case_50_a_bundle_that_others_may_write_to_is_refused(
    script: str, mode: int, machine: PretendRoot, bundle: Path
) -> None:
    bundle.chmod(mode)
    assert refused(machine, bundle / script, bundle)


@pytest.mark.parametrize("name", ["steps.txt", "lib/base.sh", "apply.sh", "lib"])
def test_case_50_a_part_of_it_that_others_may_write_to_is_refused(
    name: str, machine: PretendRoot, bundle: Path
) -> None:
    (bundle / name).chmod(0o775)
    assert refused(machine, bundle / "apply.sh", bundle / name)


@pytest.mark.parametrize("mode", [0o775, 0o777], ids=oct)
def test_case_50_a_directory_above_that_others_may_write_to_is_refused(
    mode: int, machine: PretendRoot, bundle: Path
) -> None:
    bundle.parent.chmod(mode)
    assert refused(machine, bundle / "apply.sh", bundle.parent)


def test_a_sticky_directory_above_is_as_good_as_any(machine: PretendRoot, bundle: Path) -> None:
    bundle.parent.chmod(0o1777)
    assert machine.run(bundle / "apply.sh").status == 0


@as_root
def test_a_sticky_directory_above_that_is_someone_elses_is_refused(
    machine: PretendRoot, bundle: Path
) -> None:
    bundle.parent.chmod(0o1777)
    os.chown(bundle.parent, NOBODY, NOBODY)
    assert refused(machine, bundle / "apply.sh", bundle.parent)


@as_root
@pytest.mark.parametrize("name", ["", "steps.txt", "lib"])
def test_what_belongs_to_someone_else_is_refused(name: str, machine: PretendRoot, bundle: Path) -> None:
    os.chown(bundle / name, NOBODY, NOBODY)
    assert refused(machine, bundle / "apply.sh", bundle / name)


@as_root
def test_who_calls_by_sudo_is_trusted_with_a_home_of_their_own(
    machine: PretendRoot, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (bundle.parent, bundle, *bundle.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    assert refused(machine, bundle / "apply.sh", bundle)
    monkeypatch.setenv("SUDO_UID", str(NOBODY))
    assert machine.run(bundle / "apply.sh").status == 0


def test_a_link_inside_is_refused(machine: PretendRoot, bundle: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "steps.txt"
    (bundle / "steps.txt").rename(elsewhere)
    (bundle / "steps.txt").symlink_to(elsewhere)
    assert refused(machine, bundle / "apply.sh", bundle / "steps.txt")


def test_a_bundle_that_only_its_owner_can_write_is_applied_verified_and_taken_back(
    machine: PretendRoot, bundle: Path
) -> None:
    ran = [machine.run(bundle / script) for script in ("apply.sh", "verify.sh", "rollback.sh")]
    assert [entry.status for entry in ran] == [0, 0, 0]
