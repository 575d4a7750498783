"""`tunewiz fleet`: many servers planned at once, and written as one rollout."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from tunewiz.bundle.write import check_new
from tunewiz.commands.fleet_report import (
    FleetReport,
    Outputs,
    drift_status,
    outputs_of,
    plain_status,
    plan_status,
    report,
)
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.console.exit_status import say
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.values.errors import InputError, UsageError
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.harmless import harmless
from tunewiz.fleet.answers import FleetAnswers, read_fleet_answers
from tunewiz.fleet.dashboard import dashboard_text
from tunewiz.fleet.files import facts_files
from tunewiz.fleet.history import KEPT, compared_and_recorded
from tunewiz.fleet.planning import plan_fleet
from tunewiz.fleet.write import write_collecting, write_fleet, written_in_words
from tunewiz.text.progress import bar

MOST_MESSAGES = 100
"""Most hosts to name on standard error; groups.json lists all."""


def run_fleet(options: Options) -> int:
    """Print or write the fleet; exit status 1, with their names, if some hosts could not be planned."""
    outputs = outputs_of(options)
    out = _out(options)
    if options.fleet_action == "collect":
        return _collect(out)
    if options.fleet_action == "dashboard":
        output.write(dashboard_text())
        return 0
    answers = read_fleet_answers(options.answers, options.inventories or ())
    files = facts_files(options.fleet_facts)
    with ProgressBar("hosts planned", len(files)) as planned:
        fleet = plan_fleet(files, answers, planned.tell)
    if not fleet.count and (options.fleet_action != "plan" or outputs.is_text):
        _tell_failed(fleet)
        raise InputError("fleet: found no host that can be planned, expected at least one")
    if out is None:
        return _report(fleet, answers, outputs, options)
    _write(fleet, answers, out)
    _tell_failed(fleet)
    return plain_status(fleet)


def _report(fleet: Fleet, answers: FleetAnswers, outputs: Outputs, options: Options) -> int:
    """Write a plan or drift in every form that was named."""
    rules = () if answers.policy is None else answers.policy.in_force
    if options.history is None:
        report(FleetReport(fleet=fleet, rules=rules), outputs)
        status = plan_status(fleet) if options.exit_code else plain_status(fleet)
    else:
        kept = options.collections_kept or KEPT
        since = compared_and_recorded(fleet, options.history, kept, datetime.now(UTC))
        report(FleetReport(fleet=fleet, rules=rules, since=since), outputs)
        status = drift_status(fleet, since) if options.exit_code else plain_status(fleet)
    _tell_failed(fleet)
    return status


def _out(options: Options) -> Path | None:
    """The directory to write; None for a report. Raises UsageError before anything is read."""
    action = options.fleet_action
    if action in {"plan", "drift", "dashboard"} and options.out is not None:
        raise UsageError(f"fleet {action}: -o belongs to `tunewiz fleet write`")
    if action in {"collect", "dashboard"} and (
        options.fleet_facts or options.answers is not None or options.inventories or options.json
    ):
        raise UsageError(f"fleet {action}: expected {'only -o DIR' if action == 'collect' else 'nothing'}")
    if action == "drift" and options.history is None:
        raise UsageError("fleet drift: expected --history DIR, where the collections are kept")
    if action != "write":
        return options.out
    if options.out is None or options.answers is None:
        raise UsageError("fleet write: expected --answers FILE|DIR and -o DIR")
    if options.json:
        raise UsageError("fleet write: --json belongs to `tunewiz fleet plan`")
    check_new(options.out)
    return options.out


def _collect(out: Path | None) -> int:
    if out is None:
        raise UsageError("fleet collect: expected -o DIR")
    write_collecting(out)
    output.write(
        f"Written to {out}; nothing has been read yet. With your own Ansible inventory, run:\n"
        f"  ansible-playbook -i INVENTORY {out}/collect.yml\n"
        f"  tunewiz fleet plan {out}/facts\n"
    )
    return 0


def _write(fleet: Fleet, answers: FleetAnswers, out: Path) -> None:
    with ProgressBar("bundles written", fleet.count) as written:
        write_fleet(fleet, answers, out, written.tell)
    output.write(f"{written_in_words(fleet, out)}\n")


def _tell_failed(fleet: Fleet) -> None:
    messages = [*(failure.in_words for failure in fleet.failed), *fleet.unused]
    for message in messages[:MOST_MESSAGES]:
        say(harmless(message))
    if len(messages) > MOST_MESSAGES:
        say(f"and {len(messages) - MOST_MESSAGES} more: `tunewiz fleet plan --json` lists all")
    if fleet.failed:
        say(f"{how_many(len(fleet.failed), 'host')} could not be planned, {fleet.count:,} could")


_CLEAR = "\r\x1b[K"
_EVERY = 0.2
"""Seconds between two updates of the bar, to spare slow connections."""


class ProgressBar:
    """One line on standard error, erased at the end; nothing if that is not a terminal."""

    def __init__(self, what: str, total: int) -> None:
        stream = sys.stderr
        self._stream = stream if stream is not None and stream.isatty() else None  # pyright: ignore[reportUnnecessaryComparison]
        self._what, self._total = what, total
        self._began = self._shown = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._draw(_CLEAR)

    def tell(self, done: int) -> None:
        """Show how many are done."""
        moment = time.monotonic()
        if moment - self._shown >= _EVERY:
            self._shown = moment
            self._draw(f"{_CLEAR}{bar(self._what, done, self._total, moment - self._began)}")

    def _draw(self, text: str) -> None:
        if self._stream is not None:
            self._stream.write(text)
            self._stream.flush()
