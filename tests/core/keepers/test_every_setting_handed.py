"""Every setting of a major, one after another: what a keeper blocks is never handed over, and all else is."""

from typing import get_args

import pytest

from small_plans import small_facts, small_plan
from tunewiz.bundle.keepers.documents import parameters
from tunewiz.core.keepers.handover import handover
from tunewiz.core.keepers.rulebook import NotSettable, NotTaken, Taken, judged
from tunewiz.core.planning.keeper_targets import kept_by
from tunewiz.core.planning.target_names import KeptTarget
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Unknown
from tunewiz.core.values.versions import Major
from tunewiz.knowledge.keepers import load_rulebook
from tunewiz.knowledge.loading import load_settings

TARGETS: tuple[KeptTarget, ...] = get_args(KeptTarget)
MAJOR = "17"
SETTINGS = load_settings()[Major.parse(MAJOR)]
LIST = "shared_preload_libraries"
"""Goes into a list of its own with some."""
FACTS = small_facts(Given(major=MAJOR), settings=Unknown("not asked"))
"""Nothing of the server is known, so that no value is in force already."""


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_blocked_is_left_out_and_everything_else_is_handed_over(target: KeptTarget) -> None:
    rules = load_rulebook(target)
    kept = kept_by(FACTS, FACTS.postgres[0], target)
    outcomes = set[type]()
    for name, info in SETTINGS.known.items():
        if info.context == "internal" or name == LIST:
            continue
        value = info.default or "x"
        expected = judged(rules, SETTINGS, name, value)
        outcomes.add(type(expected))
        plan = small_plan(kept, {f"pg.{name}": value})
        if isinstance(expected, NotTaken):
            with pytest.raises(InputError, match=name):
                handover(plan, rules)
            continue
        handed = handover(plan, rules)
        is_taken = expected == Taken()
        assert (name in parameters(handed)) is is_taken, name
        assert [entry.name for entry in handed.left_out] == ([] if is_taken else [name])
    assert {NotSettable, Taken} <= outcomes
