"""Settles what a run does, from the options, the bundle and the server as it is."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator

from tunewiz.bench.budget import BYTES_A_SCALE, DataSize, limit_of, schedule_of, with_schedule
from tunewiz.bench.bundle import LATER, BundleRead
from tunewiz.bench.experiment import USUAL_CYCLES
from tunewiz.bench.mix import Mix
from tunewiz.bench.options import BenchOptions
from tunewiz.bench.refusals import SIDES, SpaceNeeded, check, check_database
from tunewiz.bench.run import BenchRun, GroupOfChanges
from tunewiz.bench.server import Server
from tunewiz.bench.subject import Subject
from tunewiz.core.answers.answers import Answers
from tunewiz.core.facts.facts import Facts
from tunewiz.core.proof.lengths import Lengths, lengths_of
from tunewiz.core.proof.looks import LAST, SAME_PAIRS
from tunewiz.core.proof.parts import parts, singles
from tunewiz.core.proof.proof import ProofHost
from tunewiz.core.proof.schedule import BenchRequest
from tunewiz.core.values.known import known_or
from tunewiz.core.values.units import MIB, Bytes

CLIENTS_A_PROCESSOR = 2
SCALE_MOST = 2_000
"""By default: 30 GB are copied in minutes; larger scales must be asked for."""
MAX_WAL_SIZE = (
    "SELECT setting::bigint * CASE unit WHEN 'MB' THEN 1048576 ELSE 16777216 END "
    "FROM pg_settings WHERE name = 'max_wal_size'"
)
"""In bytes; 9.5 and 9.6 count segments of 16 MB."""
DATA_SHARE = 4
"""By default the data takes at most a quarter of the free disk space."""


def settle(options: BenchOptions, subject: Subject, mix: Mix) -> BenchRun:
    """What the run does; its directory is still to be made.

    Raises:
        RefusedError: The server must not be measured as it is, or the budget is too short.
        RunError: The server does not answer.
    """
    name, bundle = f"tunewiz_prove_{secrets.token_hex(4)}", subject.bundle
    server = Server(measured=subject.server, label=name)
    data, limit = _data(options, subject, server), limit_of(options)
    request = _request(options, bundle, _lengths(options, server, bundle, mix))
    schedule, scale = None, data.scale
    if limit is not None:
        memory = known_or(subject.machine.memory.total, Bytes(0))
        schedule, scale = schedule_of(request, limit, data, memory=memory, restarts=_restarts(bundle))
    needs = _needs(bundle, server, data.size(scale))
    check(server, needs, options.database, window=options.window is not None)
    run = BenchRun(
        host=host_of(subject.machine),
        server=server.measured,
        digest=bundle.digest,
        changes=tuple(change.measured for change in bundle.changes),
        source=mix.source,
        scripts=mix.scripts,
        share=mix.share,
        left_out=(*subject.left_out, *mix.left_out),
        cannot_tell=(*subject.cannot_tell, *_smaller_data(data, scale)),
        session=mix.session,
        clients=data.clients,
        scale=scale,
        template=options.database,
        lengths=request.usual,
        pairs=options.pairs or request.most,
        is_fixed=options.pairs is not None,
        same_pairs=options.same_pairs or SAME_PAIRS,
        primary=options.primary,
        seed=seed_of(options.seed),
        groups=_groups(bundle, single=options.single) if options.ablate else (),
        until=int(time.time()) + limit.seconds if limit else 0,
        began=int(time.time()),
        ask=options.ask,
        work="",
        database=name,
    )
    return run if schedule is None else with_schedule(run, schedule)


def _data(options: BenchOptions, subject: Subject, server: Server) -> DataSize:
    """The data without a budget; raises RefusedError for a database that cannot be copied."""
    database = None
    if options.database:
        check_database(server, options.database)
        quoted = options.database.replace("'", "''")
        database = Bytes(server.ask_number(f"SELECT pg_database_size('{quoted}')"))
    return DataSize(
        database=database,
        scale=0 if options.database else options.scale or _usual_scale(server, subject.answers),
        is_given=options.scale is not None,
        clients=options.clients or CLIENTS_A_PROCESSOR * (os.cpu_count() or 1),
    )


def _lengths(options: BenchOptions, server: Server, bundle: BundleRead, mix: Mix) -> Lengths:
    return lengths_of(
        longer_checkpoint_timeout(server, bundle),
        seconds=options.run_seconds or 0,
        writes=any(script.writes for script in mix.scripts),
        is_latency=options.primary.startswith("latency"),
    )


def _request(options: BenchOptions, bundle: BundleRead, usual: Lengths) -> BenchRequest:
    return BenchRequest(
        usual=usual,
        is_run_fixed=options.run_seconds is not None,
        pairs=options.pairs or 0,
        same_pairs=options.same_pairs or 0,
        most=USUAL_CYCLES if options.ablate else LAST,
        groups=len(_groups(bundle, single=options.single)) if options.ablate else 0,
        is_latency=options.primary.startswith("latency"),
    )


def _restarts(bundle: BundleRead) -> bool:
    return any(change.takes_effect == "restart" for change in bundle.changes)


def _smaller_data(data: DataSize, scale: int) -> Iterator[str]:
    if scale < data.scale:
        yield (
            f"The data are {data.size(scale).human()}, as the time allows, instead of "
            f"{data.size(data.scale).human()}: what depends on how much of them memory holds is not shown."
        )


def host_of(facts: Facts) -> ProofHost:
    """The machine as a proof names it."""
    return ProofHost(
        name=known_or(facts.host.name, ""),
        identity=known_or(facts.host.identity, ""),
        architecture=known_or(facts.host.architecture, ""),
        processors=os.cpu_count() or 1,
        memory=known_or(facts.memory.total, Bytes(0)).count,
    )


def seed_of(typed: int | None) -> int:
    """The one that was asked for, otherwise a new one."""
    return secrets.randbelow(10**6) if typed is None else typed


def _usual_scale(server: Server, answers: Answers) -> int:
    """As large as the answers' database size, within a share of the free disk space."""
    result = os.statvfs(server.measured.data_directory)
    most = result.f_bavail * result.f_frsize // DATA_SHARE // SIDES // BYTES_A_SCALE
    return max(1, min(answers.workload.database_size.count // BYTES_A_SCALE, most, SCALE_MOST))


def _needs(bundle: BundleRead, server: Server, data: Bytes) -> SpaceNeeded:
    now = Bytes(server.ask_number(MAX_WAL_SIZE))
    planned = bundle.planned_size("max_wal_size", Bytes(MIB))
    return SpaceNeeded(max_wal_size=max(now, planned), data=data)


def longer_checkpoint_timeout(server: Server, bundle: BundleRead) -> int:
    """The longer of the current and the planned one, in seconds; raises RunError."""
    now = server.ask_number("SELECT setting FROM pg_settings WHERE name = 'checkpoint_timeout'")
    return max(now, bundle.planned_seconds("checkpoint_timeout"))


def _groups(bundle: BundleRead, *, single: bool) -> tuple[GroupOfChanges, ...]:
    """The parts to measure, without changes that take effect too late."""
    now = [
        (change.measured.id, change.group) for change in bundle.changes if change.takes_effect not in LATER
    ]
    result = singles(now) if single else parts(now)
    return tuple(GroupOfChanges(name=name, ids=ids) for name, ids in result.items())
