"""What changed on this host since it was read before: in full, and in a line or two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tunewiz.catalogue import kernel_targets
from tunewiz.core.facts.facts import Facts
from tunewiz.core.health.ahead import Ahead, Past, ahead_in_words, what_is_ahead
from tunewiz.core.health.findings_since import CHANGES, FindingNews
from tunewiz.core.health.news import News
from tunewiz.core.health.since import NOTHING_PLANNED, LastPlan, news_since
from tunewiz.core.values.known import known_or
from tunewiz.core.values.record import dataclass
from tunewiz.formats.since import HostNews
from tunewiz.knowledge.loading import Knowledge
from tunewiz.wizard.finding_news import finding_news

MOST = 4
"""Changes that are named: more do not fit in two lines."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EarlierReading:
    """What a host is compared with."""

    facts: Facts
    name: str = ""
    """Of the session, the bundle or the file."""
    plan: LastPlan = NOTHING_PLANNED


@dataclass(frozen=True, kw_only=True, slots=True)
class LastVisit(EarlierReading):
    """What an earlier run of the wizard read here, and how long ago."""

    age: str


@dataclass(frozen=True, kw_only=True, slots=True)
class FirstVisit:
    """No earlier run of the wizard is known that read this host."""


FIRST_VISIT = FirstVisit()


def host_news(earlier: EarlierReading, facts: Facts, knowledge: Knowledge, today: str = "") -> HostNews:
    """Everything that became of the host since.

    Args:
        earlier: Of the same host.
        facts: As they were read now.
        knowledge: What plans are made of: their warnings are compared.
        today: The day of whoever asks, YYYY-MM-DD; empty: that on which the facts were read.
    """
    pasts = (
        Past(facts=facts, server=server, earlier=(earlier.facts,), today=today) for server in facts.postgres
    )
    return HostNews(
        host=known_or(facts.host.name, ""),
        earlier=earlier.name,
        then=known_or(earlier.facts.host.read_at, ""),
        read_at=known_or(facts.host.read_at, ""),
        news=news_since(earlier.facts, facts, earlier.plan, kernel_targets()),
        # Of all servers, each once: a disk may be of several.
        ahead=tuple(dict.fromkeys(entry for past in pasts for entry in what_is_ahead(past))),
        findings=finding_news(earlier.facts, facts, knowledge),
    )


def since(visit: LastVisit, facts: Facts, findings: tuple[FindingNews, ...] = ()) -> str:
    """In words; what was not known at both times is not compared."""
    changes = [*_of_findings(findings), *_changes(visit.facts, facts)]
    ahead = "".join(f" Ahead: {ahead_in_words(entry)}." for entry in _soonest(visit.facts, facts))
    if not changes:
        return f"Last visit {visit.age}: settings, versions, sizes and memory are the same.{ahead}"
    more = f" and {len(changes) - MOST} more" if len(changes) > MOST else ""
    return f"Since your last visit, {visit.age}: {'; '.join(changes[:MOST])}{more}.{ahead}"


def _soonest(then: Facts, facts: Facts) -> tuple[Ahead, ...]:
    """Of all servers, the first thing that will run out."""
    pasts = (Past(facts=facts, server=server, earlier=(then,)) for server in facts.postgres)
    results = [ahead for past in pasts for ahead in what_is_ahead(past)]
    return tuple(sorted(results, key=lambda ahead: ahead.days.earliest)[:1])


def _changes(then: Facts, facts: Facts) -> Iterator[str]:
    """What it does at work is left out: another load may be why it differs."""
    for news in news_since(then, facts, targets=kernel_targets()):
        if news.kind != "at work, observed only":
            yield _in_words(news)


def _of_findings(findings: tuple[FindingNews, ...]) -> Iterator[str]:
    """How many are new, worse and gone, in one part of the line."""
    counts = Counter(finding.change for finding in findings)
    if counts:
        parts = (f"{counts[change]} {change}" for change in CHANGES if counts[change])
        yield f"troubles and warnings: {', '.join(parts)}"


def _in_words(news: News) -> str:
    match news.after:
        case "new":
            return f"a {news.what} is new"
        case "gone":
            return f"the {news.what} is gone"
        case "running" | "stopped":
            return f"{news.what} is {news.after} now"
        case _:
            return f"{news.what} {news.before} -> {news.after}"
