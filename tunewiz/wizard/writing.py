"""Writes the bundle for the chosen target: the host itself, or the keeper of the server's settings."""

from __future__ import annotations

from collections.abc import Sequence

from tunewiz.bundle.keepers.review import kept_review
from tunewiz.bundle.review.blocks import Block
from tunewiz.core.planning.keeper_targets import targets_for
from tunewiz.core.planning.ownership import keeper_of
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.target_names import TargetName
from tunewiz.wizard.outcome import ForHost, Written
from tunewiz.wizard.ports import Ports


def targets_of(plan: Plan) -> tuple[TargetName, ...]:
    """Targets that a bundle of this plan can have, the likeliest first."""
    return targets_for(keeper_of(plan.start))


def written(plan: Plan, directory: str, target: TargetName, ports: Ports) -> Written:
    """Write the bundle.

    Raises:
        InputError: The keeper would drop or refuse a value.
        BundleError: The directory cannot be written, or no bundle can carry a change.
    """
    if target == "host":
        ports.write_bundle(plan, directory)
        return Written(directory=directory, plan=plan)
    kept = ports.write_kept(plan, target, directory)
    return Written(directory=directory, plan=plan, made_for=kept)


def review_of(outcome: Written, ports: Ports) -> Sequence[Block]:
    """What its REVIEW.md says."""
    match outcome.made_for:
        case ForHost():
            return ports.review(outcome.plan)
        case kept:
            return kept_review(outcome.plan, kept)
