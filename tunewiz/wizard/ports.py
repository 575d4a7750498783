"""The wizard's ports to the outside world: tests pass recorded machines instead.

The types that ports handle are imported for the type checker only: the first page is shown before any is
needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from tunewiz.core.answers.machine_choice import Machine
from tunewiz.core.values.record import dataclass
from tunewiz.wizard.other_wizards import NOBODY, Presence

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
    from tunewiz.core.proof.named_proof import NamedProof, ProofNamed
    from tunewiz.core.proof.proof import Proof
    from tunewiz.core.values.known import Fact
    from tunewiz.knowledge.loading import Knowledge
    from tunewiz.session.fleet_record import FleetSession
    from tunewiz.session.record import AnySession
    from tunewiz.session.store import Earlier
    from tunewiz.wizard.bundle_preview import Preview
    from tunewiz.wizard.last_visit import LastVisit

Progress: TypeAlias = Callable[[str], None]
Watch: TypeAlias = (
    "Callable[[PostgresServer, int, Callable[[float], None], Callable[[], bool]], Fact[Window]]"
)
"""Watches a server for that many seconds; reports how many have passed, and asks whether that is enough."""
ProbeStorage: TypeAlias = (
    "Callable[[PostgresServer, Facts, int, Callable[[float, str], None], Callable[[], bool]], Fact[Probe]]"
)
"""Measures a server's storage within that many seconds; reports how many have passed and what it does."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ports:
    """Each may take long and may raise TunewizError, unless stated otherwise."""

    knowledge: Callable[[], Knowledge]
    read_host: Callable[[Progress], Facts]
    watch: Watch
    """Never raises: what could not be seen is unknown, with the reason."""
    probe: ProbeStorage
    """Never raises either."""
    read_log: Callable[[PostgresServer], Fact[LogSeen]]
    """The log that the server's settings name; never raises either."""
    read_file: Callable[[str], Facts]
    examples: Mapping[str, str]
    """Their names, each with what is interesting about it."""
    example: Callable[[str], Facts]
    preview: Preview
    write_bundle: Callable[[Plan, str], None]
    """To the directory as typed."""
    write_kept: Callable[[Plan, KeptTarget, str], KeptPlan]
    """The same for the keeper of the server's settings."""
    review: Callable[[Plan], Sequence[Block]]
    """What REVIEW.md says."""
    dry_run: Callable[[str, Callable[[], bool]], DryRun]
    """Of the bundle in the directory as typed; asks whether that is enough."""
    proving: Callable[[str], BenchSeen]
    """The state of the measurement of the bundle in a directory, as typed; never raises."""
    windows: Callable[[str], WindowsFound]
    """Watched windows that the bundle in a directory, as typed, can be compared by; never raises."""
    compare: Callable[[str, str], Proof | NotCompared]
    """What was observed before and after, from two files or directories as typed."""
    save: Callable[[AnySession], None]
    load: Callable[[str], AnySession]
    """Of that name; the newest for an empty one."""
    read_bundle: Callable[[str], tuple[Facts, Answers, ProofNamed]]
    """What a bundle was written from; raises InputError if it is damaged."""
    read_proof: Callable[[str], Proof]
    """A proof.json."""
    begin_another: Callable[[], None]
    """What is saved from now on is another session; never fails."""
    forget: Callable[[], None]
    """Deletes the session of this run."""
    finish: Callable[[], None]
    """Keeps what was read of this host for the next visit, in place of the session."""
    saved: str
    """What an earlier run left, in a few words; empty if there is nothing."""
    earlier: Callable[[], tuple[Earlier, ...]]
    """The newest saved sessions, the newest first; never fails."""
    remove: Callable[[str], None]
    """Deletes the saved session of that name."""
    last_visit: Callable[[Facts], LastVisit | None]
    """What the newest earlier run read on the same host; never fails."""
    servers_here: Callable[[], tuple[ServerHere, ...]]
    """The servers of this host, which are asked nothing."""
    today: Callable[[], str]
    """ISO date, for the bundle's name; never fails."""
    report: Callable[[BaseException], str]
    """Saves a report of an internal error and returns where; never fails."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AskMachine:
    """The command line names no machine: the wizard asks."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WizardStart:
    """What the command line says."""

    ports: Ports
    machine: Machine | AskMachine
    answers: Answers | None = None
    """From `--answers`; None if they should be suggested."""
    proof: NamedProof | None = None
    """From `--proof`; None for that of a reopened bundle or a session, if it has one."""
    out: str = ""
    """From `--out`; empty if a name should be generated."""
    ascii: bool = False
    """Whether the screen is drawn with ASCII characters only."""
    mouse: bool = False
    """Whether the mouse is used."""
    presence: Presence = NOBODY
    fleet: str = ""
    """From `--fleet`: the directory; empty if none was named."""
    fleet_answers: str = ""
    """From `--answers`, for the hosts of a fleet; empty if none were named."""
    fleet_session: FleetSession | None = None
    """From `--resume`, if that session was for many servers."""
