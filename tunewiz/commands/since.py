"""`tunewiz since`: what became of this host since it was read before."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tunewiz.bundle.check import read_manifest
from tunewiz.bundle.manifest import MANIFEST
from tunewiz.bundle.reopen import written_from
from tunewiz.catalogue import kernel_targets
from tunewiz.commands.inputs import read_facts_file, read_machine
from tunewiz.commands.options import Options
from tunewiz.commands.planned_values import planned_by, planned_in
from tunewiz.console import output
from tunewiz.core.facts.facts import Facts
from tunewiz.core.health.ahead import Ahead, Past, what_is_ahead
from tunewiz.core.health.since import NOTHING_PLANNED, LastPlan, news_since
from tunewiz.core.values.errors import BundleError, InputError, UsageError
from tunewiz.core.values.known import known_or
from tunewiz.formats.since import HostNews, since_json
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import make_plan
from tunewiz.session.record import Session
from tunewiz.session.store import sessions_directory
from tunewiz.session.visits import last_visit, same_host
from tunewiz.text.since import since_text

CHANGED = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class EarlierReading:
    """What is compared with."""

    name: str
    facts: Facts
    plan: LastPlan = NOTHING_PLANNED


def run_since(options: Options) -> int:
    """Print what is not as it was; returns 1 if there is anything."""
    facts = read_machine(options)
    earlier = _named(options.before) if options.before is not None else _last_visit(options, facts)
    if not same_host(earlier.facts, facts):
        before, after = (
            known_or(one.host.name, "a machine without a name") for one in (earlier.facts, facts)
        )
        raise InputError(f"since: {earlier.name}: found facts of {before}, expected those of {after}")
    result = HostNews(
        host=known_or(facts.host.name, ""),
        earlier=earlier.name,
        then=known_or(earlier.facts.host.read_at, ""),
        read_at=known_or(facts.host.read_at, ""),
        news=news_since(earlier.facts, facts, earlier.plan, kernel_targets()),
        ahead=_ahead(earlier.facts, facts),
    )
    output.write(since_json(result) if options.json else since_text(result))
    return CHANGED if result.news else 0


def _ahead(then: Facts, facts: Facts) -> tuple[Ahead, ...]:
    """Of all servers, each once: a disk may be of several."""
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    pasts = (Past(facts=facts, server=server, earlier=(then,), today=today) for server in facts.postgres)
    return tuple(dict.fromkeys(entry for past in pasts for entry in what_is_ahead(past)))


def _named(path: Path) -> EarlierReading:
    """A bundle, or a file of facts; raises InputError and BundleError."""
    if not path.is_dir():
        return EarlierReading(name=str(path), facts=read_facts_file(path))
    facts, _ = written_from(path)
    return EarlierReading(name=str(path), facts=facts, plan=planned_in(read_manifest(path / MANIFEST)))


def _last_visit(options: Options, facts: Facts) -> EarlierReading:
    """The newest run of the wizard on this host; raises UsageError where there is none."""
    if options.facts is not None or options.demo is not None:
        raise UsageError("since: expected what to compare these facts with: a bundle, or a file of facts")
    kept = sessions_directory(os.environ)
    visit = last_visit(kept, facts)
    if visit is None:
        raise UsageError(
            f"since: {kept}: found no earlier run of the wizard on this host",
            "Name a bundle, or a file that `tunewiz facts -o FILE` wrote.",
        )
    stored, session = visit
    name = f"the wizard's run of {stored.when.astimezone():%Y-%m-%d %H:%M}"
    return EarlierReading(name=name, facts=session.as_read, plan=_planned(session))


def _planned(session: Session) -> LastPlan:
    """What its plan changes; nothing for one that no bundle can carry."""
    try:
        return planned_by(make_plan(session.facts, session.answers, load_knowledge()))
    except (BundleError, InputError):
        return NOTHING_PLANNED
