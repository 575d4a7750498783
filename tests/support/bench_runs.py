"""Runs of `tunewiz prove bench` against a test's own server, seconds long."""

import os
import subprocess
import sys
from pathlib import Path

from real_subject import Subject

SHORT = ("--run", "3s", "--scale", "1", "--clients", "2")
DATABASES = "SELECT string_agg(datname, ' ' ORDER BY datname) FROM pg_database"
SECONDS = 110


def environment(subject: Subject) -> dict[str, str]:
    """What the program needs to find the server's records, and nothing else of ours."""
    return {
        "PATH": os.environ["PATH"],
        "TUNEWIZ_STATE_DIR": str(subject.state),
        **subject.cluster.environment,
    }


def command(bundle: Path, *options: str) -> list[str]:
    """The command line."""
    return [sys.executable, "-m", "tunewiz", "prove", "bench", str(bundle), *options]


def prove(subject: Subject, bundle: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run it to its end."""
    return subprocess.run(
        command(bundle, *options),
        env=environment(subject),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


def as_before(subject: Subject) -> dict[str, object]:
    """Everything that a run must leave as it was."""
    return {
        "files": subject.configuration(),
        "settings": subject.show(),
        "databases": subject.cluster.query(DATABASES),
    }
