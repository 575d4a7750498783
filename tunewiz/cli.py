"""The entry point: runs the command that was typed and exits with its status.

Commands are imported when they run: `--version` is fast, and what needs no terminal loads no Textual.
"""

# ruff: noqa: PLC0415 - see above

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Literal, NoReturn, assert_never

from tunewiz.commands.connection_options import names_server
from tunewiz.commands.options import Options, parse
from tunewiz.console.exit_status import ReportErrors


def run() -> NoReturn:
    """The console script."""
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run a command line; the exit status."""
    with ReportErrors() as errors:
        return _run(_connecting(parse(arguments)))
    return errors.status


def _connecting(options: Options) -> Options:
    """The same, once the processes that query servers know how to connect."""
    if names_server(options):
        from tunewiz.commands.connection import hand_to_libpq

        hand_to_libpq(options)
    return options


def _run(options: Options) -> int:
    match options.command:
        case None:
            from tunewiz.commands.wizard import run_wizard

            status = run_wizard(options)
        case "facts":
            from tunewiz.commands.facts import run_facts

            status = run_facts(options)
        case "plan":
            from tunewiz.commands.plan import run_plan

            status = run_plan(options)
        case "bundle" | "export" | "fleet":
            status = _write(options, options.command)
        case "explain" | "study" | "demo" | "sessions":
            status = _tell(options, options.command)
        case "check" | "review" | "compare" | "prove" | "history":
            status = _judge(options, options.command)
        case "upgrade" | "tables" | "health" | "since" | "watch":
            status = _see_to_servers(options, options.command)
        case _:
            assert_never(options.command)
    return status


def _see_to_servers(
    options: Options, command: Literal["upgrade", "tables", "health", "since", "watch"]
) -> int:
    """Commands about a server that no bundle follows from."""
    match command:
        case "upgrade":
            from tunewiz.commands.upgrade import run_upgrade

            status = run_upgrade(options)
        case "tables":
            from tunewiz.commands.tables import run_tables

            status = run_tables(options)
        case "health":
            from tunewiz.commands.health import run_health

            status = run_health(options)
        case "since":
            from tunewiz.commands.since import run_since

            status = run_since(options)
        case "watch":
            from tunewiz.commands.watch import run_watch

            status = run_watch(options)
        case _:
            assert_never(command)
    return status


def _judge(options: Options, command: Literal["check", "review", "compare", "prove", "history"]) -> int:
    """Commands whose exit status is their verdict."""
    match command:
        case "check":
            from tunewiz.commands.check import run_check

            status = run_check(options)
        case "review":
            from tunewiz.commands.review import run_review

            status = run_review(options)
        case "compare":
            from tunewiz.commands.compare import run_compare

            status = run_compare(options)
        case "prove":
            from tunewiz.commands.prove import run_prove

            status = run_prove(options)
        case "history":
            from tunewiz.commands.history import run_history

            status = run_history(options)
        case _:
            assert_never(command)
    return status


def _write(options: Options, command: Literal["bundle", "export", "fleet"]) -> int:
    """Commands that write what others carry out."""
    match command:
        case "bundle":
            from tunewiz.commands.bundle import run_bundle

            status = run_bundle(options)
        case "export":
            from tunewiz.commands.export import run_export

            status = run_export(options)
        case "fleet":
            from tunewiz.commands.fleet import run_fleet

            status = run_fleet(options)
        case _:
            assert_never(command)
    return status


def _tell(options: Options, command: Literal["explain", "study", "demo", "sessions"]) -> int:
    """Commands that tell what the program knows: nothing is planned for use, nothing is checked."""
    match command:
        case "explain":
            from tunewiz.commands.explain import run_explain

            status = run_explain(options)
        case "study":
            from tunewiz.commands.study import run_study

            status = run_study(options)
        case "demo":
            from tunewiz.commands.demo import run_demo

            status = run_demo()
        case "sessions":
            from tunewiz.commands.sessions import run_sessions

            status = run_sessions(options)
        case _:
            assert_never(command)
    return status
