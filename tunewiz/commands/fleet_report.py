"""What `tunewiz fleet plan` and `tunewiz fleet drift` write, in which forms, and how they end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tunewiz.commands.fleet_options import FormatChoice, FormatName
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import drift_in
from tunewiz.core.fleet.history import FIRST, SinceLast
from tunewiz.core.fleet.metrics import metrics_of
from tunewiz.core.fleet.policy import PolicyRule
from tunewiz.core.fleet.remarks import remarks_of
from tunewiz.core.fleet.sections import WHOLE, ReportPage
from tunewiz.core.values.errors import InputError, UsageError
from tunewiz.fleet.history import write_atomically
from tunewiz.formats.fleet import fleet_json
from tunewiz.formats.fleet_drift import drift_json
from tunewiz.formats.junit import junit
from tunewiz.formats.prometheus import prometheus
from tunewiz.formats.sarif import sarif

SOME_FAILED = 1
CHANGES = 3
VIOLATIONS = 4
DRIFT = 5
_PAGED: frozenset[FormatName] = frozenset({"text", "markdown"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Outputs:
    """What is to be written."""

    formats: tuple[FormatChoice, ...]
    page: ReportPage

    @property
    def is_text(self) -> bool:
        """Whether only a person at a terminal reads it."""
        return all(choice.name == "text" for choice in self.formats)


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetReport:
    """A plan, or, with a history, drift."""

    fleet: Fleet
    rules: tuple[PolicyRule, ...]
    """The rules of the shop that are in force."""
    since: SinceLast | None = None


def outputs_of(options: Options) -> Outputs:
    """As typed; raises UsageError for what does not go together."""
    action = options.fleet_action
    _check_belongs(options)
    json = (FormatChoice(name="json", file=None),) if options.json else ()
    typed = (*(options.formats or ()), *json) if action in {"plan", "drift"} else ()
    formats = typed or (FormatChoice(name="text", file=None),)
    printed = [choice.name for choice in formats if choice.file is None]
    if len(printed) > 1:
        raise UsageError(
            f"fleet {action}: found {' and '.join(printed)} on standard output, expected one of them",
            "Write the others into files: --format FORMAT=FILE.",
        )
    if options.page is not None and options.whole:
        raise UsageError(f"fleet {action}: found --page and --all, expected one of them")
    if (options.page is not None or options.whole) and not any(choice.name in _PAGED for choice in formats):
        raise UsageError(f"fleet {action}: only text and markdown have pages")
    return Outputs(formats=formats, page=WHOLE if options.whole else ReportPage(number=options.page or 1))


def _check_belongs(options: Options) -> None:
    action = options.fleet_action
    of_reports = {
        "--format": options.formats,
        "--exit-code": options.exit_code,
        "--page": options.page,
        "--all": options.whole,
    }
    of_drift = {"--history": options.history, "--keep": options.collections_kept}
    for name, value in {**of_reports, **of_drift}.items():
        if value and action != "drift" and (name in of_drift or action != "plan"):
            owner = "drift" if name in of_drift else "plan"
            raise UsageError(f"fleet {action}: {name} belongs to `tunewiz fleet {owner}`")


def report(made: FleetReport, outputs: Outputs) -> None:
    """Write every form; files first, so that whoever reads standard output finds them.

    Raises:
        InputError: A file cannot be written.
        UsageError: There is no such page.
    """
    texts = [(choice, _FORMS[choice.name](made, outputs.page)) for choice in outputs.formats]
    for choice, text in texts:
        if choice.file is not None:
            _put(choice.file, text)
    for choice, text in texts:
        if choice.file is None:
            output.write(text)


def _put(file: Path, text: str) -> None:
    try:
        write_atomically(file, text.encode("utf-8"))
    except OSError as error:
        raise InputError(f"{file}: cannot be written: {error.strerror or error}") from error


def _text(made: FleetReport, page: ReportPage) -> str:
    from tunewiz.text.fleet import drift_text, fleet_text  # noqa: PLC0415 - scripts need no rich

    return fleet_text(made.fleet, page) if made.since is None else drift_text(made.fleet, made.since, page)


def _markdown(made: FleetReport, page: ReportPage) -> str:
    from tunewiz.fleet.pull_request import drift_markdown, plan_markdown  # noqa: PLC0415 - as above

    if made.since is None:
        return plan_markdown(made.fleet, page)
    return drift_markdown(made.fleet, made.since, page)


def _json(made: FleetReport, _page: ReportPage) -> str:
    return fleet_json(made.fleet) if made.since is None else drift_json(made.fleet, made.since)


def _junit(made: FleetReport, _page: ReportPage) -> str:
    return junit(made.fleet, made.since or FIRST)


def _sarif(made: FleetReport, _page: ReportPage) -> str:
    return sarif(remarks_of(made.fleet, made.since or FIRST))


def _prometheus(made: FleetReport, _page: ReportPage) -> str:
    return prometheus(metrics_of(made.fleet, made.since or FIRST, made.rules))


_FORMS: Mapping[FormatName, Callable[[FleetReport, ReportPage], str]] = {
    "text": _text,
    "markdown": _markdown,
    "json": _json,
    "junit": _junit,
    "sarif": _sarif,
    "prometheus": _prometheus,
}


def plain_status(fleet: Fleet) -> int:
    """How the commands end unless they are to tell what was found."""
    return 0 if fleet.is_whole else SOME_FAILED


def plan_status(fleet: Fleet) -> int:
    """What a plan found, the worst of it."""
    if fleet.failed or fleet.messages:
        return SOME_FAILED
    if fleet.violations:
        return VIOLATIONS
    if any(True for group in fleet.groups for _ in drift_in(group)):
        return DRIFT
    changes = any(decision.state == "change" for group in fleet.groups for decision in group.decisions)
    return CHANGES if changes else 0


def drift_status(fleet: Fleet, since: SinceLast) -> int:
    """What changed since the last collection, the worst of it."""
    if fleet.failed or fleet.messages:
        return SOME_FAILED
    if fleet.violations or any(host.against for group in fleet.groups for host in group.hosts):
        return VIOLATIONS
    return DRIFT if since.is_drift else 0
