"""Settles what a run does, from the options, the bundle and the server as it is."""

from __future__ import annotations

import os
import secrets
import time

from tunewiz.bench.asked import Asked
from tunewiz.bench.bundle import LATER, BundleRead
from tunewiz.bench.errors import RefusedError
from tunewiz.bench.experiment import USUAL_CYCLES
from tunewiz.bench.mix import Mix
from tunewiz.bench.reaching import reached_server
from tunewiz.bench.refusals import BYTES_A_SCALE, SIDES, Needs, check, check_database
from tunewiz.bench.run import BenchRun, GroupOfChanges
from tunewiz.bench.server import Server
from tunewiz.bench.subject import Subject
from tunewiz.core.answers.answers import Answers
from tunewiz.core.facts.facts import Facts
from tunewiz.core.proof.blocks import TIME
from tunewiz.core.proof.lengths import Lengths, lengths_of
from tunewiz.core.proof.looks import LAST, SAME_PAIRS
from tunewiz.core.proof.parts import parts, singles
from tunewiz.core.proof.proof import ProofHost
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
SECONDS_TO_SWITCH, SECONDS_TO_END = 20, 120
"""Of the budget of a switchback, for each switch and for putting everything back."""
DATA_SHARE = 4
"""By default the data takes at most a quarter of the free disk space."""


def settle(asked: Asked, subject: Subject, mix: Mix) -> BenchRun:
    """What the run does; its directory is still to be made.

    Raises:
        RefusedError: The server must not be measured as it is.
        RunError: The server does not answer.
    """
    name, bundle, machine = f"tunewiz_prove_{secrets.token_hex(4)}", subject.bundle, subject.machine
    server = Server(measured=subject.server, label=name)
    writes = any(each.writes for each in mix.scripts)
    processors = os.cpu_count() or 1
    scale = 0 if asked.database else asked.scale or _usual_scale(server, subject.answers)
    check(server, _needs(asked, bundle, server, scale), asked.database, window=asked.window is not None)
    limits = [each for each in (asked.budget, asked.window) if each]
    return BenchRun(
        host=_host(machine, processors),
        server=server.measured,
        digest=bundle.digest,
        changes=tuple(each.measured for each in bundle.changes),
        source=mix.source,
        scripts=mix.scripts,
        share=mix.share,
        left_out=(*subject.left_out, *mix.left_out),
        cannot_tell=subject.cannot_tell,
        session=mix.session,
        clients=asked.clients or CLIENTS_A_PROCESSOR * processors,
        scale=scale,
        template=asked.database,
        lengths=_lengths(asked, bundle, server, writes=writes),
        pairs=asked.pairs or (USUAL_CYCLES if asked.ablate else LAST),
        is_fixed=asked.pairs is not None,
        same_pairs=asked.same_pairs or SAME_PAIRS,
        primary=asked.primary,
        seed=seed_of(asked),
        groups=_groups(bundle, single=asked.single) if asked.ablate else (),
        until=int(time.time()) + min(limits) if limits else 0,
        began=int(time.time()),
        ask=asked.ask,
        work="",
        database=name,
    )


def settle_blocks(
    block: int, pause: int, blocks: int, seed: int | None, bundle: BundleRead, facts: Facts
) -> BenchRun:
    """What a switchback does, once its server is known to count statements.

    Args:
        block: Seconds that one value stays in force.
        pause: Seconds of these that do not count.
        blocks: An even number.
        seed: Of the orders; None for a new one.
        bundle: With the changes to switch.
        facts: Of this machine.

    Raises:
        RefusedError: It does not count statements.
        RunError: It does not answer.
    """
    name = f"tunewiz_prove_{secrets.token_hex(4)}"
    server = Server(measured=reached_server(bundle.server.major, bundle.server.data_directory), label=name)
    if server.ask("SELECT setting FROM pg_settings WHERE name = 'pg_stat_statements.max'") == "":
        raise RefusedError(
            "the server counts no statements: pg_stat_statements is not in shared_preload_libraries",
            "What is compared is the time of the same queries. The plan adds the extension.",
        )
    now = server.ask_number("SELECT setting FROM pg_settings WHERE name = 'checkpoint_timeout'")
    longer = max(now, bundle.planned_seconds("checkpoint_timeout"))
    pays = lengths_of(longer, writes=True).writes_pay
    began = int(time.time())
    return BenchRun(
        kind="switchback",
        host=_host(facts, os.cpu_count() or 1),
        server=server.measured,
        digest=bundle.digest,
        changes=tuple(each.measured for each in bundle.changes),
        source="live",
        scripts=(),
        clients=0,
        scale=0,
        template="",
        lengths=Lengths(warm_up=pause, full_speed=block - pause, fixed_rate=0, writes_pay=pays),
        pairs=blocks // 2,
        is_fixed=True,
        same_pairs=0,
        primary=TIME,
        seed=secrets.randbelow(10**6) if seed is None else seed,
        groups=(),
        until=began + blocks * (block + SECONDS_TO_SWITCH) + SECONDS_TO_END,
        began=began,
        ask=False,
        work="",
        database=name,
    )


def _host(facts: Facts, processors: int) -> ProofHost:
    return ProofHost(
        name=known_or(facts.host.name, ""),
        identity=known_or(facts.host.identity, ""),
        architecture=known_or(facts.host.architecture, ""),
        processors=processors,
        memory=known_or(facts.memory.total, Bytes(0)).count,
    )


def seed_of(asked: Asked) -> int:
    """The one that was asked for, otherwise a new one."""
    return secrets.randbelow(10**6) if asked.seed is None else asked.seed


def _usual_scale(server: Server, answers: Answers) -> int:
    """As large as the answers' database size, within a share of the free disk space."""
    found = os.statvfs(server.measured.data_directory)
    most = found.f_bavail * found.f_frsize // DATA_SHARE // SIDES // BYTES_A_SCALE
    return max(1, min(answers.workload.database_size.count // BYTES_A_SCALE, most, SCALE_MOST))


def _needs(asked: Asked, bundle: BundleRead, server: Server, scale: int) -> Needs:
    now = Bytes(server.ask_number(MAX_WAL_SIZE))
    planned = bundle.planned_size("max_wal_size", Bytes(MIB))
    if asked.database:
        check_database(server, asked.database)
        quoted = asked.database.replace("'", "''")
        data = Bytes(server.ask_number(f"SELECT pg_database_size('{quoted}')"))
    else:
        data = Bytes(BYTES_A_SCALE * scale)
    return Needs(max_wal_size=max(now, planned), data=data)


def _lengths(asked: Asked, bundle: BundleRead, server: Server, *, writes: bool) -> Lengths:
    now = server.ask_number("SELECT setting FROM pg_settings WHERE name = 'checkpoint_timeout'")
    return lengths_of(
        max(now, bundle.planned_seconds("checkpoint_timeout")),
        asked=asked.run_seconds or 0,
        writes=writes,
        is_latency=asked.primary.startswith("latency"),
    )


def _groups(bundle: BundleRead, *, single: bool) -> tuple[GroupOfChanges, ...]:
    """The parts to measure, without changes that take effect too late."""
    now = [(each.measured.id, each.group) for each in bundle.changes if each.takes_effect not in LATER]
    found = singles(now) if single else parts(now)
    return tuple(GroupOfChanges(name=name, ids=ids) for name, ids in found.items())
