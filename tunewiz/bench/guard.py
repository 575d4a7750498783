"""The process that guards the measuring one: however that ends, this one puts everything back.

If it dies too, the bundle's own revert of an unconfirmed apply remains, and the next run.

Usage: python -m tunewiz.bench.guard DIRECTORY
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tunewiz.bench.locks import locked
from tunewiz.bench.run import RunDirectory, put
from tunewiz.bench.runner import ENDED_EARLY, SIGNALS, finish


def main() -> int:
    """Start the process that measures, wait for its end, and undo whatever it did not."""
    place = RunDirectory(Path(sys.argv[1]))
    for signal_number in SIGNALS:
        signal.signal(signal_number, signal.SIG_IGN)
    with place.log.open("a", encoding="utf-8") as log, locked(place.locks[1]):
        begun = subprocess.Popen(  # noqa: S603 - our own program, by its own interpreter
            [sys.executable, "-P", "-m", "tunewiz.bench.runner", str(place.directory)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        put(place.runner, f"{begun.pid}\n")
        # Its number stays its own until it is waited for: nobody shall send another process a signal.
        os.waitid(os.P_PID, begun.pid, os.WEXITED | os.WNOWAIT)
        place.runner.unlink(missing_ok=True)
        status = begun.wait()
        if not place.status.exists():
            why = f"the process that measures ended with status {status}"
            put(place.status, finish(place, ENDED_EARLY, why))
    return 0


if __name__ == "__main__":
    sys.exit(main())
