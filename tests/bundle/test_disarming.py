"""How a revert that is not needed any more goes: after its word is in the journal, and for good."""

from pathlib import Path

import pytest

from faulty_programs import at_journal, shim
from pretend_root import PretendRoot
from pretend_systemd import armed, the_copy
from small_bundles import small_bundle
from small_host import put_program


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return small_bundle(tmp_path / "bundle")


def test_case_8_the_journal_is_written_before_the_timer_is_stopped_and_the_guard_disabled(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    (journal,) = with_systemd.state.glob("*/journal")
    put_program(
        with_systemd,
        "systemctl",
        f'#!/bin/sh\necho "$* after $(tail -n 1 "{journal}")" >>"{with_systemd.root.parent}/order"\n',
    )
    with_systemd.run(bundle / "apply.sh", "--confirm")
    lines = (with_systemd.root.parent / "order").read_text().splitlines()
    # Whether the timer is there still is asked before.
    order = [line for line in lines if "is-active" not in line]
    assert [line.split()[1].split()[0] for line in order if line.startswith("--quiet")] == ["stop", "disable"]
    assert order[-1] == "daemon-reload after confirmed"
    assert all(line.endswith(" after confirmed") for line in order)


def cut_off(machine: PretendRoot, bundle: Path, word: str) -> None:
    """Confirmed or restored by a run that is killed as soon as it has written that down."""
    machine.run(bundle / "apply.sh", "--confirm-within", "10")
    at_journal(machine, word, "kill -KILL $PPID")
    machine.run(bundle / "rollback.sh") if word == "restored" else machine.run(
        bundle / "apply.sh", "--confirm"
    )
    machine.path("/usr/bin/sync").unlink()


@pytest.mark.parametrize("word", ["confirmed", "restored"])
def test_case_8_what_was_cut_off_after_its_word_is_cleared_up_by_the_timer(
    word: str, with_systemd: PretendRoot, bundle: Path
) -> None:
    cut_off(with_systemd, bundle, word)
    assert with_systemd.run(the_copy(with_systemd) / "rollback.sh", "--unless-confirmed").status in {0, 3}
    assert not any(armed(with_systemd).values())


@pytest.mark.parametrize(
    ("word", "script"),
    [
        ("confirmed", ("apply.sh", "--confirm")),
        ("confirmed", ("rollback.sh", "--unless-confirmed")),
        ("restored", ("rollback.sh",)),
    ],
)
def test_a_dry_run_clears_up_nothing(
    word: str, script: tuple[str, ...], with_systemd: PretendRoot, bundle: Path
) -> None:
    cut_off(with_systemd, bundle, word)
    name, *options = script
    ran = with_systemd.run(bundle / name, "--dry-run", *options)
    assert "would disarm the revert" in ran.out
    assert all(armed(with_systemd).values())


def test_what_was_disarmed_is_on_disk_before_the_run_ends(with_systemd: PretendRoot, bundle: Path) -> None:
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    synced = with_systemd.root.parent / "synced"
    units, pending = with_systemd.path("/etc/systemd/system"), with_systemd.state / "pending"
    shim(with_systemd, "sync", f'[ -e "{pending}" ] || echo "$*" "$(ls "{units}")" >>"{synced}"')
    assert with_systemd.run(bundle / "apply.sh", "--confirm").status == 0
    assert synced.read_text() == f"{with_systemd.state} {units} sysinit.target.wants\n"
