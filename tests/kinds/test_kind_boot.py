"""Kernel arguments: a boot entry beside the default one, which no loader is ever told to leave."""

from pathlib import Path

import pytest

from boot_machines import ID, LOADERS, MACHINE, OPTIONS, BootMachine, grub_machine, put_variable
from small_host import host_bundle
from tunewiz.core.recommendation.targets import Effect
from tunewiz.kinds.boot import KernelArgument
from tunewiz.kinds.vacuum import VacuumSchedule

PAGES = KernelArgument(arguments=("hugepagesz=1G", "hugepages=17"))
CLOCK = KernelArgument(arguments=("clocksource=tsc",))
GIVEN = "hugepagesz=1G hugepages=17"


def boot_bundle(directory: Path, *actions: KernelArgument) -> Path:
    return host_bundle(directory, *(actions or (PAGES,)), effect=Effect.REBOOT)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return boot_bundle(tmp_path / "bundle")


@pytest.fixture(params=LOADERS)
def booted(request: pytest.FixtureRequest, tmp_path: Path) -> BootMachine:
    return LOADERS[request.param](tmp_path)


@pytest.fixture
def grub(tmp_path: Path) -> BootMachine:
    return grub_machine(tmp_path)


def test_a_second_entry_is_written_and_taken_away_again(booted: BootMachine, bundle: Path) -> None:
    before, first = booted.machine.tree(), booted.machine.read(booted.entry)
    applied = booted.machine.run(bundle / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    expected = first.replace(OPTIONS, f"{OPTIONS} {GIVEN}").replace("(Plow)", f"(Plow) (tunewiz: {GIVEN})")
    assert booted.machine.read(booted.ours) == expected
    assert booted.machine.read(booted.entry) == first
    restored = booted.machine.run(bundle / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    assert booted.machine.tree() == before


WAYS = {
    "grub": (f"grub2-reboot {ID}-tunewiz ", f"grub2-set-default {ID}-tunewiz\n"),
    "systemd-boot": (f"set-oneshot tunewiz-{ID}.conf ", f"set-default tunewiz-{ID}.conf\n"),
    "zipl": ("choose it in the boot menu", "as default= in /etc/zipl.conf, run zipl"),
}


@pytest.mark.parametrize("loader", WAYS)
def test_apply_ends_with_how_it_is_booted(loader: str, tmp_path: Path, bundle: Path) -> None:
    booted = LOADERS[loader](tmp_path)
    ran = booted.machine.run(bundle / "apply.sh")
    name = Path(booted.ours).stem
    assert f"NOT in force yet: {GIVEN} takes effect once the machine is booted with {name}." in ran.out
    assert all(way in ran.out for way in WAYS[loader])


def test_beside_other_changes_apply_ends_with_it_too(grub: BootMachine, tmp_path: Path) -> None:
    schedule = VacuumSchedule(by="cron", hour=3, minute=7, os_user="postgres", port=5432, socket_directory="")
    grub.machine.path("/etc/cron.d").mkdir()
    made = host_bundle(tmp_path / "both", PAGES, schedule, effect=Effect.REBOOT)
    ran = grub.machine.run(made / "apply.sh")
    assert ran.status == 0
    assert f"NOT in force yet: {GIVEN} takes effect once" in ran.out


def test_a_confirmation_looks_at_the_entry_again(grub: BootMachine, bundle: Path) -> None:
    grub.machine.run(bundle / "apply.sh", "--confirm-within", "60", "--watcher")
    content = grub.machine.read(grub.ours)
    grub.machine.write(grub.ours, content.replace("quiet", "debug"))
    refused = grub.machine.run(bundle / "apply.sh", "--confirm")
    assert refused.status == 4
    assert "is no longer as it was applied" in refused.err
    grub.machine.write(grub.ours, content)
    assert grub.machine.run(bundle / "apply.sh", "--confirm").status == 0


def test_verify_tells_that_it_waits_for_a_boot_and_whether_it_stays(grub: BootMachine, bundle: Path) -> None:
    grub.machine.run(bundle / "apply.sh")
    waits = grub.machine.run(bundle / "verify.sh")
    assert waits.status == 1
    assert f"planned {GIVEN}, running without" in waits.out
    assert '"pending_restart": true' in grub.machine.run(bundle / "verify.sh", "--json").out
    grub.boot_ours()
    once = grub.machine.run(bundle / "verify.sh")
    assert once.status == 1
    assert f"running {GIVEN}, configured not" in once.out
    assert f"the default entry is {ID}" in once.out
    grub.machine.write(
        "/boot/grub2/grubenv", grub.machine.read("/boot/grub2/grubenv").replace(ID, f"{ID}-tunewiz")
    )
    assert grub.machine.run(bundle / "verify.sh").status == 0


def test_after_a_boot_with_it_rollback_says_that_the_kernel_keeps_it(
    booted: BootMachine, bundle: Path
) -> None:
    before = booted.machine.tree()
    booted.machine.run(bundle / "apply.sh")
    booted.boot_ours()
    ran = booted.machine.run(bundle / "rollback.sh")
    assert ran.status == 0
    assert f"the running kernel keeps {GIVEN} until the next boot" in ran.out
    booted.machine.write("/proc/cmdline", booted.cmdline)
    assert booted.machine.tree() == before


CHOSEN = {
    "grub, once": ("/boot/grub2/grubenv", "boot_success", f"next_entry={ID}-tunewiz\nboot_success"),
    "grub": ("/boot/grub2/grubenv", f"saved_entry={ID}", f"saved_entry={ID}-tunewiz"),
    "systemd-boot": ("/efi/loader/loader.conf", f"{MACHINE}-*", f"tunewiz-{ID}.conf"),
    "zipl": ("/etc/zipl.conf", "(Plow)", f"(Plow) (tunewiz: {GIVEN})"),
}


@pytest.mark.parametrize("loader", CHOSEN)
def test_an_entry_that_was_made_the_default_is_not_taken_away_under_the_loader(
    loader: str, tmp_path: Path, bundle: Path
) -> None:
    booted = LOADERS[loader.partition(",")[0]](tmp_path)
    booted.machine.run(bundle / "apply.sh")
    path, old, new = CHOSEN[loader]
    former = booted.machine.read(path)
    booted.machine.write(path, former.replace(old, new))
    ran = booted.machine.run(bundle / "rollback.sh")
    assert ran.status == 5
    assert "was chosen since" in ran.err
    assert booted.machine.path(booted.ours).exists()
    booted.machine.write(path, former)
    assert booted.machine.run(bundle / "rollback.sh").status == 0
    assert not booted.machine.path(booted.ours).exists()


def test_an_entry_that_systemd_boot_boots_next_is_not_taken_away_either(tmp_path: Path, bundle: Path) -> None:
    booted = LOADERS["systemd-boot"](tmp_path)
    booted.machine.run(bundle / "apply.sh")
    put_variable(booted.machine, "LoaderEntryOneShot", Path(booted.ours).name)
    ran = booted.machine.run(bundle / "rollback.sh")
    assert ran.status == 5
    assert "set-oneshot chooses another one" in ran.err
    assert booted.machine.path(booted.ours).exists()


def test_an_entry_that_became_systemd_boot_s_default_is_as_planned(tmp_path: Path, bundle: Path) -> None:
    booted = LOADERS["systemd-boot"](tmp_path)
    booted.machine.run(bundle / "apply.sh")
    booted.boot_ours()
    put_variable(booted.machine, "LoaderEntrySelected", Path(booted.ours).name)
    assert booted.machine.run(bundle / "verify.sh").status == 1
    put_variable(booted.machine, "LoaderEntryDefault", Path(booted.ours).name)
    assert booted.machine.run(bundle / "verify.sh").status == 0


def test_a_second_run_of_either_script_does_nothing(booted: BootMachine, bundle: Path) -> None:
    booted.machine.run(bundle / "apply.sh")
    applied = booted.machine.tree()
    assert booted.machine.run(bundle / "apply.sh").status == 3
    assert booted.machine.tree() == applied
    booted.machine.run(bundle / "rollback.sh")
    assert booted.machine.run(bundle / "rollback.sh").status == 3


def test_an_entry_that_someone_changed_since_is_left_alone_and_listed(
    booted: BootMachine, bundle: Path
) -> None:
    booted.machine.run(bundle / "apply.sh")
    changed = booted.machine.read(booted.ours).replace("quiet", "debug")
    booted.machine.write(booted.ours, changed)
    ran = booted.machine.run(bundle / "rollback.sh")
    assert ran.status == 4
    assert f"boot entry with {GIVEN}" in ran.err
    assert booted.machine.read(booted.ours) == changed


def test_an_entry_that_someone_removed_since_is_no_trouble(booted: BootMachine, bundle: Path) -> None:
    booted.machine.run(bundle / "apply.sh")
    booted.machine.path(booted.ours).unlink()
    assert booted.machine.run(bundle / "rollback.sh").status == 0


def test_where_boot_is_not_mounted_nothing_is_said_to_be_back(grub: BootMachine, bundle: Path) -> None:
    grub.machine.run(bundle / "apply.sh")
    grub.machine.path("/boot/loader").rename(grub.machine.path("/boot/unmounted"))
    ran = grub.machine.run(bundle / "rollback.sh")
    assert ran.status == 4
    assert "no /boot/loader/entries" in ran.err


def test_a_dry_run_tells_it_and_changes_nothing(booted: BootMachine, bundle: Path) -> None:
    before = booted.machine.tree()
    ran = booted.machine.run(bundle / "apply.sh", "--dry-run")
    assert f"would write the boot entry {booted.ours} with {GIVEN}" in ran.out
    assert booted.machine.tree() == before
    booted.machine.run(bundle / "apply.sh")
    applied = booted.machine.tree()
    assert (
        f"would remove the boot entry {booted.ours}"
        in booted.machine.run(bundle / "rollback.sh", "--dry-run").out
    )
    assert booted.machine.tree() == applied


def test_a_machine_that_runs_on_a_bundles_entry_gets_no_entry_of_that_one(
    grub: BootMachine, bundle: Path, tmp_path: Path
) -> None:
    grub.machine.run(bundle / "apply.sh")
    grub.boot_ours()
    before = grub.machine.tree()
    ran = grub.machine.run(boot_bundle(tmp_path / "next", CLOCK) / "apply.sh")
    assert ran.status == 4
    assert "an entry that a bundle wrote: boot the default one first" in ran.err
    assert grub.machine.tree() == before


def test_what_a_killed_run_left_is_in_nobody_s_way(grub: BootMachine, bundle: Path) -> None:
    stray = grub.machine.path(grub.ours).with_name(f".{Path(grub.ours).name}.tunewiz-new")
    stray.symlink_to("../../grub2/grubenv")
    environment = grub.machine.read("/boot/grub2/grubenv")
    assert grub.machine.run(bundle / "apply.sh").status == 0
    assert not stray.is_symlink()
    stray.write_text("half")
    assert grub.machine.run(bundle / "rollback.sh").status == 0
    assert not stray.exists()
    assert grub.machine.read("/boot/grub2/grubenv") == environment


def test_a_word_that_no_kernel_takes_is_left_to_a_person(tmp_path: Path) -> None:
    made = boot_bundle(tmp_path / "bundle", KernelArgument(arguments=("init=/bin/sh\n",)))
    assert "boot" not in {line.split("|")[0] for line in (made / "steps.txt").read_text().splitlines()}
    assert "are not valid arguments for a boot entry" in (made / "REVIEW.md").read_text()
