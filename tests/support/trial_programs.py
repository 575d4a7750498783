"""A stand-in for the server's program that meets whatever a test wants where a start is only tried."""

import dataclasses
import hashlib
from pathlib import Path

from real_subject import Subject

DENIED = 'FATAL:  could not create lock file "postmaster.pid": Permission denied'
_STAND_IN = """#!/bin/sh
trial=
for word do
    case $word in data_directory=*/tunewiz-start.*) trial=${{word#*=}} ;; esac
done
if [ -n "$trial" ]; then
    echo >>{trials}
    trials=$(wc -l <{trials})
    {body}
fi
exec {server} "$@"
"""


def with_own_programs(subject: Subject) -> Subject:
    """The same, its server started with programs of its own, which a test may replace."""
    cluster = subject.cluster
    own = cluster.directory / "programs" / "bin"
    cluster.run("mkdir", own.parent)
    cluster.run("cp", "-R", "-L", cluster.programs.bin_directory, own)
    # It finds its libraries from where it is.
    beside = [path for path in cluster.programs.bin_directory.parent.iterdir() if path.name != "bin"]
    cluster.run("ln", "-s", *beside, own.parent)
    cluster.stop()
    programs = dataclasses.replace(cluster.programs, bin_directory=own)
    result = dataclasses.replace(subject, cluster=dataclasses.replace(cluster, programs=programs))
    result.cluster.start()
    return result


def when_tried(subject: Subject, body: str) -> None:
    """From now on a trial runs these lines of shell first: `$trial` is its directory, `$trials` a count."""
    postgres = subject.cluster.programs.bin_directory / "postgres"
    server = postgres.with_name("server")
    if not server.exists():
        postgres.rename(server)
    postgres.write_text(_STAND_IN.format(trials=_counted(subject), body=body, server=server))
    postgres.chmod(0o755)
    _counted(subject).unlink(missing_ok=True)


def trials(subject: Subject) -> int:
    """How often a start was tried since."""
    counted = _counted(subject)
    return len(counted.read_text().splitlines()) if counted.exists() else 0


def _counted(subject: Subject) -> Path:
    return subject.cluster.directory / "trials"


def end_trials_after(bundle: Path, seconds: int) -> None:
    """A shorter limit for trials, in a bundle that is whole all the same."""
    script, sums = bundle / "lib" / "start.sh", bundle / "SHA256SUMS"
    was = script.read_bytes()
    now = was.replace(b"SECONDS_TO_TRY=20", b"SECONDS_TO_TRY=%d" % seconds)
    assert now != was
    script.write_bytes(now)
    old, new = (hashlib.sha256(data).hexdigest() for data in (was, now))
    sums.write_text(sums.read_text().replace(old, new))
