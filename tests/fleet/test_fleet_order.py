"""Standbys and primaries in the order that their settings need, in waves that grow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_fleets import host
from tunewiz.core.fleet.clusters import misfits, order_of
from tunewiz.core.fleet.hosts import HostPlan, Role
from tunewiz.core.fleet.waves import waves_of


def pair(primary: tuple[tuple[int, int], ...], standby: tuple[tuple[int, int], ...]) -> list[HostPlan]:
    return [
        host("p", cluster="1", role="primary", bound=primary),
        host("s", cluster="1", role="standby", bound=standby),
    ]


def test_what_is_raised_is_raised_on_the_standby_first() -> None:
    hosts = pair(((100, 200),), ((100, 200),))
    assert order_of(hosts).before == {"p": frozenset({"s"})}
    assert waves_of([hosts], order_of(hosts)) == (("s",), ("p",))


def test_what_is_lowered_is_lowered_on_the_primary_first() -> None:
    hosts = pair(((200, 100),), ((200, 100),))
    assert order_of(hosts).before == {"s": frozenset({"p"})}
    assert waves_of([hosts], order_of(hosts)) == (("p",), ("s",))


def test_a_standby_that_has_enough_needs_no_order() -> None:
    assert order_of(pair(((100, 200),), ((300, 300),))).before == {}


def test_members_of_a_cluster_are_never_in_one_wave() -> None:
    hosts = [host(f"h{number}", cluster="1", role="standby" if number else "primary") for number in range(4)]
    assert all(len(wave) == 1 for wave in waves_of([hosts], order_of(hosts)))


def test_copies_of_one_template_are_no_cluster() -> None:
    hosts = [host(f"h{number:02}", cluster="1") for number in range(30)]
    assert [len(wave) for wave in waves_of([hosts], order_of(hosts))] == [1, 3, 26]


@pytest.mark.parametrize(
    ("hosts", "why"),
    [
        (pair(((100, 200),), ((100, 100),)), "a would be 100 on the standby s and 200 on its primary p"),
        (pair(((100, 200), (20, 10)), ((100, 200), (20, 10))), "no order of hosts is safe"),
        (
            [host("p", cluster="1"), host("s", cluster="1", role="standby", major="16")],
            "several major versions",
        ),
        (
            [
                host("p", cluster="1", bound=((100, 200),)),
                host("s", cluster="1", role="", bound=((100, 200),)),
            ],
            "it is unknown whether s is the primary",
        ),
    ],
)
def test_what_no_order_serves_is_named_on_every_member(hosts: list[HostPlan], why: str) -> None:
    result = list(misfits([*hosts, host("other")]))
    assert [failure.host for failure in result] == ["p", "s"]
    assert all(why in failure.why for failure in result)


def test_an_unknown_role_does_not_matter_where_nothing_is_bound() -> None:
    hosts = [host("p", cluster="1", bound=((9, 9),)), host("s", cluster="1", role="", bound=((9, 9),))]
    assert not list(misfits(hosts))


ROLES: st.SearchStrategy[Role] = st.sampled_from(["primary", "standby"])
VALUES = st.sampled_from([(100, 100), (100, 200), (200, 100), (100, 300)])
DRAWN = st.lists(st.tuples(st.sampled_from(["", "1", "2", "3"]), ROLES, VALUES, VALUES), max_size=25)


@given(drawn=DRAWN)
def test_at_no_moment_has_a_standby_less_than_the_primary_that_it_follows(
    drawn: list[tuple[str, Role, tuple[int, int], tuple[int, int]]],
) -> None:
    everyone = [
        host(f"h{number:02}", cluster=cluster, role=role, bound=(one, other))
        for number, (cluster, role, one, other) in enumerate(drawn)
    ]
    refused = {misfit.host for misfit in misfits(everyone)}
    hosts = [host_plan for host_plan in everyone if host_plan.host not in refused]
    order = order_of(hosts)
    waves = waves_of([hosts], order)
    assert sorted(text for wave in waves for text in wave) == sorted(host_plan.host for host_plan in hosts)
    assert not waves or len(waves[0]) == 1
    place = {text: number for number, wave in enumerate(waves) for text in wave}
    for then, first in order.before.items():
        assert all(place[text] < place[then] for text in first)
    for standby in (host_plan for host_plan in hosts if host_plan.role == "standby"):
        for primary in (
            host_plan
            for host_plan in hosts
            if host_plan.role == "primary" and host_plan.cluster == standby.cluster
        ):
            if not standby.cluster:
                continue
            for less, more in zip(standby.bound, primary.bound, strict=True):
                if place[standby.host] > place[primary.host]:
                    assert less.before >= more.after or more.after <= more.before
                else:
                    assert less.after >= more.before or less.after >= less.before
