"""What each command of the command line may be followed by."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from tunewiz.commands.connection_options import (
    add_connection,
    add_deep,
    add_export,
    add_stated,
    add_waits,
    add_watch,
)
from tunewiz.commands.fleet_options import add_fleet
from tunewiz.commands.prove_options import add_prove
from tunewiz.commands.watch_options import add_keeping, add_learned
from tunewiz.commands.wizard_options import ANSWERS, DEMO, FACTS, PROOF

if TYPE_CHECKING:
    from tunewiz.core.planning.target_names import TargetName


def _machine(parser: argparse.ArgumentParser, *, this_host: bool = True) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--facts", metavar="FILE", type=Path, help=FACTS)
    which.add_argument("--demo", metavar="NAME", help=DEMO)
    if this_host:
        add_watch(which)


def _answers(parser: argparse.ArgumentParser) -> None:
    described = f"{ANSWERS}; without it, the usual answers"
    parser.add_argument("--answers", metavar="FILE", type=Path, help=described)


def _facts(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--root",
        metavar="DIR",
        type=Path,
        help="a captured root that contains proc/ and sys/; without it, this host",
    )
    which.add_argument(
        "--from",
        dest="collected",
        metavar="FILE",
        type=Path,
        help="the file that the collector wrote on a server",
    )
    which.add_argument(
        "--collector",
        action="store_true",
        help="print the collector instead: a shell script for a server on which nothing is installed",
    )
    which.add_argument("--demo", metavar="NAME", help="an example machine, to try `--facts` with")
    which.add_argument(
        "--pg-settings",
        metavar="FILE",
        type=Path,
        help="of a managed server, with --memory and --cores: what psql --csv printed for "
        "SELECT name, setting, unit, source FROM pg_settings",
    )
    add_watch(which)
    add_stated(parser)
    add_learned(parser)
    parser.add_argument("-o", "--out", metavar="FILE", type=Path, help="write to this file")
    add_connection(parser)


def _plan(parser: argparse.ArgumentParser) -> None:
    add_learned(parser)
    _planned(parser)


def _planned(parser: argparse.ArgumentParser) -> None:
    """The plan that a command shows, or what rests on it."""
    _machine(parser)
    _answers(parser)
    parser.add_argument("--json", action="store_true", help="as JSON, for scripts")
    add_connection(parser)


def _health(parser: argparse.ArgumentParser) -> None:
    _planned(parser)
    add_waits(parser)
    add_deep(parser)


def _since(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "before",
        metavar="BEFORE",
        nargs="?",
        type=Path,
        help="a bundle, or a file of facts; without it, the last run of the wizard on this host",
    )
    _machine(parser)
    parser.add_argument("--json", action="store_true", help="as JSON, for scripts")
    add_connection(parser)


def _policy(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--policy", metavar="FILE", type=Path, help="rules of the shop (TOML), which go before the answers"
    )
    parser.add_argument(
        "--environment", metavar="NAME", help="this host's, for rules that are for some environments alone"
    )


def _plan_proved(parser: argparse.ArgumentParser) -> None:
    _plan(parser)
    _policy(parser)
    parser.add_argument("--proof", metavar="FILE", type=Path, help=PROOF)
    parser.add_argument(
        "--all",
        dest="whole",
        action="store_true",
        help="for people: also what is right already, left alone or not applicable, and the memory",
    )


def _bundle(parser: argparse.ArgumentParser) -> None:
    _machine(parser)
    add_learned(parser)
    _answers(parser)
    _policy(parser)
    parser.add_argument("--proof", metavar="FILE", type=Path, help=PROOF)
    parser.add_argument(
        "-o", "--out", metavar="DIR", type=Path, required=True, help="a directory that does not exist yet"
    )
    _target_options(parser)
    add_connection(parser)


def _export(parser: argparse.ArgumentParser) -> None:
    add_export(parser)
    _machine(parser, this_host=False)
    _answers(parser)


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recommendation", metavar="ID", nargs="?", help="such as pg.shared_buffers")
    _machine(parser, this_host=False)
    _answers(parser)


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bundle", metavar="BUNDLE", type=Path, help="the directory")


def _compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "plans",
        metavar="PLAN",
        nargs="*",
        default=(),
        help="two of: a bundle, the output of `tunewiz plan --json`, facts (JSON), answers (TOML)",
    )
    parser.add_argument(
        "--with",
        dest="peer",
        metavar="PEER",
        help="show instead what another generator would set here: pgconfig, pgtune or timescaledb-tune",
    )
    _machine(parser)
    parser.add_argument("--answers", metavar="FILE", type=Path, help=f"{ANSWERS}, where only facts are named")
    parser.add_argument("--json", action="store_true", help="as JSON, for scripts")


def _study(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "study", metavar="STUDY", nargs="?", help="such as z13; without it, the list of studies"
    )
    _planned(parser)


def _target_options(parser: argparse.ArgumentParser) -> None:
    """Of bundles for servers that somebody else configures."""
    parser.add_argument(
        "--target",
        metavar="TARGET",
        type=_target,
        default="host",
        help="what manages the server's settings: host (files, the default), "
        "patroni, cloudnativepg, pgo, percona, zalando, stackgres, kubeblocks or autobase",
    )
    parser.add_argument(
        "--member",
        metavar="FILE",
        type=Path,
        nargs="+",
        default=(),
        help="facts of the other members, for patroni and autobase: what fits only one host is "
        "written separately",
    )


def _target(typed: str) -> TargetName:
    """The target; its names are imported only here, as the wizard's first page does not need them."""
    from tunewiz.core.planning.target_names import TargetName  # noqa: PLC0415 - as above
    from tunewiz.core.values.names import expected_name  # noqa: PLC0415 - as above

    known: tuple[TargetName, ...] = get_args(TargetName)
    for name in known:
        if name == typed:
            return name
    raise argparse.ArgumentTypeError(f"found {typed!r}, expected {expected_name(typed, known)}")


