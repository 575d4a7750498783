"""`rollback.sh --to`: back to the state after an earlier bundle, through each later one's own rollback."""

import dataclasses
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from faulty_programs import at_journal, held, without_shims
from generations import applied, give_script, id_of, next_bundle
from pretend_root import PretendRoot, entries
from pretend_systemd import armed
from shells import EVERY_SHELL

DONE, MISUSED, NOTHING_TO_DO, REFUSED, FAILED, LOCKED = 0, 2, 3, 4, 5, 75
SWAPPINESS = "/proc/sys/vm/swappiness"


def three(machine: PretendRoot) -> tuple[Path, Path, Path]:
    """The first and the last change the same, the middle one something else."""
    return (
        applied(machine, "first", {"kernel.swappiness": "10"}),
        applied(machine, "middle", {"pg.work_mem": "24MB"}),
        applied(machine, "last", {"kernel.swappiness": "20"}),
    )


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_all_that_came_later_is_taken_back_and_nothing_else(
    shell: tuple[str, ...], machine: PretendRoot
) -> None:
    machine = dataclasses.replace(machine, shell=shell)
    first = applied(machine, "first", {"kernel.swappiness": "10"})
    after_first = machine.tree()
    second = applied(machine, "second", {"kernel.swappiness": "20", "pg.work_mem": "24MB"})
    third = applied(machine, "third", {"kernel.transparent_hugepage": "never", "pg.work_mem": "32MB"})
    ran = machine.run(first / "rollback.sh", "--to", id_of(first))
    assert (ran.status, ran.err) == (DONE, "")
    assert [line for line in ran.out.splitlines() if line.startswith("Bundle ")] == [
        f"Bundle {id_of(bundle)}: sh {bundle}/rollback.sh" for bundle in (third, second)
    ]
    assert ran.out.endswith(f"As after bundle {id_of(first)}. Rolled back: {id_of(third)} {id_of(second)}\n")
    assert machine.tree() == after_first
    assert machine.run(first / "rollback.sh").status == DONE


@pytest.mark.parametrize("by", [0, 1, 2])
def test_it_can_be_asked_of_any_bundle(by: int, machine: PretendRoot) -> None:
    bundles = three(machine)
    assert machine.run(bundles[by] / "rollback.sh", f"--to={id_of(bundles[1])}").status == DONE
    assert machine.read(SWAPPINESS) == "10\n"


def test_the_middle_one_may_have_been_rolled_back_first(machine: PretendRoot) -> None:
    first = applied(machine, "first", {"kernel.swappiness": "10"})
    after_first = machine.tree()
    middle = applied(machine, "middle", {"pg.work_mem": "24MB"})
    last = applied(machine, "last", {"kernel.swappiness": "20"})
    assert machine.run(middle / "rollback.sh").status == DONE
    ran = machine.run(middle / "rollback.sh", "--to", id_of(first))
    assert (ran.status, ran.err) == (DONE, "")
    assert ran.out.splitlines()[-1].endswith(f"Rolled back: {id_of(last)}")
    assert machine.tree() == after_first


def test_what_was_rolled_back_before_is_said_and_not_put_in_force_again(machine: PretendRoot) -> None:
    first, middle, last = three(machine)
    machine.run(last / "rollback.sh")
    machine.run(first / "rollback.sh")
    machine.run(next_bundle(machine, "newest", {"kernel.swappiness": "30"}) / "apply.sh")
    ran = machine.run(middle / "rollback.sh", "--to", id_of(middle))
    assert (ran.status, ran.err) == (DONE, "")
    assert f"rolled back, so not in force whatever was then: {id_of(first)}\n" in ran.out
    assert machine.read(SWAPPINESS) == "60\n"


def test_a_dry_run_tells_the_order_and_changes_nothing(machine: PretendRoot) -> None:
    first, middle, last = three(machine)
    written = entries(machine.root) | entries(machine.state)
    ran = machine.run(first / "rollback.sh", "--to", id_of(first), "--dry-run")
    assert (ran.status, ran.err) == (DONE, "")
    assert ran.out.splitlines() == [
        *(f"would roll back bundle {id_of(bundle)}: sh {bundle}/rollback.sh" for bundle in (last, middle)),
        "Nothing was changed: this was a dry run.",
    ]
    assert entries(machine.root) | entries(machine.state) == written


def test_of_a_bundle_that_was_rolled_back_is_unknown_or_the_newest_nothing_is_done(
    machine: PretendRoot,
) -> None:
    first, middle, last = three(machine)
    machine.run(middle / "rollback.sh")
    written = entries(machine.root) | entries(machine.state)
    for to, status, message in (
        (id_of(middle), REFUSED, f"bundle {id_of(middle)} was rolled back"),
        ("0123456789abcdef", REFUSED, "bundle 0123456789abcdef was not applied here"),
        (id_of(last), NOTHING_TO_DO, f"nothing that was applied after bundle {id_of(last)} is in force"),
    ):
        ran = machine.run(first / "rollback.sh", "--to", to)
        assert (ran.status, ran.out, message in ran.err) == (status, "", True), ran.err
    assert entries(machine.root) | entries(machine.state) == written


