"""What of a plan goes to a managed service, and what is left out there.

What cannot be set there is declined before anything is planned, so that no other value rests on it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from tunewiz.core.answers.answers import Accepted, Answers, Refused, Replaced
from tunewiz.core.keepers.service_values import postgres_value, provider_value
from tunewiz.core.keepers.services import Parameter, Service
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.ownership import reason_apart
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known
from tunewiz.core.values.pg_settings import SettingError
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class ProviderSetting:
    """A setting that the service is given."""

    name: str
    """PostgreSQL's name."""
    parameter: Parameter
    value: str
    """In the service's unit and words."""
    text: str
    """What the server then has, as a person writes it: `16GB`."""
    planned: str
    """What the plan says, likewise: the service may have larger steps, or a lower limit."""
    before: str
    """Today's value in the service's unit and words; empty: it goes back to the service's default."""
    number: bool
    """Whether it is a number."""
    because: str

    @property
    def static(self) -> bool:
        """Whether it waits for a restart."""
        return self.parameter.apply == "static"

    @property
    def boolean(self) -> bool:
        """Whether the service takes `true` and `false` for it."""
        return self.parameter.boolean == "true or false"

    @property
    def path(self) -> str:
        """The service's name for it."""
        return self.parameter.path(self.name)


@dataclass(frozen=True, kw_only=True, slots=True)
class NotExported:
    """A setting of the plan that the service is not given."""

    name: str
    text: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Export:
    """A plan for a managed service."""

    service: Service
    major: str
    host: str
    settings: tuple[ProviderSetting, ...]
    left_out: tuple[NotExported, ...]


Exported: TypeAlias = ProviderSetting | NotExported


def answers_there(
    answers: Answers, service: Service, catalogue: Iterable[Recommendation], where: str
) -> Answers:
    """The answers with everything declined that cannot be changed there; no kernel is.

    Raises:
        InputError: Such a change was asked for.
    """
    decisions = dict(answers.decisions)
    for recommendation in catalogue:
        if not isinstance(recommendation.target, PgTarget):
            continue
        why = service.why_not(recommendation.target.name)
        decision = decisions.get(recommendation.id)
        if why and isinstance(decision, Accepted | Replaced):
            raise InputError(
                f'{where}: decisions."{recommendation.id}": {recommendation.target.name} cannot be set '
                f"in {service.title}: {why}",
                "Decline it there, or take the line away.",
            )
        if why and decision is None:
            decisions[recommendation.id] = Refused(note=why)
    return dataclasses.replace(
        answers, decisions=decisions, risk=dataclasses.replace(answers.risk, kernel=False)
    )


def exported(plan: Plan, service: Service, host: str) -> Export:
    """What the service is given of a plan that was made with `answers_there`.

    Raises:
        InputError: A value that was asked for is not accepted there.
    """
    result = tuple(_exported(plan, service))
    return Export(
        service=service,
        major=str(plan.start.major),
        host=host,
        settings=tuple(entry for entry in result if isinstance(entry, ProviderSetting)),
        left_out=tuple(entry for entry in result if isinstance(entry, NotExported)),
    )


def _exported(plan: Plan, service: Service) -> Iterator[Exported]:
    for finding in sorted(plan.findings, key=_name):
        if not isinstance(finding.recommendation.target, PgTarget):
            continue
        if finding.sets:
            yield _judged(finding, plan.start, service)
        elif isinstance(finding.verdict, Proposal) and _is_ours(finding, service):
            name, value = finding.recommendation.target.name, finding.verdict.value
            yield NotExported(name=name, text=value, why=service.why_not(name))


def _name(finding: Finding) -> str:
    return finding.recommendation.target.name


def _is_ours(finding: Finding, service: Service) -> bool:
    """Whether it was declined because it cannot be changed there."""
    why = service.why_not(finding.recommendation.target.name)
    return bool(why) and finding.decision == Refused(note=why)


def _judged(finding: Finding, start: Situation, service: Service) -> Exported:
    name, text = finding.recommendation.target.name, finding.sets
    parameter, info = service.parameters[name], start.settings[name]
    memory = _memory(start)
    try:
        value = provider_value(parameter, info, text, service.booleans, memory)
        result = info.show(postgres_value(parameter, info, value, memory))
        planned = info.show(text)
    except SettingError as error:
        if isinstance(finding.decision, Replaced):
            raise InputError(f"{service.title} would not accept {name} = {text}: {error}") from error
        return NotExported(name=name, text=text, why=str(error).removeprefix(f"{name}: "))
    if isinstance(finding.decision, Replaced) and result != planned:
        raise InputError(f"{service.title} would take {result} for {name}, found {planned} in the answers")
    return ProviderSetting(
        name=name,
        parameter=parameter,
        value=value,
        text=result,
        planned=planned,
        before=_before(name, start, service),
        number=info.vartype in ("integer", "real"),
        because=reason_apart(finding.because, start),
    )


def _memory(start: Situation) -> Bytes | None:
    total = start.facts.memory.total
    return total.value if isinstance(total, Known) else None


def _before(name: str, start: Situation, service: Service) -> str:
    """What somebody has set today; empty if that is not known, or nothing that the service accepts."""
    live = start.live_settings.get(name)
    if live is None or not live.is_set:
        return ""
    try:
        return provider_value(
            service.parameters[name], start.settings[name], live.value, service.booleans, _memory(start)
        )
    except SettingError:
        return ""
