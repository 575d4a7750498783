"""A fleet as a JUnit report, which CI systems show as tests: a suite for each group, a case for each host."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from tunewiz.core.fleet.concerns import HostConcerns, concerns_of
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.history import FIRST, SinceLast
from tunewiz.core.fleet.remarks import change_in_words
from tunewiz.core.words.harmless import harmless


def junit(fleet: Fleet, since: SinceLast = FIRST) -> str:
    """A host fails that drifted or breaks a rule; one without a plan is an error; changes are its output."""
    hosts = defaultdict[str, list[HostConcerns]](list)
    for concerns in sorted(concerns_of(fleet, since), key=lambda concerns: concerns.plan.host):
        hosts[concerns.group].append(concerns)
    suites = [
        *(_suite(group.name, [_host(concerns) for concerns in hosts[group.name]]) for group in fleet.groups),
        _suite("policy", [_expired(v.rule.demands[0], v.text) for v in fleet.violations if not v.hosts]),
        _suite("answers", [_failed(text, "answers", text, "failure") for text in fleet.messages]),
        _suite("not planned", [_failed(f.host, "not planned", f.why, "error") for f in fleet.failed]),
    ]
    return "".join(_document([suite for suite in suites if suite]))


def _document(suites: Sequence[str]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="tunewiz fleet">\n'
    yield from suites
    yield "</testsuites>\n"


def _suite(name: str, cases: Sequence[str]) -> str:
    """Empty without cases."""
    if not cases:
        return ""
    failures, errors = (sum(f"<{what} " in case for case in cases) for what in ("failure", "error"))
    counts = f'tests="{len(cases)}" failures="{failures}" errors="{errors}"'
    return f"<testsuite name={_attribute(name)} {counts}>\n{''.join(cases)}</testsuite>\n"


def _host(concerns: HostConcerns) -> str:
    plan = concerns.plan
    changes = [
        f"{decision.name}: {today} -> {then} ({decision.takes})"
        for decision, today, then in zip(plan.decisions, plan.today, plan.values, strict=True)
        if decision.state == "change"
    ]
    why = tuple(_why(concerns))
    failure = _element("failure", why[0], [text for _, text in why]) if why else ""
    output = f"<system-out>{_texts(changes)}</system-out>\n" if changes else ""
    return _case(plan.host, concerns.group, f"{failure}{output}")


def _why(concerns: HostConcerns) -> Iterator[tuple[str, str]]:
    """What fails a host: the kind, and what is said of it."""
    for demand, why in concerns.plan.broken:
        yield "policy-broken", f"{demand}: {why}"
    for demand, value in concerns.plan.against:
        yield "policy-today", f"{demand}: it has {value} today"
    for change in concerns.changed:
        yield "value-changed", change_in_words(change)
    for drift in concerns.drift:
        yield "value-unlike-group", f"{drift.name} is {drift.found}; most hosts have {drift.most}"


def _expired(demand: str, text: str) -> str:
    return _failed(demand, "policy", text, "failure")


def _failed(name: str, suite: str, why: str, element: str) -> str:
    return _case(name, suite, _element(element, (suite, why), [why]))


def _element(name: str, what: tuple[str, str], lines: Iterable[str]) -> str:
    kind, message = map(_attribute, what)
    return f"<{name} type={kind} message={message}>{_texts(lines)}</{name}>\n"


def _case(name: str, suite: str, content: str) -> str:
    head = f"<testcase classname={_attribute(suite)} name={_attribute(name)}"
    return f"{head}>\n{content}</testcase>\n" if content else f"{head}/>\n"


def _attribute(text: str) -> str:
    return f'"{_text(text)}"'


def _texts(lines: Iterable[str]) -> str:
    return "\n".join(map(_text, lines))


def _text(text: str) -> str:
    """XML has no escape for most control characters: they are spelt out before."""
    return escape(harmless(text))
