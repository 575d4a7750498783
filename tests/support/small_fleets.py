"""Files of facts of made-up hosts, and what a fleet of them is planned to be."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path

from small_plans import identity, small_facts
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.hosts import Bound, HostDecision, HostPlan, Role
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known
from tunewiz.fleet.answers import USUAL, FleetAnswers, read_fleet_answers
from tunewiz.fleet.files import facts_files
from tunewiz.fleet.planning import plan_fleet
from tunewiz.formats.records import facts_to_json

ANSWERS = """schema = 1
[workload]
kind = "oltp"
connections = 200
database_size = "256GB"
"""


def write_host(directory: Path, name: str, given: Given | None = None, **server: object) -> Path:
    """The facts of a host with a machine id of its own."""
    facts = small_facts(given, name=name, **server)
    host = dataclasses.replace(facts.host, identity=Known(identity(name), "/etc/machine-id"))
    file = directory / f"{name.replace('/', '_')[:60]}.json"
    file.write_text(facts_to_json(dataclasses.replace(facts, host=host)))
    return file


def fleet_of(directory: Path, answers: FleetAnswers = USUAL) -> Fleet:
    """What is planned for all hosts below a directory."""
    return plan_fleet(facts_files([directory]), answers, lambda _: None)


def write_answers(directory: Path, files: Mapping[str, str]) -> FleetAnswers:
    """A directory of answers, read."""
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
    return read_fleet_answers(directory)


def decision(name: str, value: str = "", **changed: object) -> HostDecision:
    """A decision about a setting."""
    made = HostDecision(id=f"pg.{name}", name=name, state="change", value=value, takes="reload", decided="")
    return dataclasses.replace(made, **changed)  # type: ignore[arg-type]


def host(  # noqa: PLR0913 - a test says what it is about
    name: str,
    decisions: tuple[HostDecision, ...] = (),
    values: tuple[str, ...] = (),
    *,
    now: Mapping[str, str] | None = None,
    cluster: str = "",
    role: Role = "primary",
    bound: tuple[tuple[int, int], ...] = (),
    major: str = "15",
) -> HostPlan:
    """A host of which only this is known; `bound` is before and after of settings a and b."""
    in_force = now or {}
    return HostPlan(
        host=name,
        source=f"{name}.json",
        digest="",
        identity=name,
        major=major,
        cluster=cluster,
        role=role,
        decisions=decisions,
        values=values or tuple(host_decision.value for host_decision in decisions),
        today=tuple(in_force.get(host_decision.name, "1MB") for host_decision in decisions),
        read=tuple(in_force),
        now=tuple(in_force.values()),
        bound=tuple(
            Bound(name="abcdefgh"[place], before=before, after=after)
            for place, (before, after) in enumerate(bound)
        ),
        memory=(),
        restart=False,
    )
