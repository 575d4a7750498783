"""zipl boots what it knew when it last ran: it runs again for a new entry, and for one that is gone."""

from pathlib import Path

import pytest

from boot_machines import zipl_machine
from small_host import host_bundle
from tunewiz.core.recommendation.targets import Effect
from tunewiz.kinds.boot import KernelArgument

GIVEN = "hugepagesz=1G hugepages=17"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    pages = KernelArgument(arguments=("hugepagesz=1G", "hugepages=17"))
    return host_bundle(tmp_path / "bundle", pages, effect=Effect.REBOOT)


def test_zipl_knows_the_entry_and_forgets_it_again(tmp_path: Path, bundle: Path) -> None:
    zipl = zipl_machine(tmp_path)
    zipl.machine.run(bundle / "apply.sh")
    assert GIVEN in zipl.machine.read("/boot/bootmap")
    zipl.machine.run(bundle / "rollback.sh")
    assert GIVEN not in zipl.machine.read("/boot/bootmap")


def test_where_zipl_fails_no_entry_stays(tmp_path: Path, bundle: Path) -> None:
    zipl = zipl_machine(tmp_path)
    before = zipl.machine.tree()
    (tmp_path / "fail").touch()
    ran = zipl.machine.run(bundle / "apply.sh")
    assert ran.status == 5
    assert "zipl: no space" in ran.err
    (tmp_path / "fail").unlink()
    assert zipl.machine.run(bundle / "rollback.sh").status == 0
    assert zipl.machine.tree() == before


def test_zipl_that_failed_in_a_rollback_is_run_by_the_next(tmp_path: Path, bundle: Path) -> None:
    zipl = zipl_machine(tmp_path)
    before = zipl.machine.tree()
    zipl.machine.run(bundle / "apply.sh")
    (tmp_path / "fail").touch()
    assert zipl.machine.run(bundle / "rollback.sh").status == 5
    (tmp_path / "fail").unlink()
    assert zipl.machine.run(bundle / "rollback.sh").status == 0
    assert zipl.machine.tree() == before


def test_an_apply_that_was_cut_off_before_zipl_runs_it_when_it_goes_on(tmp_path: Path, bundle: Path) -> None:
    zipl = zipl_machine(tmp_path)
    before = zipl.machine.read("/boot/bootmap")
    zipl.machine.run(bundle / "apply.sh")
    (journal,) = zipl.machine.state.glob("*/journal")
    journal.write_text(journal.read_text().partition("done")[0])
    (journal.parent / "applied").unlink()
    zipl.machine.write("/boot/bootmap", before)
    assert zipl.machine.run(bundle / "apply.sh").status == 0
    assert GIVEN in zipl.machine.read("/boot/bootmap")


def test_an_entry_that_became_the_default_of_zipl_is_as_planned(tmp_path: Path, bundle: Path) -> None:
    zipl = zipl_machine(tmp_path)
    zipl.machine.run(bundle / "apply.sh")
    zipl.boot_ours()
    assert zipl.machine.run(bundle / "verify.sh").status == 1
    conf = zipl.machine.read("/etc/zipl.conf")
    zipl.machine.write("/etc/zipl.conf", conf.replace("(Plow)", f"(Plow) (tunewiz: {GIVEN})"))
    assert zipl.machine.run(bundle / "verify.sh").status == 0
