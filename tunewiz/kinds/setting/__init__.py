"""A setting of the server: in a drop-in that its configuration reads, or by ALTER SYSTEM."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tunewiz.core.facts.server import Setting
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.placed import NOT_KNOWN, OutOfReach, expect
from tunewiz.core.recommendation.actions import PgSetting, Row
from tunewiz.core.recommendation.cluster import Cluster, NoCluster
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.values.pg_settings import SettingError, SettingInfo

LISTS = frozenset({"shared_preload_libraries"})
"""Lists of names (GUC_LIST_QUOTE in guc_tables.c): ALTER SYSTEM SET a = 'x, y' writes one name, "x, y"."""
_SETTING_NAME = re.compile(r"[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?")


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedSetting:
    """A PostgreSQL setting, its values in the server's own unit."""

    finding: Finding
    name: str
    text: str
    """As a person writes it: `16GB`."""
    where: Literal["dropin", "auto"]
    effect: Literal["reload", "restart"]
    value: str
    before: str
    before_in_files: str
    """What the files alone say: the server works out what nobody set."""

    @property
    def row(self) -> Row:
        """The step."""
        before = self.before, self.before_in_files
        return "setting", self.name, self.where, self.effect, *before, self.value, self.text


def place_setting(
    finding: Finding, action: PgSetting, start: Situation, cluster: Cluster | NoCluster
) -> PlacedSetting | OutOfReach:
    """Raises BundleError for a name that no setting can have."""
    expect(_SETTING_NAME, action.name, "a setting of PostgreSQL")
    if isinstance(cluster, NoCluster):
        return OutOfReach(finding=finding, why=cluster.why)
    live = start.live_settings.get(action.name)
    if live is not None and live.source == "command line":
        return OutOfReach(
            finding=finding, why="it is set on the server's command line, which overrides every file"
        )
    if _is_set_by_alter_system(live) and not cluster.alter_system:
        why = "it was set with ALTER SYSTEM, which overrides files and is now forbidden (allow_alter_system)"
        return OutOfReach(finding=finding, why=why)
    where: Literal["dropin", "auto"] = (
        "auto" if _is_set_by_alter_system(live) or not cluster.drop_in else "dropin"
    )
    if where == "auto" and action.name in LISTS and "," in action.value:
        by_hand = f"ALTER SYSTEM SET {action.name} = {action.value}; by hand, and a restart, does it"
        return OutOfReach(finding=finding, why=f"ALTER SYSTEM takes a quoted list for one name: {by_hand}")
    info = start.settings[action.name]
    before = NOT_KNOWN if live is None else _in_own_unit(info, live.value)
    nobody_set_it = live is not None and not live.is_set
    return PlacedSetting(
        finding=finding,
        name=action.name,
        text=action.value,
        where=where,
        effect="restart" if finding.takes_effect is Effect.RESTART else "reload",
        value=_as_reported(info, action.value),
        before=before,
        before_in_files=_as_reported(info, info.default) if nobody_set_it else before,
    )


def _in_own_unit(info: SettingInfo, text: str) -> str:
    """A server may be built with choices that are not known here: they are compared as they are."""
    try:
        return _as_reported(info, text)
    except SettingError:
        return text


def _as_reported(info: SettingInfo, text: str) -> str:
    """As the server gives it; six digits of a real number, `%g` of ShowGUCOption in PostgreSQL's guc.c."""
    value = info.canonical(text)
    return f"{float(value):g}" if info.vartype == "real" else value


def _is_set_by_alter_system(live: Setting | None) -> bool:
    """Such a line wins over every drop-in: the change must be made where it stands."""
    if live is None or live.sourcefile is None:
        return False
    return live.sourcefile.rpartition("/")[2].partition(":")[0] == "postgresql.auto.conf"
