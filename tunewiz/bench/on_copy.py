"""A bundle's plan as it is carried out on a copy of its server: the same values, in the copy's own files.

Only PostgreSQL's settings: a change of the machine would reach every other server on it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tunewiz.bench.bundle import BundleRead
from tunewiz.bench.copied import Copied
from tunewiz.bench.copy_files import check_files
from tunewiz.bench.errors import RefusedError
from tunewiz.bench.variants import is_written_from, part_of
from tunewiz.bundle.check import damage_of
from tunewiz.bundle.manifest import SUMS, digest_of
from tunewiz.bundle.placement import PlacedHost, Placement
from tunewiz.bundle.placing import placed
from tunewiz.bundle.reopen import ANSWERS, FACTS, proof_in, written_from
from tunewiz.core.planning.plan import Plan
from tunewiz.core.proof.proof import Omission
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known, known_or
from tunewiz.kinds.sysctl import PlacedSysctl
from tunewiz.kinds.sysfs import PlacedChoice
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import make_plan

OF_THE_MACHINE = "a change of the whole machine, not of the copy alone"
NEEDS_PAGES = "it needs huge pages that are reserved, which is a change of the whole machine"


@dataclass(frozen=True, kw_only=True, slots=True)
class OnCopy:
    """What is carried out on a copy, and what is not."""

    plan: Plan
    ids: frozenset[str]
    """Of its changes."""
    left_out: tuple[Omission, ...]


def same_plan(bundle: BundleRead) -> Plan:
    """The plan of a bundle, made again.

    Raises:
        InputError: A file of the bundle cannot be read.
        RefusedError: This version makes another bundle of the same facts, or it was changed.
    """
    facts, answers = written_from(bundle.directory)
    plan = make_plan(facts, answers, load_knowledge(), proof_in(bundle.directory))
    texts = ((bundle.directory / name).read_text(encoding="utf-8") for name in (FACTS, ANSWERS))
    if not is_written_from(plan, bundle.directory, *texts):
        raise RefusedError(
            "this version makes another bundle from its facts and answers, so none can be made for a copy",
            "Write it again with this version: tunewiz --reopen BUNDLE, or tunewiz bundle.",
        )
    if digest_of((bundle.directory / SUMS).read_bytes()) != bundle.digest or damage_of(bundle.directory):
        raise RefusedError(f"{bundle.directory}: was changed while it was read")
    return plan


def on_copy(plan: Plan, copied: Copied) -> OnCopy:
    """The plan on the copy; raises RefusedError where the copy is not set as the server is, or cannot be."""
    servers = (copied.server, *copied.others)
    facts = dataclasses.replace(plan.start.facts, host=copied.machine.host, postgres=servers)
    there = dataclasses.replace(
        plan, start=dataclasses.replace(plan.start, server=copied.server, facts=facts)
    )
    placement = placed(there)
    check_files(placement, copied)
    left = dict(_left_out(placement))
    ids = frozenset(setting.finding.recommendation.id for setting in placement.settings) - left.keys()
    _check_values(placement, ids, plan.start, there.start)
    if not ids:
        raise RefusedError("nothing to measure on a copy: the bundle changes no setting of PostgreSQL there")
    return OnCopy(plan=part_of(there, ids), ids=ids, left_out=tuple(_by_reason(left)))


def _by_reason(left: Mapping[str, str]) -> Iterator[Omission]:
    for why in dict.fromkeys(left.values()):
        yield Omission(what=", ".join(text for text in left if left[text] == why), why=why)


def _left_out(placement: Placement) -> Iterator[tuple[str, str]]:
    """Changes by id, with the reason."""
    for lost in placement.out_of_reach:
        yield lost.finding.recommendation.id, lost.why
    of_machine: tuple[PlacedSysctl | PlacedChoice | PlacedHost, ...] = (
        *placement.sysctls,
        *placement.choices,
        *placement.host,
    )
    for change in of_machine:
        yield change.finding.recommendation.id, OF_THE_MACHINE
    for setting in placement.settings:
        if (setting.name, setting.value) == ("huge_pages", "on"):
            yield setting.finding.recommendation.id, NEEDS_PAGES


def _check_values(placement: Placement, ids: frozenset[str], there: Situation, here: Situation) -> None:
    """A change is from one value to another: the copy must have the value that the bundle was planned on."""
    names = [setting.name for setting in placement.settings if setting.finding.recommendation.id in ids]
    values = ((name, there.setting(name), here.setting(name)) for name in names)
    differing = [
        f"{name} is {known_or(fact, 'unknown')}, expected {planned.value}"
        for name, planned, fact in values
        if isinstance(planned, Known) and known_or(fact, "") != planned.value
    ]
    if differing:
        raise RefusedError(
            "\n  ".join(("the copy is not set as the server was when the bundle was written:", *differing)),
            "Give it the server's configuration, except for its port and what it must not reach.",
        )
