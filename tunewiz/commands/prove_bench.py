"""`tunewiz prove bench`: pgbench with and without a bundle's changes, in processes without a terminal."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Mapping

from tunewiz.bench.beginning import (
    begin,
    continue_run,
    failures_refused,
    has_result,
    lay_out,
    new_run,
    place_of,
    work_folder,
)
from tunewiz.bench.budget import continued_within, limit_of
from tunewiz.bench.bundle import BundleRead, read_bundle
from tunewiz.bench.errors import RefusedError, RunError
from tunewiz.bench.from_server import check_pgbench, mix_from_server
from tunewiz.bench.kept import keep_scripts, kept_scripts
from tunewiz.bench.locks import beginning, is_under_way
from tunewiz.bench.mix import FROM_SERVER, Mix
from tunewiz.bench.options import BenchOptions
from tunewiz.bench.owner import must
from tunewiz.bench.preparing import seed_of, settle
from tunewiz.bench.restoring import restore
from tunewiz.bench.run import BenchRun, MeasuredServer, RunDirectory, read_partial, write_record
from tunewiz.bench.server import Server
from tunewiz.bench.subject import again, subject_of
from tunewiz.bench.workload import typed_mix
from tunewiz.commands.bench_following import follow, tell_left
from tunewiz.commands.bench_result import result
from tunewiz.commands.options import Options
from tunewiz.commands.proof_status import ENDED_EARLY, REFUSED
from tunewiz.console.exit_status import say
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.errors import UsageError


def run_bench(options: Options) -> int:
    """Measure and report what can be claimed, also as the exit status."""
    bench_options = _asked(options)
    try:
        return _run(bench_options, options)
    except RefusedError as error:
        say(str(error))
        return REFUSED
    except RunError as error:
        say(str(error))
        return ENDED_EARLY


def _run(bench_options: BenchOptions, options: Options) -> int:
    place, bundle = place_of(os.environ), read_bundle(bench_options.bundle)
    with beginning(place):
        if not options.resume_run:
            _begin(place, bench_options, bundle)
        elif not is_under_way(place) and not has_result(place):
            _continue(place, bench_options, bundle)
        else:
            continue_run(place, bundle.digest)
    follow(place)
    return result(place, bundle.directory, options)


def _begin(place: RunDirectory, options: BenchOptions, bundle: BundleRead) -> None:
    with new_run(place, tell_left):
        _prepare(place, options, bundle)


def _prepare(place: RunDirectory, options: BenchOptions, bundle: BundleRead) -> None:
    # The seed in the proof repeats the values drawn for the scripts.
    options = dataclasses.replace(options, seed=seed_of(options.seed))
    subject = subject_of(bundle, options.copy, ablate=options.ablate, window=options.window is not None)
    mix = _mix(options, subject.server)
    if mix.source in FROM_SERVER:
        keep_scripts(place, mix.contents)
    run = settle(options, subject, mix)
    work = work_folder(run.server.owner, mix.contents)
    _set_up(place, dataclasses.replace(run, work=str(work)), bundle, subject.plan)


def _continue(place: RunDirectory, options: BenchOptions, bundle: BundleRead) -> None:
    """Continue an interrupted run: its measurements are kept, everything else is set up again."""
    before = continue_run(place, bundle.digest)
    if options.copy is not None and str(options.copy.resolve()) != before.server.data_directory:
        raise RefusedError(f"--copy: the unfinished run measures in {before.server.data_directory}")
    if left := restore(place, before, tell_left):
        raise RefusedError("\n  ".join(("the run could not be put back:", *left)))
    with failures_refused():
        contents = _same_contents(place, options, before)
        plan = again(bundle, before, window=options.window is not None).plan
        run = dataclasses.replace(
            continued_within(before, read_partial(place), limit_of(options)),
            work=str(work_folder(before.server.owner, contents)),
        )
        place.bundles.mkdir(mode=0o700, parents=True)
        _set_up(place, run, bundle, plan)
    begin(place)


def _set_up(place: RunDirectory, run: BenchRun, bundle: BundleRead, plan: Plan | None) -> None:
    write_record(place.run, run)
    lay_out(place, run, bundle.directory, plan)


def _mix(options: BenchOptions, measured: MeasuredServer) -> Mix:
    if not options.from_statements and not options.logs:
        return typed_mix(options)
    server = Server(measured=measured, label="tunewiz")
    check_pgbench(must(server.run((server.program("pgbench"), "--version")), "pgbench --version"))
    return mix_from_server(options, measured.data_directory)


def _same_contents(place: RunDirectory, options: BenchOptions, before: BenchRun) -> Mapping[str, bytes]:
    """The scripts of an interrupted run; raises RefusedError if others were requested."""
    if before.source in FROM_SERVER and not options.scripts and not options.builtin:
        return kept_scripts(place, before.scripts)
    mix = typed_mix(options)
    is_from_server = options.from_statements or bool(options.logs)
    if is_from_server or tuple(script.digest for script in before.scripts) != tuple(
        script.digest for script in mix.scripts
    ):
        raise RefusedError("the unfinished run uses other scripts: give the same ones")
    return mix.contents


def _asked(options: Options) -> BenchOptions:
    """The options, once they are consistent; raises UsageError."""
    if options.bundle is None:
        raise UsageError("prove bench: expected BUNDLE")
    if not options.ablate:
        for name, typed in (("--single", options.single), ("--answers-out", options.answers_out)):
            if typed:
                raise UsageError(f"{name}: expected --ablate beside it")
    _check_source(options)
    given = options.yes or options.pairs is not None or options.budget is not None
    if not given and not options.resume_run and not sys.stdin.isatty():
        raise UsageError(
            "expected --yes, --pairs or --budget: without a terminal nobody can confirm after the A/A pairs"
        )
    return BenchOptions(
        bundle=options.bundle,
        copy=options.copy,
        builtin=options.builtin,
        scripts=options.scripts,
        from_statements=options.from_statements,
        logs=options.logs,
        with_writes=options.with_writes,
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


def _check_source(options: Options) -> None:
    """Raises UsageError."""
    is_from_server = options.from_statements or bool(options.logs)
    if is_from_server and not options.dbname and not options.resume_run:
        raise UsageError("--from-statements and --from-log: expected --dbname beside them")
    if options.with_writes and not is_from_server:
        raise UsageError("--with-writes: expected --from-statements or --from-log beside it")
