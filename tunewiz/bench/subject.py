"""What a run measures: which changes, on which server, on which machine."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

from tunewiz.bench.bundle import BundleRead
from tunewiz.bench.copied import find_copy
from tunewiz.bench.copy_differences import cannot_tell_on_copy
from tunewiz.bench.errors import RefusedError
from tunewiz.bench.on_copy import on_copy, same_plan
from tunewiz.bench.reaching import reached_server
from tunewiz.bench.run import BenchRun, MeasuredServer
from tunewiz.bundle.reopen import proof_in, written_from
from tunewiz.core.answers.answers import Answers
from tunewiz.core.facts.facts import Facts
from tunewiz.core.planning.plan import Plan
from tunewiz.core.proof.proof import Omission
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import make_plan


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """What is measured."""

    bundle: BundleRead
    """With only the changes that are measured."""
    server: MeasuredServer
    machine: Facts
    """Of the machine where it is measured."""
    answers: Answers
    plan: Plan | None
    """What the run's bundles are written from; None where the bundle itself is run, as a whole."""
    left_out: tuple[Omission, ...] = ()
    cannot_tell: tuple[str, ...] = ()


def subject_of(bundle: BundleRead, copy: Path | None, *, ablate: bool, window: bool) -> Subject:
    """What is measured.

    Args:
        bundle: As it was read.
        copy: The data directory of a copy of its server; None to measure that server itself.
        ablate: Whether its parts are measured.
        window: Whether clients of this machine's servers may be disturbed.

    Raises:
        InputError: A file of the bundle cannot be read, or the copy has no data directory.
        RefusedError: That server or copy must not be measured.
    """
    facts, answers = written_from(bundle.directory)
    if copy is not None:
        return _on_copy(bundle, copy, facts, answers, window=window)
    server = reached_server(bundle.server.major, bundle.server.data_directory)
    plan = make_plan(facts, answers, load_knowledge(), proof_in(bundle.directory)) if ablate else None
    return Subject(bundle=bundle, server=server, machine=facts, answers=answers, plan=plan)


def again(bundle: BundleRead, before: BenchRun, *, window: bool) -> Subject:
    """The subject of an interrupted run; raises as above, or where something else would be measured now."""
    copy = Path(before.server.data_directory) if before.server.is_copy else None
    subject = subject_of(bundle, copy, ablate=bool(before.groups), window=window)
    if tuple(change.measured for change in subject.bundle.changes) != before.changes:
        raise RefusedError("the copy is not what it was when the run began: other changes would be measured")
    return subject


def _on_copy(bundle: BundleRead, copy: Path, facts: Facts, answers: Answers, *, window: bool) -> Subject:
    copied = find_copy(copy, bundle, facts, window=window)
    whole = same_plan(bundle)
    there = on_copy(whole, copied)
    changes = tuple(change for change in bundle.changes if change.measured.id in there.ids)
    server = reached_server(bundle.server.major, copied.directory)
    return Subject(
        bundle=dataclasses.replace(bundle, changes=changes),
        server=dataclasses.replace(server, is_copy=True),
        machine=copied.machine,
        answers=answers,
        plan=there.plan,
        left_out=there.left_out,
        cannot_tell=tuple(cannot_tell_on_copy(copied, whole.start)),
    )
