"""What single roles do to a server, by pg_stat_statements: whose calls spill, whose time is compilation."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.facts.counters import RoleStatements, Statements
from tunewiz.core.facts.log import SizeClass
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.verdicts import Declined
from tunewiz.core.values.known import known_or, needed
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.rounding import shortly
from tunewiz.core.values.units import Bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class RoleSpills:
    """The role that writes nearly all temporary files, and what they would take in memory."""

    role: RoleStatements
    worth: Bytes
    """Of one sort or hash of nearly all of its calls."""
    share: str
    words: str
    """With the share."""


def statements_by_role(situation: Situation) -> Statements | Declined:
    """What was counted, or why nothing is said of roles."""
    server = situation.server
    if isinstance(server, NoServer):
        return Declined(because=server.why, kind="not_applicable")
    if known_or(server.role, "primary") == "standby":
        return Declined(because="a standby has its roles from its primary", kind="not_applicable")
    statements = needed(server.statements, "what pg_stat_statements counted by role")
    if not statements.roles:
        return Declined(because="the facts do not tell statements by role", kind="not_applicable")
    return statements


def why_left_alone(situation: Situation, role: RoleStatements, name: str) -> str:
    """Why nothing may be set for the role; empty if it may."""
    server = situation.server
    if role.is_superuser:
        return f"{role.role} is a superuser, whose sessions maintain the server"
    if not role.can_log_in:
        return f"{role.role} cannot log in, and no other role takes over its settings"
    overrides = () if isinstance(server, NoServer) else needed(server.overrides, "what roles have set")
    for override in overrides:
        if override.role == role.role and override.name == name:
            return f"{role.role} has its own {name}: {override.value}"
    return ""


def spills_most(situation: Situation, statements: Statements) -> RoleSpills | Declined:
    """The role whose calls wrote nearly all of the bytes."""
    calls, needed_calls = _calls(statements.spills), situation.thresholds.temp_files
    if calls < needed_calls:
        words = f"too few calls have spilled to tell whose: {calls:,}, {needed_calls:,} needed"
        return Declined(because=words, kind="keep")
    role = max(statements.roles, key=lambda entry: _written(entry.spills))
    share = Fraction(_written(role.spills), _written(statements.spills))
    share_in_words = f"{role.role} wrote about {shortly(100 * share)} % of what calls spilled"
    if share < situation.thresholds.most_files:
        return Declined(because=f"no role spills nearly alone: {share_in_words}", kind="keep")
    size, times = _holding_most(situation, role.spills), situation.thresholds.in_memory
    most = f"{float(100 * situation.thresholds.most_files):g} % of its {_calls(role.spills):,} calls"
    words = f"{share_in_words}; {most} wrote {size.human()} or less, about {times} times that in memory"
    return RoleSpills(role=role, worth=size * times, share=share_in_words, words=words)


def _holding_most(situation: Situation, classes: tuple[SizeClass, ...]) -> Bytes:
    reached, total = 0, _calls(classes)
    for size_class in classes:
        reached += size_class.files
        if reached >= total * situation.thresholds.most_files:
            return size_class.at_most
    return Bytes(0)


def _calls(classes: tuple[SizeClass, ...]) -> int:
    return sum(size_class.files for size_class in classes)


def _written(classes: tuple[SizeClass, ...]) -> int:
    return sum(size_class.files * size_class.at_most.count for size_class in classes)


def compiles_most(situation: Situation, statements: Statements) -> tuple[RoleStatements, str] | Declined:
    """The role whose statements spend much of their time on compilation, if those of others do not."""
    enough, much = situation.thresholds.statements, situation.thresholds.much_jit
    compiling = [
        role
        for role in statements.roles
        if role.calls >= enough and role.run_ms > 0 and Fraction(role.jit_ms, role.run_ms) >= much
    ]
    if len(compiling) != 1:
        words = "of several roles" if compiling else "of no role"
        least = f"{float(100 * much):g} %"
        because = f"compilation takes {least} and more of the time {words} with {enough:,} calls or more"
        return Declined(because=because, kind="keep")
    (role,) = compiling
    share = shortly(100 * Fraction(role.jit_ms, role.run_ms))
    return role, f"compilation took {share} % of the time of {role.calls:,} calls of {role.role}"
