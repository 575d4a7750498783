"""The program as a user runs it: a process of its own, what it prints, how it ends."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

TUNEWIZ = (sys.executable, "-m", "tunewiz")

ANSWERS = """schema = 1
[workload]
kind = "oltp"
connections = 200
database_size = "256GB"
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """A command that has ended."""

    status: int
    out: str
    err: str

    @property
    def one_message(self) -> str:
        """What was said on standard error, once it is sure that it is one message and no traceback."""
        assert self.err.startswith("tunewiz"), self.err
        assert "Traceback" not in self.err
        assert self.err.count("tunewiz: ") == 1, self.err
        assert len(self.err.splitlines()) <= 2, self.err
        return self.err


def tunewiz(
    *arguments: str | Path, stdin: str | bytes = "", environment: Mapping[str, str] | None = None
) -> Ended:
    """Run a command line without a terminal."""
    done = subprocess.run(
        [*TUNEWIZ, *map(str, arguments)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    return Ended(status=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())
