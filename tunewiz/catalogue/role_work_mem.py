"""work_mem of one role: lowered where a single sort of it may take more memory than the server has.

The facts do not tell which role writes temporary files, nor how many sessions it may have: none gets more.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.facts.server import Override
from tunewiz.core.planning.budget import budget_of
from tunewiz.core.recommendation.actions import Action
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.targets import HostTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.override_layers import for_whom
from tunewiz.core.server.seen_room import PROCESSES
from tunewiz.core.server.seen_work import SESSIONS
from tunewiz.core.server.sorts import multiplier
from tunewiz.core.values.known import Known, known_or, needed
from tunewiz.core.values.pg_settings import SettingError
from tunewiz.core.values.rounding import COARSE, round_down, rounded_in_words
from tunewiz.core.values.units import MIB, Bytes
from tunewiz.kinds.role import RoleSetting

LEAST = Bytes(MIB)
"""Below this nearly every sort spills: that helps nobody."""
SUPERUSER = "postgres"
"""The role that initdb makes where it runs as the packages run it; the facts tell of no other superuser."""


def decide(situation: Situation) -> Verdict:
    """What one session of such a role can have beside everything else."""
    if isinstance(situation.server, NoServer):
        return Declined(because=situation.server.why, kind="not_applicable")
    if known_or(situation.server.role, "primary") == "standby":
        return Declined(because="a standby has its roles from its primary", kind="not_applicable")
    if not needed(situation.server.overrides, "what roles have set"):
        return Declined(because="no role has a setting of its own", kind="keep")
    beyond = tuple(_beyond_memory(situation))
    if not beyond:
        return Declined(because="no role may take more for one sort than there is memory", kind="keep")
    return _lowered(situation, beyond)


def _lowered(situation: Situation, beyond: tuple[tuple[Override, Bytes], ...]) -> Verdict:
    budget, hashes = budget_of(situation), multiplier(situation)
    room, sorts = budget.room_for(budget.work), situation.workload.sorts_per_connection * hashes
    share = room * (situation.workload.work_share / sorts)
    value = round_down(share, COARSE)
    if value < LEAST:
        return Declined(because="no memory is left for sorts, whichever role they are of")
    whose, highest = _whose(beyond), max(size for _, size in beyond)
    return Proposal(
        value=f"{value.pg()} {whose}",
        because=f"one sort may take {highest.pg()} {whose}, and the server has {situation.memory.short()}",
        computed=f"one session at a time: {room.short()} left x {situation.workload.work_share} / "
        f"{float(Fraction(sorts)):,g} sorts and hashes = {share.short()}{rounded_in_words(share, value)}",
        before=", ".join(dict.fromkeys(override.value for override, _ in beyond)),
        ticked=False,
    )


def _whose(beyond: tuple[tuple[Override, Bytes], ...]) -> str:
    first, *others = (for_whom(override) for override, _ in beyond)
    return f"{first} and {len(others)} more" if others else first


def _beyond_memory(situation: Situation) -> Iterator[tuple[Override, Bytes]]:
    """Values of roles beyond all the memory that the server may use; not of those that maintain it."""
    if isinstance(situation.server, NoServer) or not isinstance(situation.server.overrides, Known):
        return
    maintains = {SUPERUSER, known_or(situation.server.os_user, SUPERUSER)}
    for override in situation.server.overrides.value:
        if override.name != "work_mem" or not override.role or override.role in maintains:
            continue
        try:
            size = situation.settings["work_mem"].size(override.value)
        except SettingError:
            continue
        if size > situation.memory:
            yield override, size


def actions(situation: Situation, value: str) -> tuple[Action, ...]:
    """One for each role, in all databases or in one."""
    return tuple(
        RoleSetting(
            role=override.role,
            database=override.database,
            name="work_mem",
            value=value.partition(" ")[0],
            before=override.value,
        )
        for override, _ in _beyond_memory(situation)
    )


def _of_reports(value: str, role: str = "reports", database: str = "") -> Known[tuple[Override, ...]]:
    return Known((Override(database=database, role=role, name="work_mem", value=value),), "example")


RECOMMENDATION = Recommendation(
    id="role.work_mem",
    title="Lower a role's work_mem that no memory can bear",
    group="memory",
    target=HostTarget(name="work_mem of roles"),
    explanation=Explanation(
        changes="ALTER ROLE … SET work_mem, in all databases or in one, where a role has a value of its own: "
        "how much memory one of its sorts may take before it continues in temporary files. It overrides what "
        "the files say. No reload and no restart: new sessions have it, and sessions that are connected "
        "already keep their value.",
        helps="A sort that takes more than there is ends in swap, or has the kernel kill a process of the "
        "server, which ends all sessions.",
        leave_alone="When it is known that the role's sorts stay small whatever they may take, or when the "
        "role is used by nobody.",
        costs="Sorts of the role that took more than the new value write temporary files from then on.",
        watch="pg_db_role_setting (\\drds in psql); SHOW work_mem in a new session of the role; temp_bytes "
        "in pg_stat_database.",
    ),
    pros=(
        "One session of the role can no longer take more memory than there is.",
        "Other roles keep theirs.",
    ),
    cons=(
        "It is computed for one session of the role at a time: the facts do not say how many it may have.",
        "apply.sh refuses it for a superuser, which the facts do not tell: take it out of the plan then.",
        "No source of this project measured it: the value is computed, not proved.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="PostgreSQL 9.5 to 19",
    cites=(
        Cite(claim="postgres-manual.alter_role_set"),
        Cite(claim="postgres-manual.work_mem", near=True),
    ),
    decide=decide,
    actions=actions,
    witnesses=(SESSIONS, PROCESSES),
    after=("pg.work_mem",),
    examples=(
        Example(
            name="one sort of a role may take more than the machine has",
            given=Given(memory="64GB", overrides=_of_reports("128GB")),
            outcome=Sets(value="7GB for the role reports"),
        ),
        Example(
            name="in one database",
            given=Given(memory="16GB", available="14GB", overrides=_of_reports("20GB", database="shop")),
            outcome=Sets(value="1536MB for the role reports in the database shop"),
        ),
        Example(
            name="large, and the memory bears it",
            given=Given(memory="64GB", overrides=_of_reports("4GB")),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="the role that maintains the server",
            given=Given(memory="64GB", overrides=_of_reports("128GB", role="postgres")),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a value for all roles of a database",
            given=Given(memory="64GB", overrides=_of_reports("128GB", role="", database="shop")),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="no role has one",
            given=Given(overrides=Known((), "example")),
            outcome=Declines(kind="keep"),
        ),
        Example(name="nobody looked", given=Given(), outcome=Declines(kind="not_applicable")),
        Example(
            name="a standby",
            given=Given(role="standby", overrides=_of_reports("128GB")),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)
