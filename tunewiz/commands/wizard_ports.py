"""The wizard's ports to the real world: this host, files, bundles, measurements and sessions.

What a port needs is imported when it is used: the first page is on the screen before that.
"""

# ruff: noqa: PLC0415 - see above

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tunewiz.commands.options import Options
from tunewiz.knowledge.profiles import demos
from tunewiz.session.current import CurrentSession
from tunewiz.wizard.ports import Ports

if TYPE_CHECKING:
    from tunewiz.bundle.dry_run import DryRun
    from tunewiz.bundle.keepers.review import KeptPlan
    from tunewiz.bundle.review.blocks import Block
    from tunewiz.core.answers.answers import Answers
    from tunewiz.core.comparison.found_windows import WindowsFound
    from tunewiz.core.comparison.live import NotCompared
    from tunewiz.core.facts.facts import Facts
    from tunewiz.core.facts.log import LogSeen
    from tunewiz.core.facts.probe import Probe
    from tunewiz.core.facts.server import PostgresServer, Window
    from tunewiz.core.facts.server_here import ServerHere
    from tunewiz.core.planning.plan import Plan
    from tunewiz.core.planning.target_names import KeptTarget
    from tunewiz.core.proof.bench_seen import BenchSeen
    from tunewiz.core.proof.named_proof import ProofNamed
    from tunewiz.core.proof.proof import Proof
    from tunewiz.core.values.known import Fact
    from tunewiz.knowledge.loading import Knowledge
    from tunewiz.wizard.bundle_preview import Previewed
    from tunewiz.wizard.last_visit import LastVisit


def wizard_ports(session: CurrentSession, options: Options) -> Ports:
    """All of them, for a session and the command line."""
    return Ports(
        knowledge=_knowledge,
        read_host=lambda progress: _read_host(options, progress),
        watch=_watch,
        probe=_probe,
        read_log=_read_log,
        read_file=read_file,
        examples=demos(),
        example=example,
        preview=_preview,
        write_bundle=_write,
        write_kept=write_kept,
        review=_review,
        dry_run=_dry_run,
        proving=_proving,
        windows=_windows,
        compare=_compare,
        save=session.save,
        load=session.load,
        read_bundle=read_bundle,
        read_proof=read_proof,
        begin_another=session.let_go,
        forget=session.forget,
        finish=session.finish,
        saved=session.in_words(),
        earlier=session.earlier,
        remove=session.remove,
        last_visit=_last_visit,
        servers_here=_servers_here,
        today=lambda: f"{datetime.now(UTC).astimezone():%Y-%m-%d}",
        report=_report,
    )


def _knowledge() -> Knowledge:
    from tunewiz.knowledge.loading import load_knowledge

    return load_knowledge()


def read_file(path: str) -> Facts:
    """Read facts from a file; raises InputError for what is none."""
    from tunewiz.commands.inputs import read_facts_file

    return read_facts_file(Path(path).expanduser())


def read_bundle(path: str) -> tuple[Facts, Answers, ProofNamed]:
    """Read what a bundle was written from; raises InputError for a directory that is none."""
    from tunewiz.bundle.reopen import all_written_from

    return all_written_from(Path(path).expanduser())


def read_proof(path: str) -> Proof:
    """Read a measurement; raises InputError for a file that is none."""
    from tunewiz.commands import inputs

    return inputs.read_proof(Path(path))


def example(name: str) -> Facts:
    """Read the facts of an example machine; raises UsageError if no example has that name."""
    from tunewiz.knowledge.loading import demo_facts

    return demo_facts(name)


def _last_visit(facts: Facts) -> LastVisit | None:
    from tunewiz.commands.visit import visit_in
    from tunewiz.session.store import sessions_directory

    return visit_in(sessions_directory(os.environ), facts)


def _servers_here() -> tuple[ServerHere, ...]:
    from tunewiz.collect.postgres.here import servers_here
    from tunewiz.collect.system import LiveSystem

    return servers_here(LiveSystem())


def _read_host(options: Options, progress: Callable[[str], None]) -> Facts:
    from tunewiz.collect.everything import read_live
    from tunewiz.collect.ring.window import with_kept
    from tunewiz.commands.connection import named_first

    return named_first(with_kept(read_live(progress), os.environ), options)


def _watch(
    server: PostgresServer, seconds: int, entry: Callable[[float], None], enough: Callable[[], bool]
) -> Fact[Window]:
    from tunewiz.collect.postgres.watching import watch_server
    from tunewiz.collect.system import LiveSystem

    return watch_server(LiveSystem(), server, seconds, entry, enough)


def _probe(
    server: PostgresServer,
    facts: Facts,
    seconds: int,
    entry: Callable[[float, str], None],
    enough: Callable[[], bool],
) -> Fact[Probe]:
    from tunewiz.collect.probe.probing import probe_server
    from tunewiz.collect.system import LiveSystem

    return probe_server(LiveSystem(), server, facts, seconds, entry, enough)


def _read_log(server: PostgresServer) -> Fact[LogSeen]:
    from tunewiz.collect.logs.own import read_own_log

    return read_own_log(server)


def _preview(plan: Plan) -> Previewed:
    from tunewiz.bundle.preview import installed, out_of_reach
    from tunewiz.wizard.bundle_preview import ChangesOutOfReach, Previewed, PreviewedFile

    return Previewed(
        files=tuple(PreviewedFile(path=path, text=text) for path, text in installed(plan).items()),
        out_of_reach=tuple(
            ChangesOutOfReach(why=why, recommendations=tuple(ids)) for why, ids in out_of_reach(plan).items()
        ),
    )


def _write(plan: Plan, directory: str) -> None:
    from tunewiz.bundle.write import write_bundle
    from tunewiz.formats.records import answers_to_toml, facts_to_json

    facts_json, answers_toml = facts_to_json(plan.start.facts), answers_to_toml(plan.start.answers)
    write_bundle(plan, Path(directory).expanduser(), facts_json, answers_toml)


def write_kept(plan: Plan, target: KeptTarget, directory: str) -> KeptPlan:
    """Write the bundle for a keeper, as `tunewiz bundle --target` does; raises InputError and BundleError."""
    from tunewiz.bundle.keepers.keeper_bundle import Texts, kept_plan, write_kept_bundle
    from tunewiz.formats.records import answers_to_toml, facts_to_json
    from tunewiz.knowledge.keepers import load_rulebook

    kept = kept_plan(plan, target, load_rulebook(target))
    start = plan.start
    texts = Texts(facts_json=facts_to_json(start.facts), answers_toml=answers_to_toml(start.answers))
    write_kept_bundle(plan, kept, Path(directory).expanduser(), texts)
    return kept


def _review(plan: Plan) -> Sequence[Block]:
    from tunewiz.bundle.review.document import review_of

    return review_of(plan)


def _dry_run(directory: str, is_enough: Callable[[], bool]) -> DryRun:
    from tunewiz.bundle.dry_run import dry_run

    return dry_run(Path(directory).expanduser(), is_enough)


def _proving(directory: str) -> BenchSeen:
    from tunewiz.bench.seen import look_for

    return look_for(directory, os.environ)


def _windows(directory: str) -> WindowsFound:
    from tunewiz.commands.windows_near import windows_near

    return windows_near(directory)


def _compare(before: str, after: str) -> Proof | NotCompared:
    from tunewiz.commands.prove_compare import compared

    return compared(Path(before).expanduser(), Path(after).expanduser())


def _report(error: BaseException) -> str:
    from tunewiz.console.crash_report import state_directory, write_report

    return write_report(error, state_directory(os.environ))
