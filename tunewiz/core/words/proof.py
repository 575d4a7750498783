"""What was measured on a server, in words: the same in every front end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal, assert_never

from tunewiz.core.proof.figures import metrics_in_order, ratio_in_words
from tunewiz.core.proof.measured_parts import EVERYTHING, measured_parts, what_it_cost
from tunewiz.core.proof.metrics import METRICS, MetricName
from tunewiz.core.proof.proof import ClaimVerdict, MetricResult, Proof, Verdict, WorkloadSource
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes
from tunewiz.core.words.observed import OBSERVED, observed_lines

_MINUTE, _HOUR = 60, 3_600
_WIDTH = 30
"""Width of a column of names."""
VERDICTS: dict[Verdict, str] = {
    "helped": "helped",
    "hurt": "hurt",
    "same": "made no relevant difference",
    "undecided": "undecided",
    "observed": "observed, not proved",
}


SOURCES: dict[WorkloadSource, str] = {
    "builtin": "pgbench's built-in script",
    "scripts": "the administrator's scripts",
    "statements": "statements of this server (pg_stat_statements)",
    "log": "statements in this server's log",
    "live": "the server's usual clients",
}


def seconds_in_words(seconds: float) -> str:
    """How long something takes: `45 s`, `6 min`, `1 h 50 min`.

    >>> seconds_in_words(45), seconds_in_words(360), seconds_in_words(6_600)
    ('45 s', '6 min', '1 h 50 min')
    """
    whole = round(seconds)
    if whole < 2 * _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min"
    hours, rest = divmod(whole, _HOUR)
    return f"{hours} h {rest // _MINUTE} min" if rest // _MINUTE else f"{hours} h"


def percent(ratio: float) -> str:
    """A ratio of at least 1 as a difference: `6 %`.

    >>> percent(1.06), percent(1.004), percent(1.5)
    ('6 %', '0.4 %', '50 %')
    """
    difference = 100 * (ratio - 1)
    return f"{difference:.1f} %" if difference < 1 else f"{difference:.0f} %"


def can_show_in_words(can_show: float | None, pairs: int, seconds: float) -> str:
    """How small a difference this server can reveal, and the runs that takes."""
    runs = f"{how_many(pairs, 'pair')}, in {seconds_in_words(seconds)}"
    if can_show is None:
        return (
            "How small a difference this server can reveal is unknown: the A/A pairs do not show "
            f"it. Planned: {runs}."
        )
    return f"This server can reveal a difference of {percent(can_show)} with {runs}."


def verdict_in_words(verdict: ClaimVerdict, within: float) -> str:
    """`helped`, `hurt`, `the same within 4 %`, `undecided`."""
    return f"the same within {percent(within)}" if verdict == "same" else verdict


def change_in_words(ratio: float) -> str:
    """A ratio as a change in percent, with its sign.

    >>> change_in_words(1.094), change_in_words(0.948), change_in_words(1.0), change_in_words(2.5)
    ('+9 %', '-5 %', '0 %', '+150 %')
    """
    difference = round(100 * (ratio - 1))
    return f"{difference:+d} %" if difference else "0 %"


_BETTER_AND_WORSE: Mapping[MetricName, tuple[str, str]] = MappingProxyType(
    {
        "throughput": ("faster", "slower"),
        "latency_95": ("shorter", "longer"),
        "latency_99": ("shorter", "longer"),
        "worst_second": ("better", "worse"),
        "query_time": ("faster", "slower"),
        "query_time_reverse": ("faster", "slower"),
        "query_time_ideal": ("faster", "slower"),
    }
)
"""Of what is not named here there is less or more."""


def headline(proof: Proof) -> str:
    """The verdict as large as text can be: `+8 % faster, 6 to 10 %`."""
    result = proof.metrics.get(proof.primary)
    if result is None or proof.verdict == "observed":
        return _capital(VERDICTS[proof.verdict])
    match proof.verdict:
        case "helped" | "hurt":
            return _moved(proof.primary, result, proof.verdict)
        case "same":
            return _capital(verdict_in_words("same", result.within))
        case "undecided":
            return f"Undecided, {change_in_words(result.low)} to {change_in_words(result.high)}"
        case _:
            assert_never(proof.verdict)


def _moved(name: MetricName, result: MetricResult, verdict: Literal["helped", "hurt"]) -> str:
    better, worse = _BETTER_AND_WORSE.get(name, ("less", "more"))
    low, high = sorted(abs(round(100 * (bound - 1))) for bound in (result.low, result.high))
    sign = "+" if verdict == "helped" and result.ratio > 1 else ""
    change = abs(round(100 * (result.ratio - 1)))
    return f"{sign}{change} % {better if verdict == 'helped' else worse}, {low} to {high} %"


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def proof_lines(proof: Proof) -> Iterator[str]:
    """What was found, a line each."""
    if proof.verdict != "observed":
        yield headline(proof)
    yield f"{METRICS[proof.primary].title}: {VERDICTS[proof.verdict]}"
    if proof.server.is_copy:
        yield f"Measured on {server_in_words(proof)}, on {host_in_words(proof)}"
    width = max((_WIDTH, *(len(METRICS[name].title) for name in proof.metrics)))
    for name, result in metrics_in_order(proof):
        verdict = verdict_in_words(result.verdict, result.within)
        if proof.verdict == "observed":
            verdict = OBSERVED.get(result.verdict, verdict)
        yield f"  {METRICS[name].title:<{width}} {ratio_in_words(result)}  {verdict}"
    if proof.kind == "compare":
        yield from observed_lines(proof)
    if proof.groups:
        yield f"What each part contributes to {METRICS[proof.primary].title}:"
    for group in proof.groups:
        yield f"  {group.name:<{_WIDTH}} {ratio_in_words(group)}  {group.verdict}"
    yield from (f"Left out: {omission.what}: {omission.why}" for omission in proof.left_out)
    yield from proof.cannot_tell


def result_in_words(proof: Proof) -> str:
    """The verdict with its figure, then what hurt and what it cost."""
    whole = proof.metrics.get(proof.primary)
    figure = f" x {ratio_in_words(whole)}" if whole else ""
    parts = (
        measured_part
        for measured_part in measured_parts(proof)
        if measured_part.verdict == "hurt" and measured_part.name != EVERYTHING
    )
    first = f"{headline(proof)}; " if proof.verdict in ("helped", "hurt") else ""
    result = [f"{first}{METRICS[proof.primary].title}{figure}: {VERDICTS[proof.verdict]}"]
    if hurt := ", ".join(part.name for part in parts):
        result.append(f"{hurt} hurt")
    if cost := "; ".join(what_it_cost(proof)):
        result.append(f"worse: {cost}")
    return "; ".join(result)


def host_in_words(proof: Proof) -> str:
    """The machine: its name, kind, processors and memory, as far as known."""
    host = proof.host
    memory = Bytes(host.memory).human() if host.memory else ""
    processors = how_many(host.processors, "processor") if host.processors else ""
    return ", ".join(text for text in (host.name, host.architecture, processors, memory) if text) or "unknown"


def where_measured(proof: Proof) -> str:
    """For the server's own documents: this server, or a copy of it."""
    return "a copy of this server" if proof.server.is_copy else "this server"


