"""Begins a run: its directory, its bundles, and the processes that need no terminal."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tunewiz.bench.errors import RefusedError, RunError
from tunewiz.bench.locks import is_under_way
from tunewiz.bench.restoring import Tell, forget, ignore, restore
from tunewiz.bench.run import BenchRun, RunDirectory, read_run, write_record
from tunewiz.bench.runner import DONE
from tunewiz.bench.server import server_of
from tunewiz.bench.starting import remember
from tunewiz.bench.switching import WHOLE, check_applicable
from tunewiz.bench.variants import is_written_from, needed_parts, variant_name, write_part
from tunewiz.bundle.check import damage_of
from tunewiz.bundle.manifest import SUMS, digest_of
from tunewiz.bundle.reopen import ANSWERS
from tunewiz.bundle.write import write_bundle
from tunewiz.collect.system import regular_content
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.errors import InputError
from tunewiz.formats.records import facts_to_json
from tunewiz.package_files import import_environment

STATE = "/var/lib/tunewiz"
"""Where the bundles' scripts keep their records too."""
SECONDS_TO_BEGIN = 30
ROOTS_TEMPORARY = "/tmp"  # noqa: S108 - root's, and sticky; the folder in it has a name that nobody knows


def place_of(environ: Mapping[str, str]) -> RunDirectory:
    """Where runs on this machine are kept: one at a time."""
    return RunDirectory(Path(environ.get("TUNEWIZ_STATE_DIR") or STATE) / "prove")


def _take_place(place: RunDirectory, tell: Tell) -> None:
    """Make the directory of a new run, after cleaning up an interrupted one; raises RefusedError.

    Args:
        place: The directory of all runs on this machine.
        tell: Receives what an interrupted run had left.
    """
    if is_under_way(place):
        raise RefusedError("a run is in progress on this machine", "--resume follows it.")
    if has_result(place):
        raise RefusedError("an earlier run has ended, but its result was never shown", "--resume shows it.")
    if (place.directory.parent / "pending").exists():
        raise RefusedError(
            "a bundle that was applied here is waiting to be confirmed", "Confirm it or roll it back first."
        )
    _clear(place, tell)
    for folder in (place.directory.parent, place.directory, place.bundles):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def has_result(place: RunDirectory) -> bool:
    """Whether a run is complete and its result was never shown."""
    return place.status.exists() and place.status.read_text(encoding="utf-8").startswith(f"{DONE}\n")


def _clear(place: RunDirectory, tell: Tell = ignore) -> None:
    """Undo what an earlier run left behind, and forget it; raises RefusedError where that fails."""
    if place.run.exists():
        if not place.status.exists():
            # It could not even record how it ended.
            tell("its records; what else it had left follows")
        if left := restore(place, read_run(place), tell):
            raise RefusedError("\n  ".join(("an earlier run could not be put back:", *left)))
    forget(place)
    if place.directory.exists():
        shutil.rmtree(place.directory)


def work_folder(owner: str, scripts: Mapping[str, bytes]) -> Path:
    """A directory for the scripts, and in it one for the logs that pgbench writes as the server's owner.

    Only the owner's group may enter it. Root ignores the caller's TMPDIR: whoever may write there could
    replace the directory.
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


def lay_out(place: RunDirectory, run: BenchRun, bundle: Path, plan: Plan | None) -> None:
    """Put the bundles in place, those of parts of the plan too, and see that they can be applied.

    Args:
        place: Where the run is kept.
        run: What it does.
        bundle: The bundle.
        plan: What parts are written from, and on a copy of the server the whole too.

    Raises:
        RefusedError: The bundle is not what this plan gives, or cannot be applied here.
        RunError: How the server was started cannot be read.
    """
    if plan is not None and run.server.is_copy:
        _write_for_copy(place, bundle, plan)
    else:
        _take_whole(place, run, bundle)
    write_record(place.run, run)
    check_applicable(place, WHOLE)
    remember(place, server_of(run))
    if run.groups:
        _write_parts(place, run, plan)


def _take_whole(place: RunDirectory, run: BenchRun, bundle: Path) -> None:
    shutil.copytree(bundle, place.whole)
    # What is run is the copy: it must be what was read, whatever happened to the bundle meanwhile.
    if digest_of((place.whole / SUMS).read_bytes()) != run.digest or damage_of(place.whole):
        raise RefusedError(f"{bundle}: was changed while it was copied")


def _write_for_copy(place: RunDirectory, bundle: Path, plan: Plan) -> None:
    """The same changes with the places of the server's copy, instead of the bundle itself."""
    answers = regular_content(str(bundle / ANSWERS)).decode()
    write_bundle(plan, place.whole, facts_to_json(plan.start.facts), answers)


def _write_parts(place: RunDirectory, run: BenchRun, plan: Plan | None) -> None:
    facts, answers = (
        (place.whole / name).read_text(encoding="utf-8") for name in ("facts.json", "answers.toml")
    )
    if plan is None or not is_written_from(plan, place.whole, facts, answers):
        raise RefusedError(
            "this version makes another bundle from its facts and answers, so its parts cannot be measured",
            "Write it again with this version: tunewiz --reopen BUNDLE, or tunewiz bundle.",
        )
    ids = {group_of_changes.name: group_of_changes.ids for group_of_changes in run.groups}
    for members in needed_parts(run):
        chosen = frozenset(one for member in members for one in ids[member])
        write_part(plan, chosen, place.bundles / variant_name(members, tuple(ids)), facts, answers)


@contextmanager
def new_run(place: RunDirectory, tell: Tell) -> Generator[None]:
    """Prepare a new run, and begin it at the end; if anything fails, nothing is left behind.

    Args:
        place: The directory of all runs on this machine.
        tell: Receives what an interrupted run had left.

    Raises:
        RefusedError: The preparation failed: nothing was begun that could end early.
        RunError: The processes did not start.
    """
    _take_place(place, tell)
    try:
        with failures_refused():
            yield
        begin(place)
    except BaseException:
        _clear(place)
        raise


@contextmanager
def failures_refused() -> Generator[None]:
    """What fails before anything has begun is a refusal; raises RefusedError."""
    try:
        yield
    except RunError as error:
        raise RefusedError(error.message, error.hint) from error


def begin(place: RunDirectory) -> None:
    """Start the processes; they outlive this one and its terminal; raises RunError."""
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


def continue_run(place: RunDirectory, digest: str) -> BenchRun:
    """The interrupted run, with everything put back, ready to continue; raises RefusedError."""
    if not place.run.exists():
        raise RefusedError(f"{place.directory}: there is no run to continue")
    try:
        run = read_run(place)
    except InputError as error:
        raise RefusedError(f"the run cannot be continued: {error.message}") from error
    if run.digest != digest:
        raise RefusedError("the unfinished run is of another bundle")
    return run
