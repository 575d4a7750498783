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
    found = small_facts()
    return handover(
        small_plan(kept_by(found, found.postgres[0], "patroni"), wanted), load_rulebook("patroni")
    )


def parted(*wanted: Mapping[str, str]) -> Shared:
    return shared({f"db{number}": member(each) for number, each in enumerate(wanted, start=1)})


def texts(found: Shared) -> dict[str, str]:
    return {each.name: each.text for each in found.handed.settings}


def local(found: Shared) -> dict[str, dict[str, str]]:
    return {of.host: {each.name: each.text for each in of.settings} for of in found.local}


def test_members_that_are_alike_share_everything() -> None:
    found = parted(SMALL, SMALL)
    assert found.handed == member(SMALL)
    assert found.local == ()


def test_what_differs_goes_to_each_members_own_file() -> None:
    found = parted(SMALL, LARGE)
    assert local(found) == {
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
    seen = tuple(dataclasses.replace(each, before="300") for each in other.settings)
    found = shared({"db1": one, "db2": dataclasses.replace(other, settings=seen)})
    assert {each.before for each in found.handed.settings} == {NOT_KNOWN}
