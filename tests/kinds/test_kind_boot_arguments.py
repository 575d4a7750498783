"""Kernel arguments in a boot entry: added, changed where they stand, or left to a person to join."""

from pathlib import Path

import pytest

from boot_machines import OPTIONS, BootMachine, grub_machine
from pretend_root import PretendRoot
from small_host import host_bundle
from tunewiz.core.recommendation.targets import Effect
from tunewiz.kinds.boot import KernelArgument

PAGES = KernelArgument(arguments=("hugepagesz=1G", "hugepages=17"))
CLOCK = KernelArgument(arguments=("clocksource=tsc",))
GIVEN = "hugepagesz=1G hugepages=17"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return host_bundle(tmp_path / "bundle", PAGES, effect=Effect.REBOOT)


@pytest.fixture
def grub(tmp_path: Path) -> BootMachine:
    return grub_machine(tmp_path)


def options_of(machine: PretendRoot, path: str) -> str:
    return machine.read(path).partition("\noptions ")[2].partition("\n")[0]


def test_arguments_of_several_changes_share_one_entry(grub: BootMachine, tmp_path: Path) -> None:
    made = host_bundle(tmp_path / "both", PAGES, CLOCK, effect=Effect.REBOOT)
    assert grub.machine.run(made / "apply.sh").status == 0
    assert options_of(grub.machine, grub.ours) == f"{OPTIONS} {GIVEN} clocksource=tsc"


WITH_VARIABLES = {
    "a variable holds the arguments": ("$kernelopts", "kernelopts=root=UUID=1 ro quiet\n", OPTIONS),
    "a variable stands beside them": (f"{OPTIONS} $tuned_params", "tuned_params=skew_tick=1\n", None),
}


@pytest.mark.parametrize("case", WITH_VARIABLES)
def test_what_grub_puts_in_itself_stays_a_variable(case: str, grub: BootMachine, bundle: Path) -> None:
    options, variable, running = WITH_VARIABLES[case]
    grub.machine.write(grub.entry, grub.machine.read(grub.entry).replace(OPTIONS, options))
    environment = grub.machine.read("/boot/grub2/grubenv")
    grub.machine.write("/boot/grub2/grubenv", environment.replace("boot_success", f"{variable}boot_success"))
    running = running or f"{OPTIONS} skew_tick=1"
    grub.machine.write("/proc/cmdline", grub.cmdline.replace(OPTIONS, running))
    assert grub.machine.run(bundle / "apply.sh").status == 0
    assert options_of(grub.machine, grub.ours) == f"{options} {GIVEN}"


def test_arguments_in_a_variable_of_grub_s_are_left_to_a_person(grub: BootMachine, bundle: Path) -> None:
    old = "hugepagesz=1G hugepages=4"
    grub.machine.write(grub.entry, grub.machine.read(grub.entry).replace("quiet", "$tuned_params"))
    grub.machine.write(
        "/boot/grub2/grubenv", f"tuned_params={old}\n{grub.machine.read('/boot/grub2/grubenv')}"
    )
    grub.machine.write("/proc/cmdline", grub.cmdline.replace("quiet", old))
    ran = grub.machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "in a way that only a person can merge" in ran.err


def test_the_options_are_those_of_the_entry_that_was_booted(grub: BootMachine, bundle: Path) -> None:
    other = grub.machine.read(grub.entry).replace("quiet", "single")
    grub.machine.write("/boot/loader/entries/zz.conf", other)
    assert grub.machine.run(bundle / "apply.sh").status == 0
    assert options_of(grub.machine, grub.ours) == f"{OPTIONS} {GIVEN}"


def test_a_star_among_the_arguments_stays_one(grub: BootMachine, bundle: Path) -> None:
    grub.machine.write(grub.entry, grub.machine.read(grub.entry).replace("quiet", "* quiet"))
    grub.machine.write("/proc/cmdline", grub.cmdline.replace("quiet", "* quiet"))
    assert grub.machine.run(bundle / "apply.sh").status == 0
    assert options_of(grub.machine, grub.ours) == f"root=UUID=1 ro * quiet {GIVEN}"


HAS_SOME = {
    "the same size with another count": ("hugepagesz=1G hugepages=4 debug", f"{GIVEN} debug"),
    "another argument of the same beginning": ("hugepagesz2=1", f"hugepagesz2=1 {GIVEN}"),
    "another size": ("hugepagesz=2M hugepages=4", ""),
    "the count alone": ("hugepages=4", ""),
    "the size alone": ("hugepagesz=1G", ""),
    "the two apart": ("hugepagesz=1G debug hugepages=4", ""),
    "the two twice": ("hugepagesz=1G hugepages=4 hugepagesz=1G hugepages=5", ""),
}


@pytest.mark.parametrize("case", HAS_SOME)
def test_arguments_that_are_there_already_are_changed_or_left_to_a_person(
    case: str, grub: BootMachine, bundle: Path
) -> None:
    has, becomes = HAS_SOME[case]
    grub.machine.write(grub.entry, grub.machine.read(grub.entry).replace("quiet", has))
    grub.machine.write("/proc/cmdline", grub.cmdline.replace("quiet", has))
    before = grub.machine.tree()
    ran = grub.machine.run(bundle / "apply.sh")
    if becomes:
        assert ran.status == 0
        assert options_of(grub.machine, grub.ours) == f"root=UUID=1 ro {becomes}"
    else:
        assert ran.status == 4
        assert "in a way that only a person can merge" in ran.err
        assert grub.machine.tree() == before


def test_where_the_kernel_was_booted_with_them_there_is_nothing_to_do(
    grub: BootMachine, bundle: Path
) -> None:
    grub.machine.write(grub.entry, grub.machine.read(grub.entry).replace("quiet", GIVEN))
    grub.machine.write("/proc/cmdline", grub.cmdline.replace("quiet", GIVEN))
    before = grub.machine.tree()
    assert grub.machine.run(bundle / "apply.sh").status == 3
    assert grub.machine.tree() == before
