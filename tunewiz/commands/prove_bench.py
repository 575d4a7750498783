"""`tunewiz prove bench`: pgbench with and without a bundle's changes, in processes without a terminal."""

from __future__ import annotations

import dataclasses
import os
import shutil
import sys
import time
from pathlib import Path

from tunewiz.bench.asked import Asked
from tunewiz.bench.beginning import (
    begin,
    clear,
    continue_run,
    has_result,
    lay_out,
    place_of,
    take_place,
    work_folder,
)
from tunewiz.bench.bundle import BundleRead, read_bundle
from tunewiz.bench.errors import RefusedError, RunError
from tunewiz.bench.locks import beginning, is_under_way
from tunewiz.bench.preparing import measured_server, settle
from tunewiz.bench.restoring import restore
from tunewiz.bench.run import BenchRun, Place, write_record
from tunewiz.bench.workload import content_of, scripts_of
from tunewiz.bundle.reopen import proof_in, written_from
from tunewiz.commands.bench_following import follow
from tunewiz.commands.bench_result import result
from tunewiz.commands.options import Options
from tunewiz.commands.proof_status import ENDED_EARLY, REFUSED
from tunewiz.console.exit_status import say
from tunewiz.core.values.errors import UsageError
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import make_plan


def run_bench(options: Options) -> int:
    """Measure and report what can be claimed, also as the exit status."""
    asked = _asked(options)
    try:
        return _run(asked, options)
    except RefusedError as error:
        say(str(error))
        return REFUSED
    except RunError as error:
        say(str(error))
        return ENDED_EARLY


def _run(asked: Asked, options: Options) -> int:
    place, bundle = place_of(os.environ), read_bundle(asked.bundle)
    with beginning(place):
        if not options.resume_run:
            _begin(place, asked, bundle)
        elif not is_under_way(place) and not has_result(place):
            _continue(place, asked, bundle)
        else:
            continue_run(place, bundle.digest)
    follow(place)
    return result(place, bundle, options)


def _begin(place: Place, asked: Asked, bundle: BundleRead) -> None:
    """Begin a new run; if that fails, nothing is left behind."""
    take_place(place, _tell_left)
    try:
        facts, answers = written_from(bundle.directory)
        work = _work(asked, bundle)
        try:
            run = settle(asked, bundle, facts, answers, work)
        except BaseException:
            shutil.rmtree(work, ignore_errors=True)
            raise
        _start(place, run, bundle)
    except BaseException:
        clear(place)
        raise


def _tell_left(sentence: str) -> None:
    say(f"left by an interrupted run: {sentence}")


def _continue(place: Place, asked: Asked, bundle: BundleRead) -> None:
    """Continue an interrupted run: its measurements are kept, everything else is set up again."""
    before = continue_run(place, bundle.digest)
    if left := restore(place, before, _tell_left):
        raise RefusedError("\n  ".join(("the run could not be put back:", *left)))
    if tuple(each.digest for each in before.scripts) != tuple(each.digest for each in scripts_of(asked)):
        raise RefusedError("the unfinished run uses other scripts: give the same ones")
    limits = [each for each in (asked.budget, asked.window) if each]
    run = dataclasses.replace(
        before, work=str(_work(asked, bundle)), until=int(time.time()) + min(limits) if limits else 0
    )
    place.bundles.mkdir(mode=0o700, parents=True)
    _start(place, run, bundle)


def _start(place: Place, run: BenchRun, bundle: BundleRead) -> None:
    plan = None
    if run.groups:
        facts, answers = written_from(bundle.directory)
        plan = make_plan(facts, answers, load_knowledge(), proof_in(bundle.directory))
    write_record(place.run, run)
    lay_out(place, run, bundle.directory, plan)
    begin(place)


def _work(asked: Asked, bundle: BundleRead) -> Path:
    names = [each.name for each in scripts_of(asked)] if asked.scripts else []
    contents = [content_of(file) for file, _ in asked.scripts]
    return work_folder(measured_server(bundle).owner, dict(zip(names, contents, strict=True)))


def _asked(options: Options) -> Asked:
    """The options, once they are consistent; raises UsageError."""
    if options.bundle is None:
        raise UsageError("prove bench: expected BUNDLE")
    if not options.ablate:
        for name, typed in (("--single", options.single), ("--answers-out", options.answers_out)):
            if typed:
                raise UsageError(f"{name}: expected --ablate beside it")
    given = options.yes or options.pairs is not None or options.budget is not None
    if not given and not options.resume_run and not sys.stdin.isatty():
        raise UsageError(
            "expected --yes, --pairs or --budget: without a terminal nobody can confirm after the A/A pairs"
        )
    return Asked(
        bundle=options.bundle,
        builtin=options.builtin,
        scripts=options.scripts,
        database=options.dbname or "",
        clients=options.clients,
        scale=options.scale,
        pairs=options.pairs,
        same_pairs=options.same_pairs,
        run_seconds=options.run,
        budget=options.budget,
        window=options.window,
        primary=options.metric,
        ablate=options.ablate,
        single=options.single,
        seed=options.seed,
        ask=not given,
    )
