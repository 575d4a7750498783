"""`tunewiz prove`: measures in one of several ways what a plan is worth on this server."""

# ruff: noqa: PLC0415 - a subcommand is imported only when it is used

from __future__ import annotations

from typing import assert_never

from tunewiz.commands.options import Options
from tunewiz.core.values.errors import UsageError


def run_prove(options: Options) -> int:
    """Run the subcommand; exit status 0 helped, 1 hurt, 3 the same, 4 undecided or refused, 5 ended early."""
    match options.prove:
        case None:
            raise UsageError("prove: expected one of its subcommands")
        case "plans":
            from tunewiz.commands.prove_plans import run_plans

            return run_plans(options)
        case "compare":
            from tunewiz.commands.prove_compare import run_compare

            return run_compare(options)
        case "show":
            from tunewiz.commands.prove_show import run_show

            return run_show(options)
        case "switchback":
            from tunewiz.commands.prove_switchback import run_switchback

            return run_switchback(options)
        case "bench":
            from tunewiz.commands.prove_bench import run_bench

            return run_bench(options)
        case _:
            assert_never(options.prove)
