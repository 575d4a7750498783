"""`tunewiz prove switchback`: settings that a reload changes, in random blocks on the live server."""

from __future__ import annotations

import dataclasses
import os
import shutil
import sys

from tunewiz.bench.beginning import begin, clear, lay_out, place_of, take_place, work_folder
from tunewiz.bench.bundle import read_bundle
from tunewiz.bench.errors import RefusedError, RunError
from tunewiz.bench.locks import beginning, is_under_way
from tunewiz.bench.preparing import settle_blocks
from tunewiz.bench.restoring import forget, restore
from tunewiz.bench.run import Place, read_run, write_record
from tunewiz.bench.variants import write_part
from tunewiz.commands.bench_following import follow
from tunewiz.commands.bench_result import result
from tunewiz.commands.inputs import Inputs, planned, read_inputs
from tunewiz.commands.options import Options
from tunewiz.commands.proof_status import ENDED_EARLY, REFUSED
from tunewiz.console.exit_status import say
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.switchable import checkpoints_among, why_not_switched
from tunewiz.core.proof.lengths import Lengths
from tunewiz.core.values.errors import UsageError
from tunewiz.core.words.proof import seconds_in_words
from tunewiz.formats.records import answers_to_toml, facts_to_json

PAUSE_SHARE, PAUSE_LEAST = 0.1, 30
"""Of a block, in seconds at least: by convention."""
LEAST_MEASURED = 2
"""Seconds: up to 14 the server brings its counts up to date twice a second."""


def run_switchback(options: Options) -> int:
    """Measure and report what can be claimed, also as the exit status."""
    if not options.ids and not options.resume_run:
        raise UsageError("prove switchback: expected ID, such as pg.work_mem")
    try:
        return _resumed(options) if options.resume_run else _run(options, _pause(options))
    except RefusedError as error:
        say(f"prove switchback: refused: {error}")
        return REFUSED
    except RunError as error:
        say(str(error))
        return ENDED_EARLY


def _pause(options: Options) -> int:
    """Seconds; raises UsageError."""
    if options.blocks % 2:
        raise UsageError(f"--blocks: found {options.blocks}, expected an even number: blocks come in pairs")
    pause = options.pause or max(PAUSE_LEAST, int(PAUSE_SHARE * options.block))
    if options.block - pause < LEAST_MEASURED:
        raise UsageError(
            f"--block: found {options.block} s with a pause of {pause} s, expected {LEAST_MEASURED} s or "
            "more beyond the pause",
            "--pause TIME makes it shorter.",
        )
    return pause


def _run(options: Options, pause: int) -> int:
    inputs = read_inputs(options)
    plan = planned(inputs)
    if reasons := tuple(why_not_switched(plan, options.ids)):
        raise RefusedError("\n  ".join(("", *reasons)).strip())
    _consent(options, plan, pause)
    place = place_of(os.environ)
    with beginning(place):
        _begin(place, options, inputs, plan, pause)
    follow(place)
    return result(place, place.whole, options)


def _consent(options: Options, plan: Plan, pause: int) -> None:
    """Raises RefusedError unless a person agrees, or did so in advance."""
    say("\n".join(_told(options, plan, pause)))
    if options.yes:
        return
    if not sys.stdin.isatty():
        raise RefusedError("without a terminal nobody can agree to this", "--yes agrees in advance.")
    sys.stderr.write("Begin? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise RefusedError("nobody agreed; nothing was changed")


def _told(options: Options, plan: Plan, pause: int) -> list[str]:
    chosen = [each for each in plan.findings if each.recommendation.id in options.ids]
    blocks, each = seconds_in_words(options.blocks * options.block), seconds_in_words(options.block)
    begins = (
        f"For up to {blocks}, the clients of this live server get these values in turn, in {options.blocks} "
        f"blocks of {each} in random order (the first {seconds_in_words(pause)} after each reload do not "
        "count):"
    )
    return [
        begins,
        *(f"  {one.recommendation.id}: as now, or {one.sets}" for one in chosen),
        "However it ends, the current values are put back.",
    ]


def _begin(place: Place, options: Options, inputs: Inputs, plan: Plan, pause: int) -> None:
    """Begin a new run; if that fails, nothing is left behind."""
    take_place(place, say)
    written = place.directory / "written"
    try:
        texts = facts_to_json(inputs.facts), answers_to_toml(inputs.answers)
        write_part(plan, frozenset(options.ids), written, *texts)
        bundle = read_bundle(written)
        run = settle_blocks(options.block, pause, options.blocks, options.seed, bundle, inputs.facts)
        _check_checkpoints(options, run.lengths)
        work = work_folder(run.server.owner, {})
        run = dataclasses.replace(run, work=str(work))
        write_record(place.run, run)
        lay_out(place, run, written, None)
        begin(place)
    except BaseException:
        clear(place)
        raise
    finally:
        shutil.rmtree(written, ignore_errors=True)


def _check_checkpoints(options: Options, lengths: Lengths) -> None:
    ids = checkpoints_among(options.ids)
    if ids and lengths.full_speed < lengths.writes_pay:
        raise RefusedError(
            f"{', '.join(ids)}: found blocks measured for {seconds_in_words(lengths.full_speed)}, expected "
            f"{seconds_in_words(lengths.writes_pay)} or more: a shorter one includes no timed checkpoint"
        )


def _resumed(options: Options) -> int:
    """Follow a run, show its result, or put back what an interrupted one left."""
    place = place_of(os.environ)
    with beginning(place):
        if not place.run.exists() or (run := read_run(place)).kind != "switchback":
            raise RefusedError(f"{place.directory}: there is no such run")
        if not is_under_way(place) and not place.status.exists():
            if left := restore(place, run, say):
                raise RefusedError("\n  ".join(("the run could not be put back:", *left)))
            forget(place)
            say("the interrupted run was put back; its blocks do not count")
            return ENDED_EARLY
    follow(place)
    return result(place, place.whole, options)
