"""`tunewiz since`: what became of this host since it was read before."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from tunewiz.bundle.check import read_manifest
from tunewiz.bundle.manifest import MANIFEST
from tunewiz.bundle.reopen import written_from
from tunewiz.commands.inputs import read_facts_file, read_machine
from tunewiz.commands.options import Options
from tunewiz.commands.planned_values import planned_in
from tunewiz.commands.visit import visit_in
from tunewiz.console import output
from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.errors import InputError, UsageError
from tunewiz.core.values.known import known_or
from tunewiz.formats.since import since_json
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.session.store import sessions_directory
from tunewiz.session.visits import same_host
from tunewiz.text.since import since_text
from tunewiz.wizard.last_visit import EarlierReading, LastVisit, host_news

CHANGED = 1


def run_since(options: Options) -> int:
    """Print what is not as it was; returns 1 if there is anything."""
    facts = read_machine(options)
    earlier = _named(options.before) if options.before is not None else _last_visit(options, facts)
    if not same_host(earlier.facts, facts):
        before, after = (
            known_or(one.host.name, "a machine without a name") for one in (earlier.facts, facts)
        )
        raise InputError(f"since: {earlier.name}: found facts of {before}, expected those of {after}")
    result = host_news(earlier, facts, load_knowledge(), f"{datetime.now(UTC):%Y-%m-%d}")
    output.write(since_json(result) if options.json else since_text(result))
    return CHANGED if result.news or result.findings else 0


def _named(path: Path) -> EarlierReading:
    """A bundle, or a file of facts; raises InputError and BundleError."""
    if not path.is_dir():
        return EarlierReading(name=str(path), facts=read_facts_file(path))
    facts, _ = written_from(path)
    return EarlierReading(name=str(path), facts=facts, plan=planned_in(read_manifest(path / MANIFEST)))


def _last_visit(options: Options, facts: Facts) -> LastVisit:
    """The newest run of the wizard on this host; raises UsageError where there is none."""
    if options.facts is not None or options.demo is not None:
        raise UsageError("since: expected what to compare these facts with: a bundle, or a file of facts")
    kept = sessions_directory(os.environ)
    visit = visit_in(kept, facts)
    if visit is None:
        raise UsageError(
            f"since: {kept}: found no earlier run of the wizard on this host",
            "Name a bundle, or a file that `tunewiz facts -o FILE` wrote.",
        )
    return visit
