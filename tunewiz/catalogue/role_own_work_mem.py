"""work_mem of the role whose calls write nearly all temporary files: more for it alone."""

from __future__ import annotations

from tunewiz.core.facts.counters import RoleStatements, Statements
from tunewiz.core.facts.log import SizeClass
from tunewiz.core.facts.server import Override
from tunewiz.core.planning.budget import budget_of
from tunewiz.core.recommendation.actions import Action
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import HostTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.role_work import (
    ROLE_SPILLS,
    RoleSpills,
    spills_most,
    statements_by_role,
    why_left_alone,
)
from tunewiz.core.server.seen_room import PROCESSES
from tunewiz.core.server.seen_work import SESSIONS
from tunewiz.core.server.sorts import sorts_of
from tunewiz.core.values.known import Fact, Known
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.rounding import COARSE, close, round_down, rounded_in_words
from tunewiz.core.values.units import MIB, Bytes
from tunewiz.kinds.role import RoleSetting

NONE: Fact[tuple[Override, ...]] = Known((), "example")


def decide(situation: Situation) -> Verdict:
    """What its sessions can have beside the sorts of everybody."""
    spills = _spilling(situation)
    if isinstance(spills, Declined):
        return spills
    if why := why_left_alone(situation, spills.role, "work_mem"):
        return Declined(because=why, kind="keep")
    return _larger(situation, spills)


def _spilling(situation: Situation) -> RoleSpills | Declined:
    statements = statements_by_role(situation)
    return statements if isinstance(statements, Declined) else spills_most(situation, statements)


def _larger(situation: Situation, spills: RoleSpills) -> Verdict:
    usual, role = situation.will_be_size("work_mem"), spills.role
    if spills.worth <= usual:
        return Declined(because=f"{usual.pg()}, planned for all, holds it: {spills.share}", kind="keep")
    if role.connection_limit <= 0:
        because = (
            f"{spills.share}, but may have any number of sessions: with a CONNECTION LIMIT of its own "
            "there could be room for more"
        )
        return Declined(because=because)
    budget, sorts = budget_of(situation), sorts_of(situation, role.connection_limit)
    left = max(Bytes(0), budget.room_for(budget.work) - budget.work)
    share = left * (situation.workload.work_share / sorts)
    value = min(round_down(share, COARSE), round_down(spills.worth, COARSE))
    if value <= usual or close(value, usual):
        return Declined(because=f"beside the sorts of everybody no memory is left for more than {usual.pg()}")
    sessions = how_many(role.connection_limit, "session")
    rounded = "" if value < share and share > spills.worth else rounded_in_words(share, value)
    return Proposal(
        value=f"{value.pg()} for the role {role.role}",
        because=spills.words,
        computed=f"{sessions} of it at most: {left.short()} left beside everybody's sorts x "
        f"{situation.workload.work_share} / {float(sorts):,g} sorts and hashes = {share.short()}{rounded}",
        before="not set",
        ticked=False,
    )


def actions(situation: Situation, value: str) -> tuple[Action, ...]:
    """For its sessions in all databases."""
    spills = _spilling(situation)
    if isinstance(spills, Declined):
        return ()
    size = value.partition(" ")[0]
    return (RoleSetting(role=spills.role.role, database="", name="work_mem", value=size, before=""),)


def _counted(*roles: tuple[str, int], limit: int = 4, superuser: bool = False) -> Known[Statements]:
    """Roles, and how many of their calls spilled 64 MiB each."""
    entries = tuple(
        RoleStatements(
            role=role,
            calls=10_000,
            run_ms=10_000_000,
            jit_ms=0,
            spills=(SizeClass(at_most=Bytes(64 * MIB), files=files),),
            is_superuser=superuser,
            can_log_in=True,
            connection_limit=limit,
        )
        for role, files in roles
    )
    spills = (SizeClass(at_most=Bytes(64 * MIB), files=sum(files for _, files in roles)),)
    return Known(
        Statements(calls=20_000, run_ms=20_000_000, jit_ms=0, spills=spills, roles=entries), "example"
    )


RECOMMENDATION = Recommendation(
    id="role.own_work_mem",
    title="Give the role that spills more work_mem",
    group="memory",
    target=HostTarget(name="work_mem of one role"),
    explanation=Explanation(
        changes="ALTER ROLE … SET work_mem for the role whose calls write nearly all temporary files. It "
        "overrides what the files say. No reload and no restart: new sessions have it, and sessions that are "
        "connected already keep their value.",
        helps="Its sorts and hashes stay in memory, and those of all other roles take no more than before.",
        leave_alone="When the role's calls are not waited for: a report at night may spill.",
        costs="So much memory for each sort and hash of the role, up to its limit of connections.",
        watch="temp_blks_written of its statements in pg_stat_statements; SHOW work_mem in a new session of "
        "the role; memory of the machine while it is at work.",
    ),
    pros=("Its sorts and hashes stay in memory.", "Other roles keep theirs."),
    cons=(
        "pg_stat_statements counts since its last reset, and calls by their mean: one hour may differ.",
        "A higher connection limit of the role later takes more memory than was planned.",
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
    after=("pg.work_mem",),
    witnesses=(ROLE_SPILLS, SESSIONS, PROCESSES),
    examples=(
        Example(
            name="reports spill, the shop does not",
            given=Given(memory="64GB", overrides=NONE, statements=_counted(("reports", 5_000), ("shop", 3))),
            outcome=Sets(value="192MB for the role reports"),
        ),
        Example(
            name="both spill",
            given=Given(
                memory="64GB", overrides=NONE, statements=_counted(("reports", 5_000), ("shop", 3_000))
            ),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a role without a limit of connections",
            given=Given(memory="64GB", overrides=NONE, statements=_counted(("reports", 5_000), limit=-1)),
            outcome=Declines(),
        ),
        Example(
            name="a superuser",
            given=Given(
                memory="64GB", overrides=NONE, statements=_counted(("postgres", 5_000), superuser=True)
            ),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="hardly anything spills",
            given=Given(memory="64GB", overrides=NONE, statements=_counted(("reports", 5))),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="no memory is left",
            given=Given(
                memory="1GB",
                available="900MB",
                overrides=NONE,
                statements=_counted(("reports", 5_000), limit=90),
            ),
            outcome=Declines(),
        ),
        Example(
            name="a standby",
            given=Given(role="standby", overrides=NONE, statements=_counted(("reports", 5_000))),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(name="nobody looked", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)