@pytest.mark.parametrize(
    "typed",
    [
        ("--to",),
        ("--to", ""),
        ("--to=",),
        ("--to", "x$(reboot)"),
        ("--to", "../../etc"),
        ("--to", "0123456789abcdef0"),
        ("--to", "0123456789abcdef", "--at-boot"),
        ("--unless-confirmed", "--to=0123456789abcdef"),
    ],
)
def test_what_can_be_no_id_is_wrong_usage(typed: tuple[str, ...], machine: PretendRoot) -> None:
    bundle = next_bundle(machine, "first", {"kernel.swappiness": "10"})
    assert machine.run(bundle / "rollback.sh", *typed).status == MISUSED


def test_it_stops_at_the_first_that_leaves_something_and_says_what_is_left(machine: PretendRoot) -> None:
    first = applied(machine, "first", {"kernel.transparent_hugepage": "never"})
    second = applied(machine, "second", {"kernel.swappiness": "20"})
    third = applied(machine, "third", {"pg.work_mem": "24MB"})
    machine.write(SWAPPINESS, "33\n")
    ran = machine.run(third / "rollback.sh", "--to", id_of(first))
    assert ran.status == REFUSED
    assert f"Stopped at bundle {id_of(second)}: its rollback ended with status 4" in ran.err
    assert f"Rolled back: {id_of(third)}\n" in ran.err
    assert f"in this order: {id_of(second)}\n" in ran.err
    assert machine.read(SWAPPINESS) == "33\n"


def test_where_its_directory_is_gone_the_copy_that_the_revert_had_is_run(with_systemd: PretendRoot) -> None:
    first = applied(with_systemd, "first", {"kernel.swappiness": "10"})
    second = applied(with_systemd, "second", {"kernel.swappiness": "20"}, "--confirm-within", "10")
    name = id_of(second)
    shutil.rmtree(second)
    ran = with_systemd.run(first / "rollback.sh", "--to", id_of(first))
    assert (ran.status, ran.err) == (DONE, "")
    assert f"sh {with_systemd.state}/{name}/revert/rollback.sh" in ran.out
    assert with_systemd.read(SWAPPINESS) == "10\n"
    assert not any(armed(with_systemd).values())


def gone(bundle: Path) -> str:
    shutil.rmtree(bundle)
    return "is not there"


def another(bundle: Path) -> str:
    shutil.rmtree(bundle)
    shutil.copytree(bundle.parent / "first", bundle)
    return "is another bundle"


def edited(bundle: Path) -> str:
    (bundle / "rollback.sh").write_text("#!/bin/sh\nexit 0\n")
    return "broken or was changed"


def opened(bundle: Path) -> str:
    (bundle / "lib").chmod(0o777)
    return "others own it or may write to it"


def linked(bundle: Path) -> str:
    (bundle / "more").symlink_to("/etc")
    return "is a link"


@pytest.mark.parametrize("harm", [gone, another, edited, opened, linked])
def test_no_script_is_run_that_is_not_the_bundles_own_and_none_before_all_are(
    harm: Callable[[Path], str], machine: PretendRoot
) -> None:
    first, middle, _ = three(machine)
    name = id_of(middle)
    why = harm(middle)
    before = machine.tree()
    ran = machine.run(first / "rollback.sh", "--to", id_of(first))
    assert (ran.status, ran.out, why in ran.err) == (REFUSED, "", True), ran.err
    assert f"bundle {name}: its scripts cannot be run" in ran.err
    assert machine.tree() == before


def test_records_that_do_not_tell_keep_it_from_beginning(machine: PretendRoot) -> None:
    first, middle, last = three(machine)
    journal = machine.state / id_of(middle) / "journal"
    whole, before = journal.read_text(), machine.tree()
    for text in ("gibberish\n", whole.replace("applied\n", "")):
        journal.write_text(text)
        ran = machine.run(first / "rollback.sh", "--to", id_of(first))
        assert (ran.status, ran.out) == (REFUSED, "")
        assert f"bundle {id_of(middle)}: its records are lost or damaged" in ran.err
    journal.write_text(whole)
    (machine.state / id_of(last) / "kept" / "order").write_text("x[$(reboot)]\n")
    ran = machine.run(first / "rollback.sh", "--to", id_of(first))
    assert (ran.status, "kept/order" in ran.err) == (REFUSED, True)
    assert machine.tree() == before


