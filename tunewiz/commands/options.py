"""The command line: what may be typed, and what it means."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from tunewiz import __version__
from tunewiz.commands.command_options import COMMANDS
from tunewiz.commands.connection_options import check_connection
from tunewiz.commands.fleet_options import FleetOptions
from tunewiz.commands.parser import CommandLineParser
from tunewiz.commands.prove_options import ProveOptions
from tunewiz.commands.watch_options import WatchOptions, check_learned
from tunewiz.commands.wizard_options import OF_THE_WIZARD, add_wizard

if TYPE_CHECKING:
    from tunewiz.core.keepers.services import ServiceName
    from tunewiz.core.planning.target_names import TargetName
    from tunewiz.core.values.units import Bytes

_OfMachines: TypeAlias = Literal[
    "facts",
    "plan",
    "bundle",
    "export",
    "compare",
    "study",
    "upgrade",
    "tables",
    "health",
    "since",
    "fleet",
    "watch",
]
CommandName: TypeAlias = (
    _OfMachines | Literal["explain", "check", "review", "prove", "demo", "sessions", "history"]
)


class Options(FleetOptions, ProveOptions, WatchOptions):
    """One command line; what was not typed keeps the default given here."""

    command: CommandName | None = None
    """None for the wizard."""
    facts: Path | None = None
    demo: str | None = None
    answers: Path | None = None
    policy: Path | None = None
    """Rules of the shop that the plan of one host obeys."""
    environment: str | None = None
    """This host's, for those rules."""
    proof: Path | None = None
    """A proof.json from the planned server."""
    target: TargetName = "host"
    member: Sequence[Path] = ()
    """Facts of the other members of a Patroni cluster."""
    managed_by: ServiceName | None = None
    """From `--service` of `export`: who runs the server."""
    operator: Literal["cloudnativepg", "pgo", "percona", "zalando", "stackgres", "kubeblocks"] | None = None
    export_format: Literal["terraform", "cli", "kustomize", "helm", "manifest"] | None = None
    """None: the first that there is."""
    undo: bool = False
    out: Path | None = None
    root: Path | None = None
    collected: Path | None = None
    """From `--from`: what the collector wrote."""
    collector: bool = False
    pg_settings: Path | None = None
    """The answer of a managed server to a query of pg_settings, as CSV."""
    memory: Bytes | None = None
    cores: int | None = None
    """What a person says of that server's machine."""
    log: Sequence[Path] = ()
    """Files and directories of the server's log."""
    bundle: Path | None = None
    recommendation: str | None = None
    study: str | None = None
    to: str | None = None
    """To upgrade to: a major version, as typed."""
    before: Path | None = None
    """A bundle or facts to compare this host with; None: its last visit."""
    plans: Sequence[str] = ()
    """To compare: bundles, plans, facts or answers."""
    peer: str | None = None
    """From `--with`: another generator."""
    json: bool = False
    whole: bool = False
    """Of a plan: all that was considered, not only what is to be done."""
    resume: str | None = None
    """The name of a session; empty for the newest. None if no session is resumed."""
    reopen: Path | None = None
    fleet: Path | None = None
    """A directory of facts, or a written project."""
    ascii: bool | None = None
    """None: decided by the terminal."""
    plain: bool = False
    watch: int = 0
    """Seconds to watch running servers at work."""
    waits: int = 0
    """Seconds to sample what the server's sessions wait for."""
    deep: int = 0
    """Seconds for a deep look at indexes, tables and files."""
    mouse: bool = False
    host: str | None = None
    port: int | None = None
    dbname: str | None = None
    username: str | None = None
    service: str | None = None
    generations: Sequence[str] = ()
    """Ids of applied bundles."""
    state: Path | None = None
    """Where the scripts of bundles keep their records, if not where they do of themselves."""
    last: int | None = None
    history_format: Literal["text", "json"] = "text"
    remove: Sequence[str] = ()
    remove_all: bool = False


def parse(arguments: Sequence[str]) -> Options:
    """The options on a command line; ends the program for --help, --version and wrong usage (status 2)."""
    parser, commands = _parsers()
    options = Options()
    _, unknown = parser.parse_known_args(arguments, options)
    typed = options.parser or commands.get(options.command or "", parser)
    if unknown:
        typed.unrecognized(unknown)
    for name in OF_THE_WIZARD:
        value = getattr(options, f"wizard_{name}")
        if options.command is None:
            setattr(options, name, value)
        elif value is not None and value is not False:
            parser.error(
                f"--{name} before `{options.command}` is an option of the wizard: write it after the command"
            )
    check_connection(options, typed)
    check_learned(options, typed)
    return options


def whole_parser() -> argparse.ArgumentParser:
    """The complete parser; the man page is generated from it too."""
    parser, commands = _parsers()
    for command in commands.values():
        command.complete()
    return parser


def _parsers() -> tuple[CommandLineParser, Mapping[str, CommandLineParser]]:
    """The parser, and those of the commands by name."""
    parser = CommandLineParser(
        prog="tunewiz",
        allow_abbrev=False,
        description="Tune PostgreSQL on Linux. Without a command: the wizard, which changes nothing; "
        "it writes a bundle of changes that a person reviews and runs.",
    )
    _version(parser)
    add_wizard(parser)
    added = dict[str, CommandLineParser]()
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=CommandLineParser)
    for name, about, add in COMMANDS:
        command = commands.add_parser(name, help=about, description=f"{about}.", allow_abbrev=False)
        added[name] = command
        _version(command)
        command.add_later = add
    return parser, added


def _version(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--version", action="version", version=f"tunewiz {__version__}")
