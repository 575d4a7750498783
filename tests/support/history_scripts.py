"""A bundle's script that is run, or cut off at a system call that is the same in every run."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pretend_root import PretendRoot, Ran

PATIENCE: Final = 110
"""Seconds for one run: a server that does not end is waited for."""

_FORKS: Final = "clone,clone3,fork,vfork"


@dataclass(frozen=True, kw_only=True, slots=True)
class Cut:
    """The script gets a signal as it makes its Nth process."""

    signal: Literal["KILL", "TERM"]
    at: int


def run_script(machine: PretendRoot, script: Path, *arguments: str, cut: Cut | None = None) -> Ran:
    """Returns when the script has ended and, where it was cut off, all that it had started."""
    said, complained = machine.state.parent / "out", machine.state.parent / "err"
    with said.open("wb") as out, complained.open("wb") as err:
        process = subprocess.Popen(
            (*_tracer(cut), *machine.shell, script, *arguments),
            env={**os.environ, "TUNEWIZ_ROOT": str(machine.root), "TUNEWIZ_STATE_DIR": str(machine.state)},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            status = process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
        if cut is not None:
            _wait_for(process.pid, machine.root)
    return Ran(
        status=status, out=said.read_text(errors="replace"), err=complained.read_text(errors="replace")
    )


def _tracer(cut: Cut | None) -> tuple[str, ...]:
    if cut is None:
        return ()
    fault = f"inject={_FORKS}:signal={cut.signal}:when={cut.at}"
    return ("strace", "-qqq", "-o", "/dev/null", "-e", f"trace={_FORKS}", "-e", fault)


def _wait_for(session: int, root: Path) -> None:
    """What a killed script had started goes on: the server's control program too, in a session of its own."""
    until = time.monotonic() + PATIENCE
    while any(_session_of(process) == session or _controls(process, root) for process in processes()):
        assert time.monotonic() < until, "what a killed script had started does not end"
        time.sleep(0.01)


def _controls(process: int, root: Path) -> bool:
    command = _command_line(process)
    return "pg_ctl" in command and str(root) in command


def processes() -> Iterator[int]:
    """All that run, by number."""
    return (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())


def _session_of(process: int) -> int | None:
    try:
        about = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return None
    state, _, _, session = about.rpartition(") ")[2].split()[:4]
    return None if state in "ZX" else int(session)


def processes_about(path: Path) -> list[int]:
    """Those whose command line names the path or something below it."""
    return [process for process in processes() if str(path) in _command_line(process)]


def _command_line(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def processes_in(directory: Path) -> list[int]:
    """Those that work in the directory: a server's."""
    return [process for process in processes() if works_in(process, directory)]


def works_in(process: int, directory: Path) -> bool:
    """Whether the process is there, and works in the directory."""
    return _directory_of(process) == directory


def _directory_of(process: int) -> Path | None:
    try:
        return Path(f"/proc/{process}/cwd").readlink()
    except OSError:
        return None
