"""What nobody could hear, converted bundles, strange shells: one clear message, a status that tells."""

import dataclasses
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from command_line import TUNEWIZ
from faulty_programs import shim, without_shims
from fixtures_bundles import MakeBundle
from pretend_root import PretendRoot
from shells import EVERY_SHELL
from small_bundles import AS_PLANNED, in_force
from tunewiz.session.store import sessions_directory

NO_MORE_OUTPUT = 74
SCRIPTS = ("apply.sh", "rollback.sh", "verify.sh")
FULL = Path("/dev/full")
LOST = (">/dev/full", ">&-")
"""How standard output may take nothing."""

needs_full = pytest.mark.skipif(not FULL.exists(), reason="this kernel has no /dev/full")


def lost(machine: PretendRoot, how: str) -> PretendRoot:
    """Runs scripts so that nothing they print is heard."""
    unheard = ("sh", "-c", f'exec sh "$@" {how}', "sh")
    return dataclasses.replace(machine, shell=unheard)


@needs_full
@pytest.mark.parametrize("how", LOST)
@pytest.mark.parametrize("arguments", [(), ("--json",), ("--help",)], ids=str)
def test_case_115_a_report_that_could_not_be_written_is_no_success(
    how: str, arguments: tuple[str, ...], machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    assert machine.run(made / "apply.sh").status == 0
    assert machine.run(made / "verify.sh", *arguments).status == 0
    assert lost(machine, how).run(made / "verify.sh", *arguments).status == NO_MORE_OUTPUT


def test_case_115_a_reader_that_goes_away_gets_no_success(machine: PretendRoot, bundled: MakeBundle) -> None:
    made = bundled()
    assert machine.run(made / "apply.sh").status == 0
    early = ("sh", "-c", '{ sleep 0.5; sh "$@" --json; echo $? >&2; } | true; sleep 3', "sh")
    ran = dataclasses.replace(machine, shell=early).run(made / "verify.sh")
    assert ran.err.splitlines()[-1] in {"141", str(NO_MORE_OUTPUT)}


def test_a_report_is_whole_where_everything_differs(machine: PretendRoot, bundled: MakeBundle) -> None:
    made = bundled()
    ran = machine.run(made / "verify.sh", "--json")
    assert (ran.status, json.loads(ran.out)["as_planned"]) == (1, False)


@needs_full
@pytest.mark.parametrize("how", LOST)
@pytest.mark.parametrize("script", SCRIPTS[:2])
@pytest.mark.parametrize("argument", ["--dry-run", "--help"])
def test_case_115_what_only_has_something_to_say_fails_unheard(
    how: str, script: str, argument: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    if script == "rollback.sh":
        assert machine.run(made / "apply.sh").status == 0
    before = machine.tree()
    assert lost(machine, how).run(made / script, argument).status == NO_MORE_OUTPUT
    assert machine.tree() == before


@needs_full
@pytest.mark.parametrize("how", LOST)
def test_what_is_done_is_done_unheard_too(how: str, machine: PretendRoot, bundled: MakeBundle) -> None:
    made, before = bundled(), machine.tree()
    assert lost(machine, how).run(made / "apply.sh").status == 0
    assert in_force(machine) == AS_PLANNED
    assert lost(machine, how).run(made / "rollback.sh").status == 0
    assert machine.tree() == before


COMMANDS = (
    "--help",
    "--version",
    "plan --help",
    "plan --demo z13-lpar",
    "plan --demo z13-lpar --json",
    "facts",
    "facts --collector",
    "explain",
    "explain pg.work_mem",
    "demo",
    "sessions",
)


@needs_full
@pytest.mark.parametrize("how", LOST)
@pytest.mark.parametrize("command", COMMANDS)
def test_case_115_a_command_that_could_not_be_heard_says_so(how: str, command: str) -> None:
    sessions = sessions_directory(os.environ)
    sessions.mkdir(parents=True)
    (sessions / "db1-20261122-020000-1.json").touch()
    line = ("sh", "-c", f'exec "$@" {how}', "sh", *TUNEWIZ, *command.split())
    done = subprocess.run(line, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == NO_MORE_OUTPUT
    assert done.stderr.startswith("tunewiz: standard output: ")
    assert done.stderr.count("\n") == 1


NOTHING_IGNORED = ("env", "--default-signal", "sh")
"""A shell starts a command in the background (a test run, say) with SIGINT and SIGQUIT ignored, for good."""


@pytest.mark.parametrize("sent", [signal.SIGQUIT, signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_case_116_a_run_that_is_told_to_stop_by_any_signal_is_undone(
    sent: signal.Signals, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    text = f'case "$*" in *90-tunewiz*) kill -{sent.name.removeprefix("SIG")} $PPID ;; esac'
    shim(machine, "mv", f'/bin/mv "$@"\n{text}')
    ran = dataclasses.replace(machine, shell=NOTHING_IGNORED).run(made / "apply.sh")
    assert (ran.status, "asked to stop" in ran.err) == (5, True)
    assert without_shims(machine.tree()) == before
    assert not (machine.state / "lock").exists()


@pytest.mark.parametrize("sent", [signal.SIGQUIT, signal.SIGINT])
def test_case_116_a_rollback_is_not_stopped_half_way(
    sent: signal.Signals, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    assert machine.run(made / "apply.sh").status == 0
    shim(machine, "rm", f'kill -{sent.name.removeprefix("SIG")} $PPID\nexec /bin/rm "$@"')
    assert machine.run(made / "rollback.sh").status == 0
    assert without_shims(machine.tree()) == before


@pytest.mark.parametrize("shell", EVERY_SHELL)
@pytest.mark.parametrize("script", SCRIPTS)
def test_case_117_a_bundle_with_converted_lines_is_refused_in_one_sentence(
    shell: tuple[str, ...], script: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    for path in (file for file in made.rglob("*") if file.is_file()):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    ran = dataclasses.replace(machine, shell=shell).run(made / script)
    assert (ran.status, ran.out) == (2, "")
    assert (
        ran.err == "Refused: the bundle was converted, its lines end in CR LF. Copy it as it was written.\n"
    )
    assert machine.tree() == before


def test_case_117_a_part_with_converted_lines_is_a_broken_bundle(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    part = made / "lib" / "files.sh"
    part.write_bytes(part.read_bytes().replace(b"\n", b"\r\n"))
    ran = machine.run(made / "apply.sh")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "This bundle is broken or was changed" in ran.err


OPTIONS = ("-C", "-e", "-f", "-a", "-Cefa")


@pytest.mark.parametrize("options", OPTIONS)
def test_case_117_options_of_the_callers_shell_change_nothing(
    options: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    called = ("sh", options)
    odd = dataclasses.replace(machine, shell=called)
    applied = odd.run(made / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    assert in_force(machine) == AS_PLANNED
    assert odd.run(made / "verify.sh").status == 0
    restored = odd.run(made / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    assert machine.tree() == before


def test_case_117_nor_do_those_that_bash_takes_from_its_environment(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    environment = {"SHELLOPTS": "noclobber:errexit:noglob", "PATH": os.environ["PATH"]}
    bash = ("bash",)
    odd = dataclasses.replace(machine, shell=bash, environment=environment)
    for script in SCRIPTS[::2]:
        ran = odd.run(made / script)
        assert (ran.status, ran.err) == (0, "")
    assert odd.run(made / "rollback.sh").status == 0
    assert machine.tree() == before


SYSCTL_CONF = "/etc/sysctl.conf"


@pytest.mark.parametrize(
    ("run_by", "when"), [("systemd", "whenever sysctl --system is run"), ("init", "at the next boot")]
)
@pytest.mark.parametrize("line", ["vm.dirty_bytes = 7", "vm/dirty_ratio=7", "-vm.dirty_bytes=7"])
def test_case_114_the_file_that_procps_reads_last_wins_without_a_link_too(
    run_by: str, when: str, line: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine.write(SYSCTL_CONF, f"# vm.dirty_bytes = 1\n{line}\n")
    if run_by == "systemd":
        machine.path("/run/systemd/system").mkdir(parents=True)
    made, before = bundled(), machine.tree()
    ran = machine.run(made / "apply.sh")
    assert (ran.status, f"{SYSCTL_CONF} sets it too and would override it {when}" in ran.err) == (4, True)
    assert machine.tree() == before


@pytest.mark.parametrize(
    "text", ["# vm.dirty_bytes = 7\n", "; vm.dirty_ratio = 7\n", "net.core.somaxconn = 1\n", ""]
)
def test_case_114_one_that_sets_something_else_is_left_alone(
    text: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine.write(SYSCTL_CONF, text)
    made, before = bundled(), machine.tree()
    assert machine.run(made / "apply.sh").status == 0
    assert machine.run(made / "verify.sh").status == 0
    machine.write(SYSCTL_CONF, "vm.dirty_bytes = 7\n")
    ran = machine.run(made / "verify.sh")
    assert (ran.status, f"{SYSCTL_CONF} overrides it at the next boot" in ran.out) == (1, True)
    machine.write(SYSCTL_CONF, text)
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before
