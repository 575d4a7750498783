"""All that an upgrade does to a server's settings, in the order in which a person must know it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import MappingProxyType

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.planning.startup_checks import Clash, clashes
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.server.build_options import as_built
from tunewiz.core.upgrade.configured import configured, of_roles
from tunewiz.core.upgrade.defaults import default_changes, default_items, old_default
from tunewiz.core.upgrade.items import Upgrade, UpgradeItem
from tunewiz.core.upgrade.lines import UpgradeStep, as_sentence, item_of
from tunewiz.core.upgrade.release_notes import ReleaseNotes
from tunewiz.core.upgrade.target import after, segment_of
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Unknown
from tunewiz.core.values.pg_settings import SettingsOfMajor


def upgrade_of(
    plan: Plan, to: SettingsOfMajor, notes: ReleaseNotes, catalogue: Iterable[Recommendation]
) -> Upgrade:
    """What an upgrade of the planned server does to its settings.

    Args:
        plan: Of the server as it is.
        to: The settings of a newer major.
        notes: What release notes tell of settings.
        catalogue: To plan for the new major.

    Raises:
        InputError: There is no server, or its settings are not known.
    """
    server = server_of(plan.start)
    step = UpgradeStep(
        old=plan.start.settings,
        new=as_built(to, server),
        notes=notes,
        segment=segment_of(server, plan.start.settings),
    )
    then = after(plan.start, server, step)
    lines = [
        item
        for entry in (*configured(server, step.old), *of_roles(server, step.old))
        for item in item_of(entry, step)
    ]
    items = (
        *lines,
        *_clashes(plan.start, then, step),
        *default_items(server, step),
        *_new(plan, plan_of(catalogue, then), step),
    )
    return Upgrade(
        old=step.old.major, new=step.new.major, how=_how(server), items=tuple(sorted(items, key=_urgency))
    )


def server_of(start: Situation) -> PostgresServer:
    """The server whose settings are looked at; raises InputError where there is none, or they are unknown."""
    match start.server:
        case NoServer(why=why):
            raise InputError(f"{why}: there are no settings to look at")
        case PostgresServer(settings=Unknown(why=why)):
            raise InputError(f"the server's settings are not known ({why}): there is nothing to look at")
        case PostgresServer() as server:
            return server


def _how(server: PostgresServer) -> str:
    return server.settings.how if not isinstance(server.settings, Unknown) else ""


def _urgency(item: UpgradeItem) -> int:
    if item.stops:
        return 0
    if item.stops_restore:
        return 1
    return 2 if item.hand else 3


def _clashes(start: Situation, then: Situation, step: UpgradeStep) -> Iterator[UpgradeItem]:
    """Settings that do not go together in the new major, and do so today."""
    today = {clash.names for clash in clashes(start)}
    for clash in clashes(then):
        if clash.names not in today:
            yield _clash(clash, then, step)


def _clash(clash: Clash, then: Situation, step: UpgradeStep) -> UpgradeItem:
    """Where a default changed, the old one written down puts it right."""
    kept = {
        name: old_default(step, name)
        for name in clash.names
        if step.old.has(name) and _is_default(then, name) and default_changes(step, name)
    }
    first = clash.names[0]
    return UpgradeItem(
        kind="clash",
        setting=first,
        value=then.will_be(first),
        where="file",
        place="",
        because=as_sentence(clash.text),
        source="",
        instead=MappingProxyType(kept),
    )


def _is_default(situation: Situation, name: str) -> bool:
    live_setting = situation.live_settings.get(name)
    return live_setting is not None and live_setting.source == "default"


def _new(today: Plan, then: Plan, step: UpgradeStep) -> Iterator[UpgradeItem]:
    """What the plan for the new major sets and today's does not, because the majors differ."""
    planned = {finding.recommendation.id: finding.sets for finding in today.findings}
    for finding in then.findings:
        target = finding.recommendation.target
        if isinstance(target, PgTarget) and finding.sets and finding.changes:
            name = target.name
            if not step.old.has(name) or planned.get(finding.recommendation.id) != finding.sets:
                yield _set_anew(finding, name, then.start)


def _set_anew(finding: Finding, name: str, then: Situation) -> UpgradeItem:
    return UpgradeItem(
        kind="new",
        setting=name,
        value=then.will_be(name),
        where="nowhere",
        place="",
        because=finding.because,
        source="",
        instead=MappingProxyType({name: finding.sets}),
        taken=True,
    )
