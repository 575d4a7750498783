"""Unlike members of one cluster: what all share is one, what fits one host only is apart."""

import dataclasses
from collections.abc import Mapping

from small_plans import small_facts, small_plan
from tunewiz.core.keepers.handover import Handover, handover
from tunewiz.core.keepers.members import Shared, shared
from tunewiz.core.planning.keeper_targets import kept_by
from tunewiz.core.planning.placed import NOT_KNOWN
from tunewiz.knowledge.keepers import load_rulebook

SMALL = {"pg.jit": "off", "pg.max_connections": "200", "pg.shared_buffers": "256MB"}
LARGE = {"pg.jit": "off", "pg.max_connections": "400", "pg.shared_buffers": "1GB", "pg.work_mem": "64MB"}


def member(wanted: Mapping[str, str]) -> Handover:
    facts = small_facts()
    return handover(
        small_plan(kept_by(facts, facts.postgres[0], "patroni"), wanted), load_rulebook("patroni")
    )


def parted(*wanted: Mapping[str, str]) -> Shared:
    return shared({f"db{number}": member(row) for number, row in enumerate(wanted, start=1)})


def texts(entry: Shared) -> dict[str, str]:
    return {setting.name: setting.text for setting in entry.handed.settings}


def local(entry: Shared) -> dict[str, dict[str, str]]:
    return {of.host: {setting.name: setting.text for setting in of.settings} for of in entry.local}


def test_members_that_are_alike_share_everything() -> None:
    result = parted(SMALL, SMALL)
    assert result.handed == member(SMALL)
    assert result.local == ()


def test_what_differs_goes_to_each_members_own_file() -> None:
    result = parted(SMALL, LARGE)
    assert local(result) == {
        "db1": {"shared_buffers": "256MB"},
        "db2": {"shared_buffers": "1GB", "work_mem": "64MB"},
    }


def test_what_must_be_the_same_everywhere_is_the_largest() -> None:
    assert texts(parted(SMALL, LARGE)) == {"jit": "off", "max_connections": "400"}
    assert texts(parted(LARGE, SMALL)) == texts(parted(SMALL, LARGE))


def test_one_member_alone_has_nothing_of_its_own() -> None:
    assert parted(LARGE).local == ()
    assert parted(LARGE).handed == member(LARGE)


def test_what_the_plans_did_not_see_alike_is_not_compared() -> None:
    one, other = member(SMALL), member(SMALL)
    observation = tuple(dataclasses.replace(setting, before="300") for setting in other.settings)
    result = shared({"db1": one, "db2": dataclasses.replace(other, settings=observation)})
    assert {setting.before for setting in result.handed.settings} == {NOT_KNOWN}
