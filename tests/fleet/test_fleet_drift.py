"""Facts collected again and again: what changed where, against last time, the plan and the rules."""

import gzip
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reported_fleets import fleet_from
from small_fleets import decision, host
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.history import (
    FIRST,
    Collection,
    CollectionHead,
    HostValueChange,
    SinceLast,
    counts_of,
    since_last,
    states_of,
)
from tunewiz.core.fleet.hosts import FailedHost, HostPlan
from tunewiz.core.fleet.metrics import metrics_of
from tunewiz.core.fleet.sections import drift_sections, drift_title
from tunewiz.core.values.errors import InputError
from tunewiz.fleet.dashboard import dashboard_text
from tunewiz.fleet.history import compared_and_recorded, history_files
from tunewiz.formats.fleet_history import collection_from_lines, collection_lines

MONDAY = datetime(2026, 11, 30, 6, tzinfo=UTC)
NAMES = ("work_mem", "jit", "fsync")


def having(name: str, values: Mapping[str, str], planned: Mapping[str, str] | None = None) -> HostPlan:
    """A host with these values in force, and what its plan makes of them."""
    decisions = tuple(decision(setting, value) for setting, value in (planned or {}).items())
    return replace(host(name, decisions, now=values), digest=f"{name}{values}")


def collection(*plans: HostPlan, failed: tuple[str, ...] = ()) -> Collection:
    fleet = fleet_from(*plans)
    head = CollectionHead(number=1, at=int(MONDAY.timestamp()), counts=counts_of(fleet, FIRST))
    return Collection(head=head, hosts=states_of(fleet), failed=failed)


@pytest.mark.parametrize(
    ("planned_before", "planned", "expected", "drifted"),
    [
        ({}, {"work_mem": "4MB"}, "off plan", True),
        ({"work_mem": "4MB"}, {"work_mem": "4MB"}, "still off plan", True),
        ({"work_mem": "4MB"}, {}, "as planned", False),
        ({}, {}, "not planned", True),
    ],
)
def test_a_value_that_changed_is_told_with_what_the_plan_says_of_it(
    planned_before: dict[str, str], planned: dict[str, str], expected: str, *, drifted: bool
) -> None:
    last = collection(having("db1", {"work_mem": "4MB"}, planned_before))
    since = since_last(last, fleet_from(having("db1", {"work_mem": "8MB"}, planned)))
    (change,) = since.changed
    assert (change.name, change.before, change.after) == ("work_mem", "4MB", "8MB")
    assert change.against_plan == expected
    assert since.is_drift is drifted


def test_nothing_changed_is_no_drift() -> None:
    plans = having("db1", {"work_mem": "4MB"}, {"work_mem": "8MB"}), having("db2", {"jit": "on"})
    assert since_last(collection(*plans), fleet_from(*plans)) == SinceLast(last=(collection(*plans).head,))


def test_a_plan_that_changed_by_itself_is_no_drift_and_is_told() -> None:
    last = collection(having("db1", {"work_mem": "4MB"}))
    since = since_last(last, fleet_from(having("db1", {"work_mem": "4MB"}, {"work_mem": "8MB"})))
    assert not since.is_drift
    (change,) = since.replanned
    assert (change.value, change.planned_before, change.planned) == ("4MB", "", "8MB")


def test_values_of_a_server_that_is_stopped_have_not_changed() -> None:
    last = collection(having("db1", {"work_mem": "4MB", "jit": "on"}))
    since = since_last(last, fleet_from(having("db1", {"jit": "on"})))
    assert since.changed == ()
    assert [(unread.host, unread.names) for unread in since.unread] == [("db1", ("work_mem",))]


def test_hosts_that_come_go_and_fail_are_told_apart() -> None:
    last = collection(*(having(name, {}) for name in ("stays", "goes", "fails")), failed=("failed",))
    fleet = replace(
        fleet_from(having("stays", {}), having("comes", {}), having("failed", {})),
        failed=(FailedHost(host="fails", source="fails.json", why="cut"),),
    )
    since = since_last(last, fleet)
    assert (since.new, since.gone, since.lost) == (("comes",), ("goes",), ("fails",))
    assert since.is_drift


def test_a_rule_that_a_value_begins_and_ceases_to_break_is_told() -> None:
    kept, broken = having("db1", {}), replace(having("db1", {}), against=(("jit off", "on"),))
    begins = since_last(collection(kept), fleet_from(broken))
    ceases = since_last(collection(broken), fleet_from(kept))
    assert ([change.rule for change in begins.newly_broken], begins.mended) == (["jit off"], ())
    assert ([change.rule for change in ceases.mended], ceases.newly_broken) == (["jit off"], ())
    assert (begins.is_drift, ceases.is_drift) == (True, False)


VALUES = st.dictionaries(st.sampled_from(NAMES), st.sampled_from("123"))


@given(before=VALUES, after=VALUES)
def test_every_value_that_differs_is_told_once(before: dict[str, str], after: dict[str, str]) -> None:
    since = since_last(collection(having("db1", before)), fleet_from(having("db1", after)))
    both = {*before} & {*after}
    assert {change.name for change in since.changed} == {name for name in both if before[name] != after[name]}
    assert {name for unread in since.unread for name in unread.names} == {*before} - {*after}
    assert len({change.name for change in since.changed}) == len(since.changed)


@given(st.lists(VALUES, max_size=5), st.text(min_size=1))
def test_a_collection_is_read_back_as_it_was(values: list[dict[str, str]], word: str) -> None:
    plans = [having(f"db{number}", found | {"x": word}) for number, found in enumerate(values)]
    made = collection(*plans, failed=("db9",))
    assert collection_from_lines(iter([*collection_lines(made)]), "x") == made