def _upgrade(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--to", metavar="MAJOR", required=True, help="the new major version, such as 18")
    _planned(parser)


def _sessions(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--remove", metavar="NAME", nargs="+", default=(), help="delete these")
    which.add_argument("--remove-all", action="store_true", help="delete all of them")


def _history(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "generations",
        metavar="ID",
        nargs="*",
        default=(),
        help="one bundle in detail, or two to compare; the start of an id is enough",
    )
    parser.add_argument(
        "--state",
        metavar="DIR",
        type=Path,
        help="where the scripts keep their records: /var/lib/tunewiz, or what TUNEWIZ_STATE_DIR was",
    )
    parser.add_argument("--last", metavar="N", type=_count, help="list the newest only")
    parser.add_argument(
        "--format",
        dest="history_format",
        choices=("text", "json"),
        default="text",
        help="for people (text, the default), or for scripts (json)",
    )


def _count(typed: str) -> int:
    if typed.isascii() and typed.isdecimal() and int(typed) > 0:
        return int(typed)
    raise argparse.ArgumentTypeError(f"found {typed!r}, expected a number from 1")


def _demo(_parser: argparse.ArgumentParser) -> None:
    """It has no options."""


COMMANDS = (
    ("facts", "Read a machine and print its facts as JSON", _facts),
    ("plan", "Show what is recommended for a machine, and why", _plan_proved),
    ("bundle", "Write the change bundle without the wizard", _bundle),
    ("export", "Print the settings for a managed service, as Terraform or its command lines", _export),
    ("explain", "Explain one recommendation in full, or list them all", _explain),
    ("check", "Check that a bundle is intact and still matches this host", _check),
    ("review", "Show a bundle's REVIEW.md as a page for a terminal", _check),
    ("compare", "Compare two plans, or the plan with what another generator would set", _compare),
    ("study", "Retell a study step by step beside the plan, or list the studies", _study),
    ("upgrade", "Show what becomes of a server's settings in a newer major version", _upgrade),
    ("tables", "Show what can be done for single tables, indexes and their vacuums", _planned),
    ("health", "Show what troubles the server that no setting mends", _health),
    ("since", "Show what became of this host since it was read before", _since),
    (
        "history",
        "List the bundles that were applied on this host, compare two, or show the way back",
        _history,
    ),
    ("fleet", "Plan many servers at once, in groups that are reviewed once, with one rollout", add_fleet),
    ("watch", "Sample a running server for days, or show what was recorded", add_keeping),
    ("prove", "Measure on this server what a bundle is worth", add_prove),
    ("demo", "List the example machines", _demo),
    ("sessions", "List the saved sessions of the wizard, or delete them", _sessions),
)
