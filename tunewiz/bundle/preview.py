"""What a bundle will install on the machine, before it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tunewiz.bundle.dropins import drop_ins
from tunewiz.bundle.placement import Placement
from tunewiz.bundle.placing import placed
from tunewiz.collect.postgres.conf import quoted
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.cluster import Cluster


def installed(plan: Plan) -> Mapping[str, str]:
    """Lines by file; raises BundleError for a plan that no bundle can carry."""
    placement = placed(plan)
    files = {path: content.decode() for path, content in drop_ins(placement).items()}
    return {**files, **_by_alter_system(placement)}


def out_of_reach(plan: Plan) -> Mapping[str, Sequence[str]]:
    """The changes that no script of the bundle makes, by the reason; raises BundleError as above."""
    result = dict[str, list[str]]()
    for unreachable in placed(plan).out_of_reach:
        result.setdefault(unreachable.why, []).append(unreachable.finding.recommendation.id)
    return result


def _by_alter_system(placement: Placement) -> Mapping[str, str]:
    settings = placement.settings_in("auto")
    if not isinstance(placement.cluster, Cluster) or not settings:
        return {}
    lines = (f"{setting.name} = {quoted(setting.text)}\n" for setting in settings)
    return {f"{placement.cluster.auto_conf} (by ALTER SYSTEM)": "".join(lines)}
