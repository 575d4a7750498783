"""What another generator would set, beside what comes of this plan, and the reason for each difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tunewiz.core.comparison.peer import Peer, PeerMachine, peer_machine
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Advice, Proposal
from tunewiz.core.server.build_options import HANG_ON_THE_BUILD
from tunewiz.core.values.known import Known
from tunewiz.core.values.pg_settings import SettingError
from tunewiz.core.values.record import dataclass

NOT_JUDGED = "it has no recommendation for this setting and leaves it as it is"


@dataclass(frozen=True, kw_only=True, slots=True)
class PeerDifference:
    """One setting that the other generator would set otherwise."""

    setting: str
    peer: str
    """Its value, as PostgreSQL shows it."""
    plan: str
    """The value after this plan, and whether it stays as it is."""
    why: str
    """Its rule, then this plan's reason."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PeerComparison:
    """Another generator beside a plan."""

    peer: Peer
    asked: PeerMachine
    differences: tuple[PeerDifference, ...]
    """In the order of their names."""
    same: tuple[str, ...]
    """Settings for which both come to the same value."""
    unset: tuple[str, ...]
    """Settings that this plan changes, and the other generator does not set."""


def beside(plan: Plan, peer: Peer, rules: Callable[[PeerMachine], Mapping[str, str]]) -> PeerComparison:
    """The generator's settings beside the plan's; raises MissingFact if it could not be asked."""
    machine = peer_machine(plan.start)
    theirs = rules(machine)
    ours = {finding.recommendation.target.name: finding for finding in plan.findings if _is_setting(finding)}
    pairs = [_difference(name, theirs[name], plan, ours.get(name), peer) for name in sorted(theirs)]
    changed = {change.recommendation.target.name for change in plan.changes if _is_setting(change)}
    return PeerComparison(
        peer=peer,
        asked=machine,
        differences=tuple(pair for pair in pairs if isinstance(pair, PeerDifference)),
        same=tuple(pair for pair in pairs if isinstance(pair, str)),
        unset=tuple(sorted(changed - theirs.keys())),
    )


def _is_setting(finding: Finding) -> bool:
    return isinstance(finding.recommendation.target, PgTarget)


def _difference(
    name: str, value: str, plan: Plan, finding: Finding | None, peer: Peer
) -> PeerDifference | str:
    """The difference, or the setting's name where there is none."""
    end, reason = plan.end, f"This plan: {_reason(finding)}"
    shown = value
    try:
        shown = end.settings[name].show(value)
        if end.settings[name].same(value, end.will_be(name)):
            return name
    except SettingError as error:
        if not _unknown_choice(name, end):
            reason = f"This server refuses it: {error}"
    why = f"{peer.name}: {peer.rules[name]}. {reason}"
    return PeerDifference(setting=name, peer=shown, plan=_ours(name, end, finding), why=why)


def _unknown_choice(name: str, end: Situation) -> bool:
    """Whether it is not known what this server's build offers for the setting."""
    result = isinstance(end.server, PostgresServer) and isinstance(end.server.choices, Known)
    return name in HANG_ON_THE_BUILD and not result


def _ours(name: str, end: Situation, finding: Finding | None) -> str:
    """`64GB`, `8, as it is`, `200, advised`."""
    if not end.settings.has(name):
        return "-"
    value = end.will_be(name)
    if name in end.chosen:
        return value
    advised = finding is not None and isinstance(finding.verdict, Proposal | Advice) and finding.verdict.value
    if advised and finding is not None and finding.state == "advise":
        return f"{value} ({advised} if you decide so)"
    return f"{value}, as it is" if isinstance(end.setting(name), Known) else f"{value}, the default"


def _reason(finding: Finding | None) -> str:
    if finding is None:
        return NOT_JUDGED
    match finding.verdict:
        case Proposal(computed=computed) | Advice(computed=computed) if computed:
            return computed
        case _:
            return finding.because
