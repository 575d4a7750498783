"""Begins a run: its place on disk, its bundles, and the processes that work apart from any terminal."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from tunewiz.bench.errors import RefusedError, RunError
from tunewiz.bench.locks import is_under_way
from tunewiz.bench.restoring import forget, restore
from tunewiz.bench.run import BenchRun, Place, read_run, write_record
from tunewiz.bench.runner import DONE
from tunewiz.bench.server import server_of
from tunewiz.bench.starting import remember
from tunewiz.bench.switching import WHOLE, check_applicable
from tunewiz.bench.variants import is_written_from, needed_parts, variant_name, write_part
from tunewiz.bundle.check import damage_of
from tunewiz.bundle.manifest import SUMS, digest_of
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.errors import InputError
from tunewiz.package_files import import_environment

STATE = "/var/lib/tunewiz"
"""Where the bundles' scripts keep their records too."""
SECONDS_TO_BEGIN = 30
ROOTS_TEMPORARY = "/tmp"  # noqa: S108 - root's, and sticky; the folder in it has a name that nobody knows


def place_of(environ: Mapping[str, str]) -> Place:
    """Where runs on this machine are kept: one at a time."""
    return Place(Path(environ.get("TUNEWIZ_STATE_DIR") or STATE) / "prove")


def take_place(place: Place) -> None:
    """Make the place of a new run, cleared of what a run that was cut off has left; raises RefusedError."""
    if is_under_way(place):
        raise RefusedError("a run is under way on this machine", "--resume follows it.")
    if has_result(place):
        raise RefusedError("an earlier run has ended, and nobody has seen its result", "--resume shows it.")
    if (place.directory.parent / "pending").exists():
        raise RefusedError(
            "a bundle that was applied here waits for its confirmation", "Confirm it or roll it back first."
        )
    clear(place)
    for folder in (place.directory.parent, place.directory, place.bundles):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def has_result(place: Place) -> bool:
    """Whether a run is complete, and nobody has seen its result yet."""
    return place.status.exists() and place.status.read_text(encoding="utf-8").startswith(f"{DONE}\n")


def clear(place: Place) -> None:
    """Put back what is left of an earlier run, and forget it; raises RefusedError where that fails."""
    if place.run.exists() and (left := restore(place, read_run(place))):
        raise RefusedError("\n  ".join(("an earlier run could not be put back:", *left)))
    forget(place)
    if place.directory.exists():
        shutil.rmtree(place.directory)


def work_folder(owner: str, scripts: Mapping[str, bytes]) -> Path:
    """A folder of ours with the scripts, and one in it for the logs that the owner's pgbench writes.

    Nobody but the owner's group enters it. Root takes no TMPDIR of its caller's: whoever may write above the
    folder could put another in its place.
    """
    is_root = os.geteuid() == 0
    work = Path(tempfile.mkdtemp(prefix="tunewiz-prove-", dir=ROOTS_TEMPORARY if is_root else None))
    logs = work / "logs"
    logs.mkdir(mode=0o700)
    for name, content in scripts.items():
        (work / name).write_bytes(content)
        (work / name).chmod(0o640)
    if is_root:
        account = pwd.getpwnam(owner)
        for path in (work, *(work / name for name in scripts)):
            os.chown(path, 0, account.pw_gid)
        os.chown(logs, account.pw_uid, account.pw_gid)
        work.chmod(0o710)
    return work


def lay_out(place: Place, run: BenchRun, bundle: Path, plan: Plan | None) -> None:
    """Put the bundles in place, those of parts of the plan too, and see that they can be applied.

    Raises:
        RefusedError: The bundle is not what this plan gives, or cannot be applied here.
        RunError: How the server was started cannot be read.
    """
    shutil.copytree(bundle, place.whole)
    # What is run is the copy: it must be what was read, whatever happened to the bundle meanwhile.
    if digest_of((place.whole / SUMS).read_bytes()) != run.digest or damage_of(place.whole):
        raise RefusedError(f"{bundle}: was changed while it was copied")
    write_record(place.run, run)
    check_applicable(place, WHOLE)
    remember(place, server_of(run))
    if run.groups:
        _write_parts(place, run, plan)


def _write_parts(place: Place, run: BenchRun, plan: Plan | None) -> None:
    facts, answers = (
        (place.whole / name).read_text(encoding="utf-8") for name in ("facts.json", "answers.toml")
    )
    if plan is None or not is_written_from(plan, place.whole, facts, answers):
        raise RefusedError(
            "the bundle is not what its own facts and answers give here, so it cannot be taken apart",
            "Write it anew with this version: tunewiz --reopen BUNDLE, or tunewiz bundle.",
        )
    ids = {each.name: each.ids for each in run.groups}
    for members in needed_parts(run):
        chosen = frozenset(one for member in members for one in ids[member])
        write_part(plan, chosen, place.bundles / variant_name(members, tuple(ids)), facts, answers)


def begin(place: Place) -> None:
    """Start the processes; they live on when this one and its terminal are gone; raises RunError."""
    for file in (place.status, place.answer, place.proof, place.progress):
        file.unlink(missing_ok=True)
    with place.log.open("a", encoding="utf-8") as log:
        subprocess.Popen(  # noqa: S603 - our own program, by its own interpreter
            [sys.executable, "-P", "-m", "tunewiz.bench.guard", str(place.directory)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env=import_environment(os.environ),
            start_new_session=True,
        )
    until = time.monotonic() + SECONDS_TO_BEGIN
    while not (is_under_way(place) or place.status.exists()):
        if time.monotonic() > until:
            raise RunError(f"the process that measures did not start; see {place.log}")
        time.sleep(0.05)


def continue_run(place: Place, digest: str) -> BenchRun:
    """The run that was cut off, everything put back and ready to begin again; raises RefusedError."""
    if not place.run.exists():
        raise RefusedError(f"{place.directory}: there is no run to continue")
    try:
        run = read_run(place)
    except InputError as error:
        raise RefusedError(f"the run cannot be continued: {error.message}") from error
    if run.digest != digest:
        raise RefusedError("the run that is kept here is one of another bundle")
    return run
