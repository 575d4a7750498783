"""The progress of a rollout, in words and rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import assert_never

from rich.text import Text

from tunewiz.core.fleet.rollout import (
    DriftReport,
    HostProgress,
    HostState,
    NoDriftReport,
    Rollout,
    counted,
)
from tunewiz.core.values.cut import cut
from tunewiz.core.values.plural import how_many
from tunewiz.text.row import Row

HOST = 20
"""Columns for the name of a host."""
_MINUTE = 60
_MARKS: Mapping[HostState, tuple[str, str]] = MappingProxyType(
    {
        "waiting": (" ", ""),
        "under way": (">", "bold"),
        "failed": ("!", "bold red"),
        "confirmed": ("+", "green"),
        "rolled back": ("<", ""),
        "not rolled back": ("!", "bold red"),
        "not understood": ("?", "yellow"),
    }
)
_STEPS: Mapping[str, str] = MappingProxyType(
    {
        "began": "apply.sh runs",
        "applied": "applied, being verified",
        "verified": "as planned, health check runs",
        "healthy": "healthy, being confirmed",
        "confirmed": "confirmed",
        "not-applied": "apply.sh failed",
        "not-verified": "verify.sh found a difference",
        "not-healthy": "the health check failed",
        "not-confirmed": "could not be confirmed",
        "rolled-back": "rolled back",
        "not-rolled-back": "could not be rolled back",
    }
)
_COUNTED: tuple[HostState, ...] = (
    "confirmed",
    "under way",
    "failed",
    "waiting",
    "rolled back",
    "not rolled back",
    "not understood",
)


def rollout_in_words(rollout: Rollout) -> str:
    """How many hosts are in each state."""
    counts = (f"{count:,} {name}" for name in _COUNTED if (count := rollout.count(name)))
    return " · ".join(counts) or "no hosts"


def rollout_rows(rollout: Rollout, current_time: int) -> Iterator[Row]:
    """The waves, each with its hosts; `current_time` in seconds since 1970."""
    for number, wave in enumerate(rollout.waves, start=1):
        done = counted(wave, "confirmed")
        yield Row(text=Text(f"Wave {number}: {done:,} of {how_many(len(wave), 'host')} confirmed", "bold"))
        for progress in wave:
            yield Row(key=progress.host, text=_row(progress, rollout, current_time), lit=HOST + 2)


def _row(host: HostProgress, rollout: Rollout, current_time: int) -> Text:
    mark, style = _MARKS[host.state]
    name = cut(host.host, HOST).ljust(HOST)
    return Text.assemble(f"{mark} ", (name, style), "  ", state_in_words(host, rollout, current_time))


def state_in_words(host: HostProgress, rollout: Rollout, current_time: int) -> str:
    """The state of one host."""
    step = _STEPS.get(host.last, host.last) if host.steps else "waiting"
    at = f", {_clock(host.steps[-1].at, current_time)}" if host.steps else ""
    parts = (f"{step}{at}", _coming_back(host, rollout, current_time), _drift(host))
    return "; ".join(part for part in parts if part)


def _coming_back(host: HostProgress, rollout: Rollout, current_time: int) -> str:
    """When a change that was not confirmed is reverted."""
    if host.last == "not-applied":
        return "nothing of it remains"
    if host.state not in ("failed", "under way") or not host.began:
        return ""
    due = host.began + rollout.minutes * _MINUTE
    if not rollout.minutes:
        return "reverts by itself" if host.state == "failed" else ""
    if current_time >= due:
        return f"was due back, {_clock(due, current_time)}"
    return f"reverts by itself, {_clock(due, current_time)}" if host.state == "failed" else ""


def _drift(host: HostProgress) -> str:
    match host.compared:
        case DriftReport(as_planned=False, differences=differences):
            return f"drift: {how_many(len(differences), 'difference')}" if differences else "drift"
        case DriftReport() | NoDriftReport():
            return ""
        case _:
            assert_never(host.compared)


def needs_attention(host: HostProgress) -> bool:
    """Whether it failed or drifted."""
    return host.state in ("failed", "not rolled back", "not understood") or host.has_drifted


def host_in_full(host: HostProgress, rollout: Rollout, current_time: int) -> Iterator[Text]:
    """Every step of a host, what failed, and what drifted."""
    yield Text(f"{host.host}: {state_in_words(host, rollout, current_time)}", style="bold")
    yield Text()
    for step in host.steps:
        yield Text.assemble((_clock(step.at, current_time), "dim"), " \t", _STEPS.get(step.step, step.step))
    if not host.steps:
        yield Text("Nothing is recorded: apply.yml has not reached this host.")
    if host.output:
        yield from (Text(), Text("Output of the step that failed", style="bold"))
        yield from (Text(text) for text in host.output)
    yield Text()
    yield from _compared(host)


def _compared(host: HostProgress) -> Iterator[Text]:
    match host.compared:
        case NoDriftReport():
            yield Text("Not compared with its bundle yet: run ansible-playbook drift.yml.")
        case DriftReport(as_planned=True):
            yield Text("The last drift.yml found it as planned.")
        case DriftReport(differences=differences):
            yield Text("Differences that the last drift.yml found", style="bold")
            yield from (Text(f"- \t{difference}") for difference in differences)
            if not differences:
                yield Text("Not as planned: verify.yml says why.")
        case _:
            assert_never(host.compared)


def _clock(seconds: int, current_time: int) -> str:
    """The local time of day, with the date if that is not today."""
    then, today = (datetime.fromtimestamp(number, UTC).astimezone() for number in (seconds, current_time))
    return f"{then:%H:%M}" if then.date() == today.date() else f"{then:%m-%d %H:%M}"
