"""Programs of the machine that fail, or end the script that calls them, at a call of the test's choosing."""

import os
import shutil
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from pretend_root import Entry, PretendRoot, Ran


def shim(machine: PretendRoot, name: str, body: str) -> None:
    """Puts a program before the real one; scripts look into the pretend root first."""
    machine.write(f"/usr/bin/{name}", f"#!/bin/sh\n{body}\n")
    machine.path(f"/usr/bin/{name}").chmod(0o755)


def become_owner() -> list[str]:
    """The programs by which the scripts run a command as the server's owner, where they are installed."""
    result = [name for name in ("setpriv", "runuser") if shutil.which(name)]
    assert result, "neither setpriv nor runuser is installed"
    return result


def when_owner_runs(machine: PretendRoot, words: str, command: str) -> Callable[[], None]:
    """Something happens just before the server's owner is made to run a command with these words.

    Returns what takes that away again.
    """
    programs = become_owner()
    for program in programs:
        shim(
            machine,
            program,
            f'case "$*" in *"{words}"*) {command} ;; esac\nexec {shutil.which(program)} "$@"',
        )

    def take_away() -> None:
        for program in programs:
            machine.path(f"/usr/bin/{program}").unlink()

    return take_away


def says(machine: PretendRoot, name: str, then: str) -> None:
    """What the kernel does when a value of that name is read, before it says what stands there."""
    shim(machine, "cat", f'case $* in */{name}) {then} ;; esac\nexec /bin/cat "$@"')


def without_shims(tree: Mapping[str, Entry]) -> dict[str, Entry]:
    return {path: entry for path, entry in tree.items() if not path.startswith("usr")}


def strike(machine: PretendRoot, program: str, at: int, signal: str) -> None:
    """The Nth call of a program sends a signal to the script that called it; later ones are as ever."""
    counter = machine.root.parent / "calls"
    counter.write_text("0")
    shim(
        machine,
        program,
        f"read calls <{counter}\ncalls=$((calls + 1))\necho $calls >{counter}\n"
        f'[ $calls -ne {at} ] || kill -{signal} $PPID\nexec /bin/{program} "$@"',
    )


def calls_of(machine: PretendRoot, program: str, script: Path) -> int:
    """How often a whole run calls the program."""
    strike(machine, program, 0, "KILL")
    machine.run(script)
    return int((machine.root.parent / "calls").read_text())


@contextmanager
def held(machine: PretendRoot, at: int, script: Path, *arguments: str) -> Generator[Future[Ran], None, None]:
    """A script in the midst of its work: it waits before its Nth call of sync until the block ends."""
    counter, reached, go_on = (machine.root.parent / name for name in ("calls", "reached", "go-on"))
    counter.write_text("0")
    for fifo in (reached, go_on):
        os.mkfifo(fifo)
    shim(
        machine,
        "sync",
        f"read calls <{counter}\ncalls=$((calls + 1))\necho $calls >{counter}\n"
        f'[ $calls -ne {at} ] || {{ echo >{reached}; read -r _ <{go_on}; }}\nexec /bin/sync "$@"',
    )
    with ThreadPoolExecutor() as pool:
        running = pool.submit(machine.run, script, *arguments)
        reached.read_text()
        try:
            yield running
        finally:
            go_on.write_text("\n")
    for fifo in (reached, go_on):
        fifo.unlink()
    machine.path("/usr/bin/sync").unlink()


def at_journal(machine: PretendRoot, record: str, then: str) -> None:
    """Does something when a script has written down a deed (a pattern of the shell's: done*)."""
    record = record.replace(" ", "\\ ")
    last = '$1:$(tail -n 1 "$1" 2>/dev/null)'
    shim(machine, "sync", f'/bin/sync "$@" || exit\ncase {last} in */journal:{record}) {then} ;; esac')


def kill_at(machine: PretendRoot, script: Path, record: str, step: str) -> None:
    """Kills a script of the bundle as it has written down a deed of the step that begins so (sysctl|NAME)."""
    lines = (script.parent / "steps.txt").read_text().splitlines()
    (number,) = (number for number, line in enumerate(lines, 1) if line.startswith(step))
    at_journal(machine, f"{record} {number}", "kill -KILL $PPID")
    machine.run(script)
    machine.path("/usr/bin/sync").unlink()


def kill_before_moving(machine: PretendRoot, script: Path, inside: str) -> None:
    """Kills a script when the new content of a file is written beside it, and not in its place yet."""
    shim(
        machine,
        "mv",
        f'case $* in *tunewiz-new*{Path(inside).name}) kill -KILL $PPID; exit 1 ;; esac\nexec /bin/mv "$@"',
    )
    assert machine.run(script).status < 0
    machine.path("/usr/bin/mv").unlink()
