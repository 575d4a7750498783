"""A setting of one role, in all databases or in one: ALTER ROLE, which the server keeps in its catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal

from tunewiz.core.recommendation.actions import HostAction, Row
from tunewiz.core.recommendation.cluster import Cluster, NoCluster

RoleSettingName = Literal["work_mem", "jit", "statement_timeout"]
"""Settings that any session may change, and that suit one role and not another."""
_VALUES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "work_mem": re.compile(r"[1-9][0-9]{0,9}(kB|MB|GB)"),
        "jit": re.compile(r"on|off"),
        "statement_timeout": re.compile(r"0|[1-9][0-9]{0,9}(ms|s|min|h|d)"),
    }
)
MAX_NAME = 63
"""Bytes of a name (NAMEDATALEN in src/include/pg_config_manual.h)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RoleSetting(HostAction):
    """A setting of a role: sessions have it that begin after it was made."""

    role: str
    database: str
    """Empty for all databases."""
    name: RoleSettingName
    value: str
    """As a person writes it, without quotes: `256MB`."""
    before: str
    """As pg_db_role_setting has it; empty if it is not set there, `?` if that is not known."""

    needs_server: ClassVar[bool] = True
    asks_server: ClassVar[bool] = True

    @property
    def action_in_words(self) -> str:
        """What apply.sh does, as a sentence without its full stop."""
        where = f" in the database {self.database}" if self.database else ""
        return f"Sets {self.name} = {self.value} for the role {self.role}{where} (ALTER ROLE)"

    @property
    def why_not(self) -> str:
        """Why the scripts cannot make it; empty where they can."""
        if not _is_plain(self.role) or (self.database and not _is_plain(self.database)):
            return "the scripts cannot name its role or database"
        if not _VALUES[self.name].fullmatch(self.value):
            return f"{self.value!r} is not a value of {self.name} that the scripts set"
        return ""

    def rows_after_files(self, cluster: Cluster | NoCluster, /) -> Iterator[Row]:
        """The step."""
        if isinstance(cluster, Cluster):
            yield "rolesetting", self.role, self.database, self.name, self.before, self.value

    @property
    def usage(self) -> tuple[str, ...]:
        """What whoever runs the scripts must know of it."""
        return (
            f"{self.name} of the role `{self.role}` is for new sessions; connected ones keep theirs.",
            "Only a running server takes a role's setting back, not the guard at boot: use --watcher.",
        )


def _is_plain(name: str) -> bool:
    """Whether it can be a role's or a database's name, and every byte of it is of a printable character."""
    if not name or not name.isprintable() or name.startswith("pg_"):
        return False
    return len(name.encode("utf-8", "surrogateescape")) <= MAX_NAME
