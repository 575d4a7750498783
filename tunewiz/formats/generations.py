"""The bundles that were applied on a host, and their public form."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass

from tunewiz.core.generations.between import GenerationDifference, GenerationReturn
from tunewiz.core.generations.generation import STATE_DIRECTORY, BundleHistory, Generation
from tunewiz.core.generations.in_force import Standing, StandingChange, standing_of

SCHEMA = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class AppliedBundles:
    """What was read on this host."""

    state: str
    """The directory of the records."""
    history: BundleHistory
    last: int | None = None
    """How many are listed; None: all."""

    @property
    def listed(self) -> tuple[Generation, ...]:
        """The newest first."""
        return self.history.generations[: self.last]


@dataclass(frozen=True, kw_only=True, slots=True)
class TwoGenerations:
    """Two of them side by side."""

    a: Generation
    b: Generation
    differences: tuple[GenerationDifference, ...]


def return_commands(state: str, way: GenerationReturn) -> tuple[str, ...]:
    """What a person runs, as root: one command, or where no bundle knows it, one for each bundle."""
    if way.why_not:
        return ()
    elsewhere = "" if state == STATE_DIRECTORY else f"TUNEWIZ_STATE_DIR={shlex.quote(state)} "
    if way.script_directory:
        return (f"sudo {elsewhere}sh {shlex.quote(f'{way.script_directory}/rollback.sh')} --to {way.to.id}",)
    return tuple(f"sudo {elsewhere}sh {shlex.quote(f'{one.scripts}/rollback.sh')}" for one in way.rolls_back)


def history_json(bundles: AppliedBundles) -> str:
    """All of them, in ASCII."""
    listed = [_generation(one, standing_of(bundles.history, one)) for one in bundles.listed]
    return _dumped({"schema": SCHEMA, "state": bundles.state, "generations": listed})


def generation_json(bundles: AppliedBundles, way: GenerationReturn) -> str:
    """One of them, with the way back to it."""
    document = {
        "schema": SCHEMA,
        "state": bundles.state,
        "generation": _generation(way.to, standing_of(bundles.history, way.to)),
        "return": {
            "rolls_back": [one.id for one in way.rolls_back],
            "commands": list(return_commands(bundles.state, way)),
            "why_not": way.why_not or None,
        },
    }
    return _dumped(document)


def two_generations_json(bundles: AppliedBundles, two: TwoGenerations) -> str:
    """What differs between two."""
    differences = [{"name": one.name, "before": one.before, "value": one.value} for one in two.differences]
    document = {
        "schema": SCHEMA,
        "state": bundles.state,
        "a": two.a.records,
        "b": two.b.records,
        "differences": differences,
    }
    return _dumped(document)


def _dumped(document: object) -> str:
    return json.dumps(document, indent=2) + "\n"


def _generation(generation: Generation, standing: Standing) -> dict[str, object]:
    return {
        "id": generation.id,
        "records": generation.records,
        "order": generation.order,
        "stand": standing.stand,
        "superseded_by": list(standing.superseded_by),
        "begun_at": generation.begun_at or None,
        "applied_at": generation.applied_at or None,
        "rolled_back_at": generation.ended_at or None,
        "confirmation": generation.confirmation,
        "confirm_until": generation.confirm_until or None,
        "host": generation.host or None,
        "data_directory": generation.cluster or None,
        "workload": generation.workload or None,
        "changes": [_change(one) for one in standing.changes],
        "scripts": generation.scripts or None,
        "damage": list(generation.damage),
    }


def _change(standing: StandingChange) -> dict[str, object]:
    change = standing.change
    return {
        "kind": change.kind,
        "name": change.name,
        "before": change.before_in_words,
        "value": change.value_in_words,
        "superseded_by": standing.superseded_by or None,
        "waits_for_restart": change.put_off,
    }