def server_in_words(proof: Proof) -> str:
    """The server: its version, its directory, and whether it was a copy."""
    server = proof.server
    directory = f" in {server.data_directory}" if server.data_directory else ""
    copy = ", a copy of the server" if server.is_copy else ""
    return f"PostgreSQL {server.version or server.major}{directory}{copy}"


def workload_in_words(proof: Proof) -> str:
    """What the clients did, for how long, how fast."""
    workload = proof.workload
    scripts = ", ".join(
        script.name if len(workload.scripts) == 1 else f"{script.name} (weight {script.weight})"
        for script in workload.scripts
    )
    measured = "blocks" if proof.kind == "switchback" else "runs"
    result = (
        f"{SOURCES[workload.source]}{': ' if scripts else ''}{scripts}",
        how_many(workload.clients, "client") if workload.clients else "",
        f"scale {workload.scale}" if workload.scale else "",
        f"{measured} of {seconds_in_words(workload.run_seconds)}" if workload.run_seconds else "",
        f"latency at {workload.rate:,.0f} transactions/s" if workload.rate else "",
        f"{100 * workload.share:.0f} % of the server's execution time" if workload.share is not None else "",
        f"random seed {workload.seed}" if workload.seed else "",
    )
    return ", ".join(text for text in result if text)
