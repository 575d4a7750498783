"""What is copied of a finding: its value, or the command that sets it."""

from __future__ import annotations

from tunewiz.core.planning.finding import Finding
from tunewiz.core.recommendation.targets import PgTarget, SysctlTarget, SysfsTarget
from tunewiz.core.recommendation.verdicts import Advice, Proposal
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class NothingToCopy:
    """The finding has no value and no command."""

    why: str


def value_of(finding: Finding) -> str | NothingToCopy:
    """The value as it is set, with its unit: `64GB`, or bytes for the kernel."""
    match finding.verdict:
        case Proposal(value=value) | Advice(value=value) if value:
            return value
        case _:
            return NothingToCopy(why="There is no value to copy here.")


def command_of(finding: Finding) -> str | NothingToCopy:
    """The statement or command that sets the value; for advice, its steps, one a line."""
    if isinstance(finding.verdict, Advice):
        return "\n".join(finding.verdict.steps)
    value = value_of(finding)
    if isinstance(value, NothingToCopy):
        return NothingToCopy(why="There is no command to copy here.")
    match finding.recommendation.target:
        case PgTarget(name=name):
            doubled = value.replace("'", "''")
            return f"ALTER SYSTEM SET {name} = '{doubled}';"
        case SysctlTarget(name=name):
            return f"sysctl -w {name}={value}"
        case SysfsTarget(name=path):
            return f"echo {value} > {path}"
        case _:
            return NothingToCopy(why="The bundle does this in several steps: there is no single command.")
