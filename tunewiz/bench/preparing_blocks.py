"""Settles what a switchback does, from its options, its bundle and the server as it is."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from tunewiz.bench.bundle import BundleRead
from tunewiz.bench.errors import RefusedError
from tunewiz.bench.preparing import host_of, longer_checkpoint_timeout, seed_of
from tunewiz.bench.reaching import reached_server
from tunewiz.bench.run import BenchRun
from tunewiz.bench.server import Server
from tunewiz.core.facts.facts import Facts
from tunewiz.core.planning.switchable import checkpoints_among
from tunewiz.core.proof.blocks import TIME
from tunewiz.core.proof.lengths import Lengths, lengths_of
from tunewiz.core.words.proof import seconds_in_words

SECONDS_TO_SWITCH, SECONDS_TO_END = 60, 120
"""Of the budget, at most: for each switch, and for putting everything back."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SwitchbackOptions:
    """The options of a switchback."""

    block: int
    """Seconds that one value stays in force."""
    pause: int
    """Seconds of these that do not count."""
    blocks: int
    """An even number."""
    seed: int | None
    """Of the orders; None for a new one."""

    @property
    def seconds(self) -> int:
        """Of all blocks."""
        return self.blocks * self.block

    @property
    def most_seconds(self) -> int:
        """The budget: with every switch, and with putting everything back."""
        return self.seconds + self.blocks * SECONDS_TO_SWITCH + SECONDS_TO_END


def settle_blocks(options: SwitchbackOptions, bundle: BundleRead, facts: Facts) -> BenchRun:
    """What the run does; its directory is still to be made, and its times are still to be set.

    Args:
        options: The options.
        bundle: With the changes to switch.
        facts: Of this machine.

    Raises:
        RefusedError: The server does not count statements, or the blocks include no timed checkpoint.
        RunError: The server does not answer.
    """
    name = f"tunewiz_prove_{secrets.token_hex(4)}"
    server = Server(measured=reached_server(bundle.server.major, bundle.server.data_directory), label=name)
    _check_counting(server)
    lengths = _lengths(options, server, bundle)
    _check_checkpoints(bundle, lengths)
    return BenchRun(
        kind="switchback",
        host=host_of(facts),
        server=server.measured,
        digest=bundle.digest,
        changes=tuple(change.measured for change in bundle.changes),
        source="live",
        scripts=(),
        clients=0,
        scale=0,
        template="",
        lengths=lengths,
        pairs=options.blocks // 2,
        is_fixed=True,
        same_pairs=0,
        primary=TIME,
        seed=seed_of(options.seed),
        groups=(),
        until=0,
        began=0,
        ask=False,
        work="",
        database=name,
    )


def _check_counting(server: Server) -> None:
    if server.ask("SELECT setting FROM pg_settings WHERE name = 'pg_stat_statements.max'") == "":
        raise RefusedError(
            "the server counts no statements: pg_stat_statements is not in shared_preload_libraries",
            "What is compared is the time of the same queries. The plan adds the extension.",
        )


def _lengths(options: SwitchbackOptions, server: Server, bundle: BundleRead) -> Lengths:
    pays = lengths_of(longer_checkpoint_timeout(server, bundle), writes=True).writes_pay
    return Lengths(
        warm_up=options.pause, full_speed=options.block - options.pause, fixed_rate=0, writes_pay=pays
    )


def _check_checkpoints(bundle: BundleRead, lengths: Lengths) -> None:
    ids = checkpoints_among([change.measured.id for change in bundle.changes])
    if ids and lengths.full_speed < lengths.writes_pay:
        raise RefusedError(
            f"{', '.join(ids)}: found blocks measured for {seconds_in_words(lengths.full_speed)}, expected "
            f"{seconds_in_words(lengths.writes_pay)} or more: a shorter one includes no timed checkpoint"
        )