def test_damaged_records_of_what_was_applied_before_matter_to_nobody(machine: PretendRoot) -> None:
    first, middle, last = three(machine)
    (machine.state / id_of(first) / "journal").write_text("gibberish\n")
    ran = machine.run(last / "rollback.sh", "--to", id_of(middle))
    assert (ran.status, ran.err) == (DONE, "")
    assert machine.read(SWAPPINESS) == "10\n"


def test_those_of_the_bundle_to_return_to_do(machine: PretendRoot) -> None:
    first, _, last = three(machine)
    (machine.state / id_of(first) / "journal").write_text("gibberish\n")
    ran = machine.run(last / "rollback.sh", "--to", id_of(first))
    assert (ran.status, f"the records of bundle {id_of(first)} are lost or damaged" in ran.err) == (
        REFUSED,
        True,
    )


def test_one_that_was_cut_off_is_taken_back_too(machine: PretendRoot) -> None:
    first = applied(machine, "first", {"kernel.swappiness": "10"})
    after_first = machine.tree()
    second = next_bundle(
        machine, "second", {"kernel.swappiness": "20", "kernel.transparent_hugepage": "never"}
    )
    at_journal(machine, "done*", "kill -KILL $PPID")
    machine.run(second / "apply.sh")
    machine.path("/usr/bin/sync").unlink()
    ran = machine.run(first / "rollback.sh", "--to", id_of(first))
    assert (ran.status, ran.err) == (DONE, "")
    assert without_shims(machine.tree()) == after_first


def test_while_another_run_is_at_work_nothing_is_done(machine: PretendRoot) -> None:
    first, _, last = three(machine)
    newest = next_bundle(machine, "newest", {"kernel.transparent_hugepage": "never"})
    with held(machine, 9, newest / "apply.sh") as running:
        ran = machine.run(first / "rollback.sh", "--to", id_of(first))
        assert (ran.status, "Rolled back: none" in ran.err) == (LOCKED, True)
        assert machine.read(SWAPPINESS) == "20\n"
    assert running.result().status == DONE
    assert machine.run(last / "verify.sh").status == DONE


def test_a_signal_ends_it_when_the_bundle_at_work_is_rolled_back_as_a_whole(machine: PretendRoot) -> None:
    first = applied(machine, "first", {"kernel.swappiness": "10"})
    second = applied(machine, "second", {"kernel.transparent_hugepage": "never"})
    after_second = machine.tree()
    third = applied(machine, "third", {"kernel.swappiness": "20"})
    # The rollback's own parent is the one that goes from bundle to bundle.
    parent = r'$(sed -n "s/^PPid:[^0-9]*//p" /proc/$PPID/status)'
    at_journal(machine, "undone*", f"kill -{signal.SIGTERM.value} {parent}")
    ran = machine.run(first / "rollback.sh", "--to", id_of(first))
    assert (ran.status, f"Stopped at bundle {id_of(second)}: asked to stop" in ran.err) == (FAILED, True), (
        ran.said
    )
    assert f"Rolled back: {id_of(third)}\n" in ran.err
    assert without_shims(machine.tree()) == after_second


def test_the_options_reach_every_rollback(machine: PretendRoot) -> None:
    first = applied(machine, "first", {"kernel.swappiness": "10"})
    second = next_bundle(machine, "second", {"kernel.swappiness": "20"})
    give_script(second, 'printf "given: %s\\n" "$*"')
    assert machine.run(second / "apply.sh").status == DONE
    ran = machine.run(first / "rollback.sh", "--wait", "--to", id_of(first), "--no-restart")
    assert (ran.status, ran.err) == (DONE, "")
    assert "given: --no-restart --wait\n" in ran.out


def test_one_that_waits_for_a_restart_of_the_server_ends_it(machine: PretendRoot) -> None:
    first = applied(machine, "first", {"kernel.swappiness": "10"})
    second = next_bundle(machine, "second", {"kernel.transparent_hugepage": "never"})
    give_script(second, 'echo "Restored, except for what needs a restart of the server"\nexit 0')
    assert machine.run(second / "apply.sh").status == DONE
    ran = machine.run(first / "rollback.sh", "--to", id_of(first))
    assert (ran.status, "it is not rolled back as a whole yet" in ran.err) == (REFUSED, True)


def test_one_that_was_applied_meanwhile_is_named_and_stays(machine: PretendRoot) -> None:
    first = applied(machine, "first", {"kernel.swappiness": "10"})
    second = next_bundle(machine, "second", {"kernel.swappiness": "20"})
    newest = next_bundle(machine, "newest", {"kernel.transparent_hugepage": "never"})
    give_script(second, f"sh {newest}/apply.sh >/dev/null")
    assert machine.run(second / "apply.sh").status == DONE
    ran = machine.run(first / "rollback.sh", "--to", id_of(first))
    assert (ran.status, f"applied meanwhile: {id_of(newest)}" in ran.err) == (REFUSED, True)
    assert machine.run(newest / "verify.sh").status == DONE
