"""What `tunewiz watch` costs: its two processes, and the server's session that answers them.

    .venv/bin/python benchmarks/watch.py SOCKET_DIRECTORY PORT [SECONDS]

It samples a local server every second, ten times as often as by default; the first seconds, in which
everything is loaded, are left out. The exit status is 1 from 1 % of one core at the default interval.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from tunewiz.formats.ring import HEAD

AT_MOST = 0.01
USUAL = 10
"""Seconds between two samples by default."""
SETTLED = 5


def cpu_of(process: psutil.Process) -> float:
    """Seconds of processor time of a process."""
    times = process.cpu_times()
    return times.user + times.system


def local_sessions(port: str) -> list[psutil.Process]:
    """Local sessions of the server: if nobody else uses it, the one that `tunewiz watch` has."""
    servers = [entry for entry in psutil.process_iter() if is_at(entry, port)]
    result = [child for server in servers for child in server.children()]
    return [entry for entry in result if "[local]" in " ".join(entry.cmdline())]


def main() -> int:
    """Measure and print."""
    directory, port = sys.argv[1:3]
    seconds = int(sys.argv[3]) if len(sys.argv) > len(sys.argv[:3]) else 60
    with tempfile.TemporaryDirectory() as place:
        ring = Path(place) / "kept" / "ring"
        command = (sys.executable, "-m", "tunewiz", "watch", "--every", "1s", "--ring", ring)
        where = ("--host", directory, "--port", port)
        with subprocess.Popen((*command, *where), stderr=subprocess.DEVNULL) as process:
            while not ring.exists() or ring.stat().st_size <= HEAD:
                time.sleep(0.1)
            time.sleep(SETTLED)
            ours = psutil.Process(process.pid)
            theirs = local_sessions(port)
            watched = [ours, *ours.children(recursive=True), *theirs]
            before, begun = [cpu_of(entry) for entry in watched], time.perf_counter()
            looks = ring.stat().st_size
            time.sleep(seconds)
            spent = sum(cpu_of(entry) - had for entry, had in zip(watched, before, strict=True))
            passed, grown = time.perf_counter() - begun, ring.stat().st_size - looks
            process.terminate()
    share = spent / passed
    print(
        f"watch: {100 * share:.2f} % of a core at 1 sample/s, {100 * share / USUAL:.3f} % at the usual "
        f"pace ({len(theirs)} session of the server included), {grown:,} bytes in {passed:.0f} s"
    )
    return 1 if share / USUAL >= AT_MOST else 0


def is_at(process: psutil.Process, port: str) -> bool:
    """Whether it is the first process of the server of that port."""
    try:
        if process.name() != "postgres" or "-D" not in process.cmdline():
            return False
        pid_file = Path(process.cwd()) / "postmaster.pid"
        return pid_file.read_text().splitlines()[3] == port
    except (psutil.Error, OSError, IndexError):
        return False


if __name__ == "__main__":
    sys.exit(main())
