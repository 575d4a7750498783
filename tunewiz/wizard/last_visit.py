"""What changed on this host since a saved run of the wizard read it, in a line or two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tunewiz.catalogue import kernel_targets
from tunewiz.core.facts.facts import Facts
from tunewiz.core.health.ahead import Ahead, Past, ahead_in_words, what_is_ahead
from tunewiz.core.health.news import News
from tunewiz.core.health.since import news_since

MOST = 4
"""Changes that are named: more do not fit in two lines."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LastVisit:
    """What an earlier run read here, and how long ago."""

    facts: Facts
    age: str


def since(visit: LastVisit, facts: Facts) -> str:
    """In words; what was not known at both times is not compared."""
    changes = list(_changes(visit.facts, facts))
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
