"""The values that a plan or a written bundle changes, to see later what became of them."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.bundle.check import BundleManifest
from tunewiz.bundle.placement import Placement
from tunewiz.bundle.placing import placed
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.health.since import LastPlan, PlannedValue
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.known import known_or


def planned_by(plan: Plan) -> LastPlan:
    """Raises BundleError for a plan that no bundle can carry."""
    server = plan.start.server
    directory = known_or(server.data_directory, "") if isinstance(server, PostgresServer) else ""
    return LastPlan(values=tuple(_values(placed(plan))), directory=directory)


def _values(placement: Placement) -> Iterator[PlannedValue]:
    for sysctl in placement.sysctls:
        yield PlannedValue(
            kind="sysctl", name=sysctl.name, fact=sysctl.name, before=sysctl.before, value=sysctl.value
        )
    for choice in placement.choices:
        yield PlannedValue(
            kind="sysfs", name=choice.path, fact=choice.fact, before=choice.before, value=choice.value
        )
    for setting in placement.settings:
        yield PlannedValue(
            kind="setting", name=setting.name, fact=setting.name, before=setting.before, value=setting.value
        )


def planned_in(manifest: BundleManifest) -> LastPlan:
    """The same of a bundle; what is done to the machine as a whole, its scripts look at."""
    values = list[PlannedValue]()
    for change in manifest.changes:
        match change.kind:
            case "setting" | "sysctl" | "sysfs" as kind:
                entry = PlannedValue(
                    kind=kind, name=change.name, fact=change.fact, before=change.before, value=change.value
                )
                values.append(entry)
            case _:
                pass
    directory = "" if manifest.server is None else manifest.server.data_directory
    return LastPlan(values=tuple(values), directory=directory)
