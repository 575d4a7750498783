"""Hosts with the same decisions are one group; what differs, drifted or is apart is named."""

import json
import random

from hypothesis import given
from hypothesis import strategies as st

from small_fleets import decision, host
from tunewiz.core.fleet.clusters import Order
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import drift_in, grouped, outliers
from tunewiz.formats.fleet import fleet_json

BUFFERS = decision("shared_buffers")
JIT_OFF, JIT_ON = decision("jit", "off"), decision("jit", "on")


def test_sizes_differ_within_a_group() -> None:
    (group,) = grouped([host("b", (BUFFERS,), ("8GB",)), host("a", (BUFFERS,), ("2GB",))])
    assert [host_plan.host for host_plan in group.hosts] == ["a", "b"]
    assert group.differs == {BUFFERS: ("2GB", "8GB")}
    assert group.values(BUFFERS) == ("2GB", "8GB")


def test_a_value_that_all_have_does_not_differ() -> None:
    (group,) = grouped([host("a", (JIT_OFF,)), host("b", (JIT_OFF,))])
    assert group.differs == {}
    assert group.values(JIT_OFF) == ("off",)


def test_what_hosts_have_today_is_known_without_repetitions() -> None:
    (group,) = grouped(
        [host(name, (JIT_OFF,), now={"jit": "on" if name != "c" else "off"}) for name in ("a", "b", "c")]
    )
    assert group.today(JIT_OFF) == ("on", "off")


def test_todays_value_in_groups_json_is_by_host_where_it_differs() -> None:
    groups = grouped(
        host(name, (JIT_OFF, BUFFERS), ("off", "2GB"), now={"jit": "on", "shared_buffers": size})
        for name, size in (("a", "1GB"), ("b", "128MB"))
    )
    order = Order(before={}, cluster={})
    text = fleet_json(Fleet(groups=groups, failed=(), waves=(), order=order, unused=()))
    (group,) = json.loads(text)["groups"]
    assert [entry["today"] for entry in group["decisions"]] == ["on", None]
    assert group["today"] == {"pg.shared_buffers": {"a": "1GB", "b": "128MB"}}
    assert [entry["value"] for entry in group["decisions"]] == ["off", "2GB"]


def test_other_words_other_decisions_and_other_majors_make_groups() -> None:
    hosts = [
        host("a", (JIT_OFF,)),
        host("b", (JIT_ON,)),
        host("c", (decision("jit", "off", decided="accepted"),)),
        host("d", (decision("jit", "off", state="advise"),)),
        host("e", (JIT_OFF, BUFFERS), ("off", "2GB")),
        host("f", ()),
        host("g", (JIT_OFF,), major="16"),
    ]
    assert len(grouped(hosts)) == len(hosts)
    assert [host_group.name for host_group in grouped(hosts)][-1] == "pg16-1"


@given(
    drawn=st.lists(st.tuples(st.sampled_from([JIT_OFF, JIT_ON, BUFFERS]), st.booleans()), max_size=30),
    seed=st.integers(0, 5),
)
def test_every_host_is_in_one_group_whatever_the_order(drawn: list[tuple[object, bool]], seed: int) -> None:
    hosts = [
        host(f"h{place:02}", (JIT_OFF if on else BUFFERS,), ("off" if on else f"{place}GB",))
        for place, (_, on) in enumerate(drawn)
    ]
    shuffled = random.Random(seed).sample(hosts, len(hosts))  # noqa: S311 - an order
    groups = grouped(shuffled)
    assert groups == grouped(hosts)
    assert sorted(host_plan.host for group in groups for host_plan in group.hosts) == [
        host_plan.host for host_plan in hosts
    ]
    for group in groups:
        assert len({host_plan.decisions for host_plan in group.hosts}) == 1


def test_a_value_that_most_hosts_do_not_have_is_drift() -> None:
    usual = [
        host(f"h{number}", (JIT_OFF,), now={"work_mem": "4MB", "port": str(number)}) for number in range(4)
    ]
    odd = host("odd", (JIT_OFF,), now={"work_mem": "64MB", "port": "9"})
    (group,) = grouped([*usual, odd])
    (drift,) = drift_in(group)
    assert (drift.host, drift.name, drift.found, drift.most) == ("odd", "work_mem", "64MB", "4MB")
    assert float(drift.share) == 0.8


def test_without_a_majority_nobody_drifted() -> None:
    (group,) = grouped([host(f"h{number}", now={"work_mem": f"{number % 2}MB"}) for number in range(6)])
    assert not list(drift_in(group))


def test_of_two_hosts_neither_drifted() -> None:
    (group,) = grouped([host("a", now={"jit": "on"}), host("b", now={"jit": "off"})])
    assert not list(drift_in(group))


def test_a_small_group_is_apart_from_the_large_one_that_it_is_most_like() -> None:
    hosts = [host(f"a{number:02}", (JIT_OFF, BUFFERS), ("off", "2GB")) for number in range(30)]
    hosts += [host(f"b{number:02}", (BUFFERS,), ("2GB",)) for number in range(30)]
    groups = grouped([*hosts, host("odd", (JIT_ON, BUFFERS), ("on", "2GB"))])
    (name,) = outliers(groups)
    apart = outliers(groups)[name]
    assert [host_group.hosts[0].host for host_group in groups if host_group.name == name] == ["odd"]
    assert len(apart.differences) == 1
    assert apart.differences[0].startswith("jit: on, there ")


def test_two_groups_of_the_same_size_are_no_outliers() -> None:
    assert not outliers(grouped([host("a", (JIT_OFF,)), host("b", (JIT_ON,))]))
