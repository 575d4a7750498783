"""Kernel arguments, cut off at every call that writes: one more run of either script ends what was begun."""

from collections.abc import Callable
from pathlib import Path

import pytest

from boot_machines import LOADERS, BootMachine
from faulty_calls import WRITING, Call, cannot_trace, recorded, sampled, striking, traced
from kept_roots import Kept
from small_host import host_bundle
from tunewiz.core.recommendation.targets import Effect
from tunewiz.kinds.boot import KernelArgument

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(bool(cannot_trace()), reason=cannot_trace()),
]

GIVEN = "hugepagesz=1G hugepages=17"
SWEPT = ("grub", "zipl")
"""The two ways: an entry alone, and an entry that the loader must be told of."""


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    pages = KernelArgument(arguments=("hugepagesz=1G", "hugepages=17"))
    return host_bundle(tmp_path / "bundle", pages, effect=Effect.REBOOT)


@pytest.fixture(params=SWEPT)
def make(request: pytest.FixtureRequest) -> Callable[[Path], BootMachine]:
    return LOADERS[request.param]


def calls_of(booted: BootMachine, script: Path) -> list[Call]:
    """What a whole run writes below /boot and into its journal."""
    base = booted.machine.root.parent
    log = base / "log"
    ran = traced(booted.machine, "-y", "-e", f"trace={','.join(WRITING)}", log=log).run(script)
    assert ran.status == 0, ran.said
    calls = [
        entry for entry in sampled(recorded(log, base)) if "boot/" in entry.path or "journal" in entry.path
    ]
    assert len(calls) > 4, calls
    return calls


def test_apply_killed_at_any_call_is_taken_back(
    make: Callable[[Path], BootMachine], bundle: Path, tmp_path: Path
) -> None:
    booted = make(tmp_path / "machine")
    as_before, before = Kept(booted.machine.root.parent), booted.machine.tree()
    for call in calls_of(booted, bundle / "apply.sh"):
        as_before.put_back()
        striking(booted.machine, call, "signal=KILL").run(bundle / "apply.sh")
        back = booted.machine.run(bundle / "rollback.sh")
        assert back.status in {0, 3}, f"{call}: {back.said}"
        assert booted.machine.tree() == before, f"{call}: {back.said}"


def test_apply_killed_at_any_call_can_be_finished(
    make: Callable[[Path], BootMachine], bundle: Path, tmp_path: Path
) -> None:
    booted = make(tmp_path / "machine")
    as_before = Kept(booted.machine.root.parent)
    calls = calls_of(booted, bundle / "apply.sh")
    whole = booted.machine.tree()
    for call in calls:
        as_before.put_back()
        striking(booted.machine, call, "signal=KILL").run(bundle / "apply.sh")
        again = booted.machine.run(bundle / "apply.sh")
        assert again.status in {0, 3}, f"{call}: {again.said}"
        assert booted.machine.tree() == whole, f"{call}: {again.said}"


def test_rollback_killed_at_any_call_is_finished_by_the_next(
    make: Callable[[Path], BootMachine], bundle: Path, tmp_path: Path
) -> None:
    booted = make(tmp_path / "machine")
    before = booted.machine.tree()
    booted.machine.run(bundle / "apply.sh")
    applied = Kept(booted.machine.root.parent)
    for call in calls_of(booted, bundle / "rollback.sh"):
        applied.put_back()
        striking(booted.machine, call, "signal=KILL").run(bundle / "rollback.sh")
        back = booted.machine.run(bundle / "rollback.sh")
        assert back.status in {0, 3}, f"{call}: {back.said}"
        assert booted.machine.tree() == before, f"{call}: {back.said}"