def record(fleet: Fleet, directory: Path, day: int, kept: int = 3) -> SinceLast:
    return compared_and_recorded(fleet, directory, kept, MONDAY + timedelta(days=day))


def test_collections_are_kept_one_file_each_and_the_oldest_go(tmp_path: Path) -> None:
    history = tmp_path / "history"
    *_, since = [
        record(fleet_from(having("db1", {"work_mem": f"{day}MB"})), history, day) for day in range(5)
    ]
    assert [path.name for path in sorted(history.iterdir())] == [
        "000003-20261202T060000Z.jsonl.gz",
        "000004-20261203T060000Z.jsonl.gz",
        "000005-20261204T060000Z.jsonl.gz",
    ]
    assert [(change.before, change.after) for change in since.changed] == [("3MB", "4MB")]
    assert [head.number for head in since.trend] == [3, 4, 5]
    assert [head.counts.changed for head in since.trend] == [1, 1, 1]


def test_the_same_facts_twice_are_one_collection_with_one_answer(tmp_path: Path) -> None:
    record(fleet_from(having("db1", {"work_mem": "4MB"})), tmp_path, 0)
    changed = fleet_from(having("db1", {"work_mem": "8MB"}))
    once = record(changed, tmp_path, 1)
    assert record(changed, tmp_path, 2) == once
    assert len(history_files(tmp_path)) == 2


def test_a_clock_that_was_set_back_confuses_nothing(tmp_path: Path) -> None:
    record(fleet_from(having("db1", {"work_mem": "4MB"})), tmp_path, 5)
    record(fleet_from(having("db1", {"work_mem": "6MB"})), tmp_path, 1)
    since = record(fleet_from(having("db1", {"work_mem": "8MB"})), tmp_path, 2)
    assert [change.before for change in since.changed] == ["6MB"]


def test_the_first_collection_is_compared_with_nothing(tmp_path: Path) -> None:
    since = record(fleet_from(having("db1", {"work_mem": "4MB"})), tmp_path / "new" / "history", 0)
    assert not since.is_drift
    assert drift_title(since) == "The first collection: nothing to compare with yet"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1: not valid JSON"),
        (b"no gzip", "cannot be read: Not a gzipped file"),
        (gzip.compress(b"{}\n"), "line 1: schema: "),
        (gzip.compress(b"[" * 100_000 + b"\n"), "line 1: not valid JSON"),
        (gzip.compress(b"x" * (1 << 21)), "found a line of more than"),
        (gzip.compress("\u00e9\n".encode()), "cannot be read"),
        (gzip.compress(b"x" * 5000)[:-9], "cannot be read"),
    ],
    ids=("empty", "text", "other JSON", "deep", "long line", "not ASCII", "cut"),
)
def test_a_collection_that_is_broken_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "000001-20261130T060000Z.jsonl.gz").write_bytes(content)
    with pytest.raises(InputError, match=re.escape(message)) as raised:
        record(fleet_from(having("db1", {})), tmp_path, 0)
    assert "000001-20261130T060000Z.jsonl.gz" in raised.value.message


def test_a_collection_that_lacks_hosts_is_named(tmp_path: Path) -> None:
    lines = [*collection_lines(collection(having("db1", {}), having("db2", {})))]
    (tmp_path / "000001-20261130T060000Z.jsonl.gz").write_bytes(gzip.compress("".join(lines[:-1]).encode()))
    with pytest.raises(InputError, match="found 1 hosts, expected 2: it was cut off"):
        record(fleet_from(having("db1", {})), tmp_path, 0)


def test_a_directory_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("x")
    with pytest.raises(InputError, match=r"found precious\.txt, expected only collections"):
        record(fleet_from(having("db1", {})), tmp_path, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["precious.txt"]


def test_what_drifted_comes_before_what_was_applied() -> None:
    changes = [
        HostValueChange(host="a", name="jit", before="on", after="off", against_plan="as planned"),
        HostValueChange(host="b", name="fsync", before="on", after="off", against_plan="off plan"),
    ]
    since = SinceLast(changed=tuple(changes))
    (section,) = drift_sections(fleet_from(), since)
    assert [row[0] for row in section.rows] == ["b", "a"]


def test_the_dashboard_asks_only_for_metrics_that_are_written(tmp_path: Path) -> None:
    since = record(fleet_from(having("db1", {})), tmp_path, 0)
    written = {metric.name for metric in metrics_of(fleet_from(having("db1", {})), since, ())}
    of_hosts = (Path(__file__).parents[2] / "tunewiz/fleet/ansible/metrics.sh").read_text()
    written |= {*re.findall(r"# TYPE (\w+) gauge", of_hosts)}
    document = json.loads(dashboard_text())
    queried = {
        name
        for panel in document["panels"]
        for target in panel["targets"]
        for name in re.findall(r"tunewiz_\w+", target["expr"])
    }
    assert queried <= written
    assert {name for name in written if name.startswith("tunewiz_fleet_")} <= queried


def test_the_panels_of_the_dashboard_lie_side_by_side() -> None:
    document = json.loads(dashboard_text())
    cells = [
        (position["x"] + column, position["y"] + row)
        for panel in document["panels"]
        for position in [panel["gridPos"]]
        for column in range(position["w"])
        for row in range(position["h"])
    ]
    assert len({*cells}) == len(cells)
    assert max(column for column, _ in cells) < 24
    assert len({panel["id"] for panel in document["panels"]}) == len(document["panels"])
    sources = {panel["datasource"]["uid"] for panel in document["panels"]}
    assert sources == {"${datasource}"}
    assert [variable["name"] for variable in document["templating"]["list"]] == ["datasource"]
