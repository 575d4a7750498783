"""Which query plans of a server's statements change under a plan's new planner settings."""

from __future__ import annotations

from tunewiz.core.proof.plan_shapes import PlanShape, changes_in_words
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedStatement:
    """A statement whose plan was made twice."""

    queryid: str
    database: str
    calls: int
    milliseconds: float
    """The server's time in it, over all calls."""
    text: str
    """As pg_stat_statements has it: constants are parameters already."""
    before: PlanShape
    after: PlanShape

    @property
    def changes(self) -> tuple[str, ...]:
        """What becomes different; none if the plan stays."""
        return changes_in_words(self.before, self.after)


@dataclass(frozen=True, kw_only=True, slots=True)
class SkippedStatement:
    """A statement that was not planned."""

    queryid: str
    database: str
    milliseconds: float
    text: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SettingTried:
    """A planner setting that the plan changes."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanFlips:
    """What was found on one server."""

    settings: tuple[SettingTried, ...]
    planned: tuple[PlannedStatement, ...] = ()
    """The most expensive first."""
    skipped: tuple[SkippedStatement, ...] = ()
    counted_ms: float = 0.0
    """The server's time in all statements that pg_stat_statements holds."""
    how: str = ""
    """How the plans were asked for."""

    @property
    def flips(self) -> tuple[PlannedStatement, ...]:
        """Those whose plan becomes another."""
        return tuple(statement for statement in self.planned if statement.changes)

    @property
    def stands_for(self) -> float:
        """The part of the server's counted time that the planned statements took."""
        planned = sum(statement.milliseconds for statement in self.planned)
        return planned / self.counted_ms if self.counted_ms else 0.0
