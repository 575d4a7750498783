"""`tunewiz prove switchback`: settings that a reload changes, in random blocks on the live server."""

from __future__ import annotations

import dataclasses
import os
import shutil
import sys
import time
from collections.abc import Sequence

from tunewiz.bench.beginning import lay_out, new_run, place_of, work_folder
from tunewiz.bench.bundle import read_bundle
from tunewiz.bench.errors import RefusedError, RunError
from tunewiz.bench.locks import beginning, is_under_way
from tunewiz.bench.preparing_blocks import SwitchbackOptions, settle_blocks
from tunewiz.bench.restoring import forget, restore
from tunewiz.bench.run import RunDirectory, read_run, write_record
from tunewiz.bench.variants import write_part
from tunewiz.commands.bench_following import follow, tell_left
from tunewiz.commands.bench_result import result
from tunewiz.commands.inputs import Inputs, planned, read_inputs
from tunewiz.commands.options import Options
from tunewiz.commands.proof_status import ENDED_EARLY, REFUSED
from tunewiz.console.exit_status import say
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.switchable import why_not_switched
from tunewiz.core.values.errors import UsageError
from tunewiz.core.words.finding import words_of
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
        return _resumed(options) if options.resume_run else _run(options, _asked(options))
    except RefusedError as error:
        say(str(error))
        return REFUSED
    except RunError as error:
        say(str(error))
        return ENDED_EARLY


def _asked(options: Options) -> SwitchbackOptions:
    """The options, once they are consistent; raises UsageError."""
    if options.blocks % 2:
        raise UsageError(f"--blocks: found {options.blocks}, expected an even number: blocks come in pairs")
    pause = options.pause or max(PAUSE_LEAST, int(PAUSE_SHARE * options.block))
    if options.block - pause < LEAST_MEASURED:
        raise UsageError(
            f"--block: found {options.block} s with a pause of {pause} s, expected {LEAST_MEASURED} s or "
            "more beyond the pause",
            "--pause TIME makes it shorter.",
        )
    return SwitchbackOptions(block=options.block, pause=pause, blocks=options.blocks, seed=options.seed)


def _run(options: Options, switchback_options: SwitchbackOptions) -> int:
    inputs = read_inputs(options)
    plan = planned(inputs)
    if reasons := tuple(why_not_switched(plan, options.ids)):
        raise RefusedError("\n  ".join(("these changes cannot be switched back and forth:", *reasons)))
    place = place_of(os.environ)
    with beginning(place), new_run(place, tell_left):
        _prepare(place, options, switchback_options, inputs, plan)
    follow(place)
    return result(place, place.whole, options)


def _agree(options: Options, switchback_options: SwitchbackOptions, plan: Plan) -> None:
    """Raises RefusedError unless a person agrees, or did so in advance."""
    say("\n".join(_told(switchback_options, plan, options.ids)))
    if options.yes:
        return
    if not sys.stdin.isatty():
        raise RefusedError("without a terminal nobody can agree to this", "--yes agrees in advance.")
    sys.stderr.write("Begin? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise RefusedError("nobody agreed; nothing was changed")


def _told(options: SwitchbackOptions, plan: Plan, ids: Sequence[str]) -> list[str]:
    chosen = [words_of(finding, plan.start) for finding in plan.findings if finding.recommendation.id in ids]
    seconds, most, block, pause = map(
        seconds_in_words, (options.seconds, options.most_seconds, options.block, options.pause)
    )
    begins = (
        f"For about {seconds} (at most {most}), the clients of this live server get these values in turn, in "
        f"{options.blocks} blocks of {block} in random order (the first {pause} after each reload do not "
        "count):"
    )
    return [
        begins,
        *(f"  {phrases.name.short}: {phrases.now.short} or {phrases.then.short}" for phrases in chosen),
        "However it ends, the current values are put back.",
    ]


def _prepare(
    place: RunDirectory, options: Options, switchback_options: SwitchbackOptions, inputs: Inputs, plan: Plan
) -> None:
    written = place.directory / "written"
    try:
        texts = facts_to_json(inputs.facts), answers_to_toml(inputs.answers)
        write_part(plan, frozenset(options.ids), written, *texts)
        run = settle_blocks(switchback_options, read_bundle(written), inputs.facts)
        # Nobody is asked about what is refused anyway; the time to think it over is not the run's.
        _agree(options, switchback_options, plan)
        current_time = int(time.time())
        work = str(work_folder(run.server.owner, {}))
        run = dataclasses.replace(
            run, work=work, began=current_time, until=current_time + switchback_options.most_seconds
        )
        write_record(place.run, run)
        lay_out(place, run, written, None)
    finally:
        shutil.rmtree(written, ignore_errors=True)


def _resumed(options: Options) -> int:
    """Follow a run, show its result, or put back what an interrupted one left."""
    place = place_of(os.environ)
    with beginning(place):
        if not place.run.exists() or (run := read_run(place)).kind != "switchback":
            raise RefusedError(f"{place.directory}: there is no such run")
        if not is_under_way(place) and not place.status.exists():
            if left := restore(place, run, tell_left):
                raise RefusedError("\n  ".join(("the run could not be put back:", *left)))
            forget(place)
            say("the interrupted run was put back; its blocks do not count")
            return ENDED_EARLY
    follow(place)
    return result(place, place.whole, options)
