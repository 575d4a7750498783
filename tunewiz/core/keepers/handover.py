"""What of a plan goes to the keeper of a server's settings, and what cannot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from tunewiz.core.answers.answers import Replaced
from tunewiz.core.keepers.rulebook import Everywhere, NotSettable, NotTaken, Raised, Rulebook, Taken, judged
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.ownership import reason_apart
from tunewiz.core.planning.placed import NOT_KNOWN
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known
from tunewiz.core.values.pg_settings import SettingError
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.versions import Major

LIBRARIES = "shared_preload_libraries"


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptSetting:
    """A setting that the keeper is given."""

    name: str
    text: str
    """As a person writes it: `16GB`."""
    value: str
    """In the setting's own unit, as pg_settings shows it."""
    before: str
    """The same of what was planned on; NOT_KNOWN where the facts do not tell."""
    before_text: str
    """That as a person writes it."""
    was: str
    """As a person writes it, what somebody had set; empty if nobody had."""
    effect: Literal["reload", "restart"]
    because: str
    everywhere: bool
    """Whether every member must have the same."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UnavailableSetting:
    """A setting that cannot be set there."""

    name: str
    text: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Handover:
    """All of a plan's settings, judged."""

    rules: Rulebook
    major: str
    settings: tuple[KeptSetting, ...]
    libraries: tuple[str, ...]
    """To be loaded at the start, where the keeper has a list of its own for them."""
    libraries_before: tuple[str, ...]
    left_out: tuple[UnavailableSetting, ...]

    @property
    def restart(self) -> bool:
        """Whether a setting waits for a restart of the servers."""
        return bool(self.libraries) or any(setting.effect == "restart" for setting in self.settings)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to hand over."""
        return not self.settings and not self.libraries


@dataclass(frozen=True, slots=True)
class RefusedByKeeper:
    """A value that the keeper would drop or refuse."""

    why: str


Judged: TypeAlias = KeptSetting | UnavailableSetting | RefusedByKeeper


def handover(plan: Plan, rules: Rulebook) -> Handover:
    """The plan's settings for the keeper.

    Raises:
        InputError: The keeper would drop a value, or does not run this major.
    """
    _check_major(plan.start.major, rules)
    wanted = [
        finding
        for finding in plan.findings
        if isinstance(finding.recommendation.target, PgTarget) and finding.sets
    ]
    listed = [finding for finding in wanted if _is_list(finding, rules)]
    result = [_judged(finding, plan.start, rules) for finding in wanted if finding not in listed]
    result += [_raised(entry, plan) for entry in rules.raised if _is_low(entry, plan)]
    _refuse([entry.why for entry in result if isinstance(entry, RefusedByKeeper)], rules)
    by_parameter, libraries = _libraries(listed, rules)
    settings = [entry for entry in result if isinstance(entry, KeptSetting)]
    named = {setting.name for setting in settings}
    return Handover(
        rules=rules,
        major=str(plan.start.major),
        settings=tuple(
            sorted(
                [*settings, *(setting for setting in by_parameter if setting.name not in named)], key=_name
            )
        ),
        libraries=libraries,
        libraries_before=_names(plan.start.will_be(LIBRARIES)) if libraries else (),
        left_out=tuple(entry for entry in result if isinstance(entry, UnavailableSetting)),
    )


def _name(setting: KeptSetting) -> str:
    return setting.name


def _check_major(major: Major, rules: Rulebook) -> None:
    if major < Major.parse(rules.oldest):
        raise InputError(
            f"--target: {rules.title} runs PostgreSQL {rules.oldest} and newer, this server is {major}"
        )


def _refuse(reasons: list[str], rules: Rulebook) -> None:
    if reasons:
        raise InputError(
            f"--target: {rules.title} would not put these in force: {'; '.join(reasons)}",
            "Set other values for them under [decisions] in the answers, or decline them there.",
        )


def _judged(finding: Finding, start: Situation, rules: Rulebook) -> Judged:
    name, text = finding.recommendation.target.name, finding.sets
    match judged(rules, start.settings, name, text):
        case Taken():
            because = reason_apart(finding.because, start)
            return _kept(name, text, because, start, rules.everywhere)
        case NotSettable(why) if isinstance(finding.decision, Replaced):
            return RefusedByKeeper(f"{name} = {text}: {why}")
        case NotSettable(why):
            return UnavailableSetting(name=name, text=text, why=why)
        case NotTaken(why):
            return RefusedByKeeper(why)


def _kept(name: str, text: str, because: str, start: Situation, everywhere: Everywhere) -> KeptSetting:
    info, live, shown = start.settings[name], start.live_settings.get(name), start.setting(name)
    somebody = live is not None and live.is_set
    return KeptSetting(
        name=name,
        text=text,
        value=info.canonical(text),
        before=NOT_KNOWN if live is None else _canonical(name, live.value, start),
        before_text=shown.value if isinstance(shown, Known) else NOT_KNOWN,
        was=shown.value if somebody and isinstance(shown, Known) else "",
        effect="restart" if info.needs_restart else "reload",
        because=because,
        everywhere=name in everywhere.names,
    )


def _canonical(name: str, text: str, start: Situation) -> str:
    """A server may be built with choices that are not known here."""
    try:
        return start.settings[name].canonical(text)
    except SettingError:
        return text


def _is_low(raised: Raised, plan: Plan) -> bool:
    """Whether the plan would leave the server with less than the keeper should have set."""
    if plan.start.major < Major.parse(raised.since) or raised.name in plan.end.chosen:
        return False
    info = plan.start.settings[raised.name]
    return float(info.canonical(plan.end.will_be(raised.name))) < float(info.canonical(raised.value))


def _raised(raised: Raised, plan: Plan) -> KeptSetting:
    return _kept(raised.name, raised.value, raised.why, plan.start, Everywhere(names=(raised.name,)))


def _is_list(finding: Finding, rules: Rulebook) -> bool:
    return finding.recommendation.target.name == LIBRARIES and bool(rules.libraries.path)


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _libraries(listed: list[Finding], rules: Rulebook) -> tuple[tuple[KeptSetting, ...], tuple[str, ...]]:
    """Libraries as parameters that bring them along, and as names in the keeper's own list."""
    wanted = [name for finding in listed for name in _names(finding.sets)]
    own = tuple(name for name in wanted if name not in rules.libraries.by_parameter)
    return tuple(_by_parameter(wanted, rules)), own


def _by_parameter(wanted: list[str], rules: Rulebook) -> Iterator[KeptSetting]:
    for library in wanted:
        name, _, value = rules.libraries.by_parameter.get(library, "").partition("=")
        if name:
            yield KeptSetting(
                name=name,
                text=value,
                value=value,
                before=NOT_KNOWN,
                before_text=NOT_KNOWN,
                was="",
                effect="restart",
                because=f"{rules.title} loads {library} once this is set",
                everywhere=False,
            )
