"""`tunewiz prove`: what a plan is worth on this very server, by one of several ways to measure it."""

# ruff: noqa: PLC0415 - each way is imported when it is typed

from __future__ import annotations

from typing import assert_never

from tunewiz.commands.options import Options
from tunewiz.core.values.errors import UsageError


def run_prove(options: Options) -> int:
    """Run the subcommand; exit status 0 helped, 1 hurt, 3 the same, 4 undecided or refused, 5 ended early."""
    match options.prove:
        case None:
            raise UsageError("prove: expected one of its subcommands")
        case "bench":
            from tunewiz.commands.prove_bench import run_bench

            return run_bench(options)
        case _:
            assert_never(options.prove)
