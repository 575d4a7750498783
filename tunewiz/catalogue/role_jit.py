"""jit of the one role whose statements spend much of their time on compilation."""

from __future__ import annotations

from tunewiz.core.facts.counters import RoleStatements, Statements
from tunewiz.core.facts.server import Override
from tunewiz.core.recommendation.actions import Action
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import HostTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.role_work import ROLE_JIT, compiles_most, statements_by_role, why_left_alone
from tunewiz.core.values.known import Fact, Known
from tunewiz.core.values.versions import V15
from tunewiz.kinds.role import RoleSetting

NONE: Fact[tuple[Override, ...]] = Known((), "example")


def decide(situation: Situation) -> Verdict:
    """Off for it, where it stays on for all."""
    if situation.major < V15:
        return Declined(because="before 15 nothing counts the time of compilation", kind="not_applicable")
    if situation.will_be("jit") == "off":
        return Declined(because="it is off for all, and nothing is compiled", kind="keep")
    compiling = _compiling(situation)
    if isinstance(compiling, Declined):
        return compiling
    role, words = compiling
    if why := why_left_alone(situation, role, "jit"):
        return Declined(because=why, kind="keep")
    return Proposal(
        value=f"off for the role {role.role}",
        because=f"{words}: compare its statements with and without",
        computed=f"off for one role from {float(100 * situation.thresholds.much_jit):g} % of its time",
        before="not set",
        ticked=False,
    )


def _compiling(situation: Situation) -> tuple[RoleStatements, str] | Declined:
    statements = statements_by_role(situation)
    return statements if isinstance(statements, Declined) else compiles_most(situation, statements)


def actions(situation: Situation, value: str) -> tuple[Action, ...]:
    """For its sessions in all databases."""
    compiling = _compiling(situation)
    if isinstance(compiling, Declined):
        return ()
    setting = value.partition(" ")[0]
    return (RoleSetting(role=compiling[0].role, database="", name="jit", value=setting, before=""),)


def _counted(**jit_ms: int) -> Known[Statements]:
    """Roles, and the milliseconds of compilation in a thousand seconds of each."""
    roles = tuple(
        RoleStatements(
            role=role,
            calls=1_000_000,
            run_ms=1_000_000,
            jit_ms=compiling,
            spills=(),
            is_superuser=False,
            can_log_in=True,
            connection_limit=-1,
        )
        for role, compiling in jit_ms.items()
    )
    total = 1_000_000 * len(roles)
    counted = Statements(calls=total, run_ms=total, jit_ms=sum(jit_ms.values()), spills=(), roles=roles)
    return Known(counted, "example")


RECOMMENDATION = Recommendation(
    id="role.jit",
    title="Turn off JIT compilation for one role",
    group="planner",
    target=HostTarget(name="jit of one role"),
    explanation=Explanation(
        changes="ALTER ROLE … SET jit = off for the role whose statements spend much of their time on being "
        "compiled to machine code. No reload and no restart: new sessions have it, and sessions that are "
        "connected already keep their value.",
        helps="Its short statements run at once, while large queries of other roles are compiled as before.",
        leave_alone="When the same role also runs long reports that gain from it.",
        costs="Long computing queries of the role run slower; a session can turn it on.",
        watch="jit_generation_time and others of its statements in pg_stat_statements (15 and newer).",
    ),
    pros=("No surprising delays in short statements of the role.", "Other roles keep it on."),
    cons=(
        "Large queries of the role that gain from it must ask for it.",
        "No source of this project measured it.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="PostgreSQL 15 to 19",
    cites=(
        Cite(claim="postgres-manual.alter_role_set"),
        Cite(claim="postgres-manual.jit", near=True),
    ),
    decide=decide,
    actions=actions,
    after=("pg.jit",),
    witnesses=(ROLE_JIT,),
    examples=(
        Example(
            name="the shop compiles, reports do not",
            given=Given(
                workload="analytics", overrides=NONE, statements=_counted(shop=300_000, reports=20_000)
            ),
            outcome=Sets(value="off for the role shop"),
        ),
        Example(
            name="both do",
            given=Given(
                workload="analytics", overrides=NONE, statements=_counted(shop=300_000, reports=200_000)
            ),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="off for all",
            given=Given(
                settings={"jit": "off"}, overrides=NONE, statements=_counted(shop=300_000, reports=20_000)
            ),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="14 does not count it",
            given=Given(major="14", workload="analytics", statements=_counted(shop=0)),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(
            name="nobody looked", given=Given(workload="analytics"), outcome=Declines(kind="not_applicable")
        ),
    ),
)
