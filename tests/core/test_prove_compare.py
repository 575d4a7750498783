"""Windows of a live server before and after: what is compared, what is concluded, and what is refused."""

import dataclasses
import itertools
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.comparison.live import NotCompared, compare_live
from tunewiz.core.comparison.sightings import NamedFacts
from tunewiz.core.facts.server import Setting
from tunewiz.core.proof.observed import observed_verdict
from tunewiz.core.proof.proof import ClaimVerdict, Proof, QueryResult
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.units import Bytes
from tunewiz.core.words.proof import proof_lines
from tunewiz.formats.proof import proof_from_json, proof_json
from watched import activity
from watched_windows import DAY, TENS, TUESDAY, WEEK, days, on_server, statements, watched

CALLS, MEANS = st.integers(1, 10**6), st.floats(0.001, 10_000)
QUERIES = st.dictionaries(st.sampled_from("abcdefgh"), st.tuples(CALLS, MEANS), min_size=1)


AFTER = watched("b.json", TUESDAY + WEEK)


def compared(before: list[NamedFacts], after: list[NamedFacts]) -> Proof:
    result = compare_live(before, after)
    assert isinstance(result, Proof), result
    return result


def refused(before: list[NamedFacts], after: list[NamedFacts]) -> str:
    result = compare_live(before, after)
    assert isinstance(result, NotCompared)
    return "\n".join(result.reasons)


def query(proof: Proof, name: str) -> QueryResult:
    (query_result,) = (entry for entry in proof.queries if entry.query_id == name)
    return query_result


def week(
    queries: dict[str, tuple[int, float]], *, began: int, noise: bool = True, side: str = "w"
) -> list[NamedFacts]:
    """Seven days of the same queries; each day all of them are a little faster or slower."""
    return [
        watched(
            f"{side}{day}.json",
            began + day * DAY,
            statements(
                {
                    name: (calls, mean * (1 + (day - 3) / 300 * noise))
                    for name, (calls, mean) in queries.items()
                }
            ),
        )
        for day in range(7)
    ]


def scaled(queries: dict[str, tuple[int, float]], factor: float) -> dict[str, tuple[int, float]]:
    return {name: (calls, factor * mean) for name, (calls, mean) in queries.items()}


def claim_of(factor: float) -> ClaimVerdict:
    """What a week of all queries that many times as long says."""
    proof = compared(week(TENS, began=TUESDAY), week(scaled(TENS, factor), began=TUESDAY + WEEK))
    assert proof.verdict == "observed"
    return observed_verdict(proof)


@given(QUERIES)
def test_windows_with_the_same_work_have_the_ratio_1(queries: dict[str, tuple[int, float]]) -> None:
    observation = statements(queries)
    proof = compared([watched("a", seen=observation)], [watched("b", TUESDAY + WEEK, observation)])
    for result in proof.metrics.values():
        assert isclose(result.low, 1)
        assert isclose(result.ratio, 1)
        assert isclose(result.high, 1)
    assert {query_result.ratio for query_result in proof.queries} == {1}
    assert isclose(proof.workload.share or 0, 1)


@given(QUERIES, st.floats(0.01, 100))
def test_queries_that_all_take_so_many_times_as_long_give_that_ratio_with_either_weighting(
    queries: dict[str, tuple[int, float]], factor: float
) -> None:
    after = statements(scaled(queries, factor))
    proof = compared([watched("a", seen=statements(queries))], [watched("b", TUESDAY + WEEK, after)])
    for result in proof.metrics.values():
        assert isclose(result.ratio, factor, rel_tol=1e-2)


@given(QUERIES, st.data())
def test_another_mix_of_the_same_queries_is_no_change_of_speed(
    queries: dict[str, tuple[int, float]], data: st.DataObject
) -> None:
    other = {name: (data.draw(CALLS), mean) for name, (_, mean) in queries.items()}
    proof = compared(
        [watched("a", seen=statements(queries))], [watched("b", TUESDAY + WEEK, statements(other))]
    )
    for result in proof.metrics.values():
        assert isclose(result.ratio, 1)


@given(QUERIES, QUERIES)
def test_each_index_lies_between_the_fastest_and_the_slowest_query(
    one: dict[str, tuple[int, float]], other: dict[str, tuple[int, float]]
) -> None:
    outcome = compare_live(
        [watched("a", seen=statements(one))], [watched("b", TUESDAY + WEEK, statements(other))]
    )
    if isinstance(outcome, NotCompared):
        assert not one.keys() & other.keys()
        return
    ratios = [query_result.ratio for query_result in outcome.queries if query_result.ratio is not None]
    for result in outcome.metrics.values():
        assert min(ratios) * 0.999 <= result.ratio <= max(ratios) * 1.001
    assert proof_from_json(proof_json(outcome), "proof.json") == outcome


@pytest.mark.parametrize(("factor", "verdict"), [(0.8, "helped"), (1.25, "hurt"), (1.01, "same")])
def test_a_week_on_each_side_is_concluded_from(factor: float, verdict: ClaimVerdict) -> None:
    assert claim_of(factor) == verdict


def test_days_that_differ_as_much_as_the_sides_say_nothing() -> None:
    wild = itertools.chain.from_iterable(
        [watched(f"{day}", TUESDAY + WEEK + day * DAY, statements(scaled(TENS, 3 if day % 2 else 0.5)))]
        for day in range(7)
    )
    proof = compared(week(TENS, began=TUESDAY), list(wild))
    assert observed_verdict(proof) == "undecided"
    result = proof.metrics["query_time"]
    assert result.low < 1 < result.high


def test_one_window_on_each_side_is_a_single_observation_without_an_interval() -> None:
    proof = compared([watched("a")], [watched("b", TUESDAY + WEEK, statements(scaled(TENS, 3)))])
    assert observed_verdict(proof) == "undecided"
    said = "\n".join(proof_lines(proof))
    assert "3.00 (a single observation)  undecided" in said
    assert "A single observation on each side" in said
    assert "%:" not in said


@pytest.mark.parametrize("count", [2, 6])
def test_fewer_than_seven_days_are_shown_with_an_interval_and_nothing_is_concluded(count: int) -> None:
    proof = compared(days("a", count), days("b", count, statements(scaled(TENS, 3)), began=TUESDAY + WEEK))
    assert len(proof.pairs) == count
    assert observed_verdict(proof) == "undecided"
    assert proof.metrics["query_time"].level == 0.95
    assert f"Found {count} days on each side, expected 7" in "\n".join(proof.cannot_tell)


def test_windows_of_one_day_are_one_observation() -> None:
    hours = [watched(f"a{hour}", TUESDAY + 3_600 * hour) for hour in range(8)]
    later = [watched(f"b{hour}", TUESDAY + WEEK + 3_600 * hour) for hour in range(8)]
    proof = compared(hours, later)
    assert len(proof.pairs) == 1
    assert query(proof, "q1").calls_before == 8 * 1000


def test_a_query_that_became_slower_and_one_that_became_faster_are_named() -> None:
    after = statements({"q1": (1000, 40.0), "q2": (200, 5.0)})
    proof = compared([watched("a")], [watched("b", TUESDAY + WEEK, after)])
    assert isclose(query(proof, "q1").ratio or 0, 4)
    assert isclose(query(proof, "q2").ratio or 0, 0.1)
    slower, faster = "\n".join(proof_lines(proof)).split("Slower")[1].split("Faster")
    assert ("select q1" in slower, "select q2" in slower) == (True, False)
    assert ("select q1" in faster, "select q2" in faster) == (False, True)


def test_queries_within_a_tenth_are_named_neither_slower_nor_faster() -> None:
    proof = compared([watched("a")], [watched("b", TUESDAY + WEEK, statements(scaled(TENS, 1.05)))])
    said = "\n".join(proof_lines(proof))
    assert "Slower" not in said
    assert "Faster" not in said


def test_new_and_gone_queries_are_named_and_change_the_mix() -> None:
    after = statements({"q1": (1000, 10.0), "q3": (200, 50.0)})
    proof = compared(days("a", 7), days("b", 7, after, began=TUESDAY + WEEK))
    assert (query(proof, "q2").calls_after, query(proof, "q2").ratio) == (0, None)
    assert (query(proof, "q3").calls_before, query(proof, "q3").ratio) == (0, None)
    said = "\n".join(proof_lines(proof))
    assert "select q3" in said.split("New")[1].split("Gone")[0]
    assert "select q2" in said.split("Gone")[1]
    assert "The mix of queries changed" in said
    assert isclose(proof.workload.share or 0, 0.5)
    assert observed_verdict(proof) == "undecided"


def test_the_time_of_statements_that_are_not_listed_counts_for_the_mix() -> None:
    proof = compared(days("a", 7, statements(elsewhere=60_000)), days("b", 7, began=TUESDAY + WEEK))
    assert "The mix of queries changed" in "\n".join(proof.cannot_tell)


def test_weightings_that_disagree_conclude_nothing() -> None:
    before = {"q1": (1000, 10.0), "q2": (10, 10.0)}
    after = {"q1": (10, 5.0), "q2": (1000, 20.0)}
    proof = compared(week(before, began=TUESDAY, noise=False), week(after, began=TUESDAY + WEEK, noise=False))
    assert proof.metrics["query_time"].ratio < 0.6
    assert proof.metrics["query_time_reverse"].ratio > 1.9
    assert observed_verdict(proof) == "undecided"
    assert "depends on the mix of queries" in "\n".join(proof.cannot_tell)


def test_a_query_that_returns_more_rows_is_not_in_the_basket() -> None:
    after = statements({"q1": (1000, 10.0), "q2": (200, 500.0)}, rows={"q2": 1.2})
    proof = compared([watched("a")], [watched("b", TUESDAY + WEEK, after)])
    assert isclose(proof.metrics["query_time"].ratio, 1)
    assert [omission.what for omission in proof.left_out] == ["select q2"]


def test_a_query_that_returns_almost_as_many_rows_is() -> None:
    after = statements(rows={"q1": 1.05, "q2": 0.99})
    proof = compared([watched("a")], [watched("b", TUESDAY + WEEK, after)])
    assert not proof.left_out


def test_discarded_entries_conclude_nothing() -> None:
    proof = compared(days("a", 7), days("b", 7, statements(evicted=3), began=TUESDAY + WEEK))
    assert observed_verdict(proof) == "undecided"
    assert "pg_stat_statements.max" in "\n".join(proof.cannot_tell)


def changed_server(named: NamedFacts, **fields: object) -> NamedFacts:
    (server,) = named.facts.postgres
    server = dataclasses.replace(server, **fields)  # type: ignore[arg-type]
    return NamedFacts(file=named.file, facts=dataclasses.replace(named.facts, postgres=(server,)))


def told_beside(after: NamedFacts) -> str:
    return "\n".join(compared([watched("a")], [after]).cannot_tell)


@pytest.mark.parametrize(("seconds", "is_told"), [(300, False), (3_600, False), (3_601, True)])
def test_windows_shorter_than_a_checkpoint_interval_say_so(seconds: int, *, is_told: bool) -> None:
    setting = Setting(value=str(seconds), unit="s")
    after = changed_server(AFTER, settings=Known({"checkpoint_timeout": setting}, "test"))
    assert ("shorter than checkpoint_timeout (" in told_beside(after)) is is_told


@pytest.mark.parametrize("setting", [Setting(value="3601", unit="moons"), Setting(value="often", unit="s")])
def test_a_checkpoint_interval_that_cannot_be_read_says_nothing(setting: Setting) -> None:
    after = changed_server(AFTER, settings=Known({"checkpoint_timeout": setting}, "test"))
    assert "checkpoint_timeout" not in told_beside(after)


def test_another_release_and_only_another_is_told() -> None:
    (server,) = AFTER.facts.postgres
    assert isinstance(server.release, Known)
    assert "release" not in told_beside(AFTER)
    said = told_beside(changed_server(AFTER, version=Known("15.99 (Debian)", "test")))
    assert f"{server.release.value} before, 15.99 after" in said


@pytest.mark.parametrize(("size", "words"), [(100, ""), (105, ""), (150, "1.50"), (50, "0.50"), (0, "0.00")])
def test_databases_that_grew_or_shrank_are_told(size: int, words: str) -> None:
    def of(named: NamedFacts, size: int) -> NamedFacts:
        counted = dataclasses.replace(activity().value, databases_size=Known(Bytes(size), "test"))
        return changed_server(named, activity=Known(counted, "test"))

    said = "\n".join(compared([of(watched("a"), 100)], [of(AFTER, size)]).cannot_tell)
    assert ("times as large as before" in said) is bool(words)
    assert words in said


def test_settings_that_differ_are_what_was_compared() -> None:
    proof = compared([watched("a")], [watched("b", TUESDAY + WEEK, settings={"work_mem": "64MB"})])
    (change,) = proof.bundle.changes
    assert (change.id, change.before, change.value) == ("pg.work_mem", "4MB", "64MB")


def test_without_a_changed_setting_that_is_said() -> None:
    proof = compared([watched("a")], [watched("b", TUESDAY + WEEK)])
    assert "No setting differs" in "\n".join(proof.cannot_tell)


def test_windows_without_a_counterpart_are_left_out_by_name() -> None:
    night = watched("night.json", TUESDAY + 12 * 3_600)
    proof = compared([watched("a"), night], [watched("b", TUESDAY + WEEK)])
    assert [omission.what for omission in proof.left_out] == ["night.json"]


NOT_WATCHED = on_server("b.json", Unknown("the server was not watched at work"))
COLD = watched("b.json", TUESDAY + WEEK, server_started=Known("2026-11-10T13:30:00Z", "test"))
RESTARTED = watched("b.json", TUESDAY + WEEK, server_started=Known("2026-11-10T14:30:00Z", "test"))
RESET = watched("b.json", TUESDAY + WEEK, statements=Unknown("pg_stat_statements was reset"))
OLD_FILE = watched("b.json", TUESDAY + WEEK, began=Unknown("not stated in the facts"))


def other_server() -> NamedFacts:
    (server,) = AFTER.facts.postgres
    other = dataclasses.replace(server, system_identifier=Known("1", "test"))
    return NamedFacts(file="b.json", facts=dataclasses.replace(AFTER.facts, postgres=(other,)))


def standby() -> NamedFacts:
    (server,) = AFTER.facts.postgres
    other = dataclasses.replace(server, role=Known("standby", "test"))
    return NamedFacts(file="b.json", facts=dataclasses.replace(AFTER.facts, postgres=(other,)))


@pytest.mark.parametrize(
    ("after", "parts"),
    [
        ([other_server()], ("system identifier: found 1 in b.json", "compare windows of the same server")),
        (
            [watched("b.json", TUESDAY + WEEK, major="16")],
            ("major version: found 16 in b.json, expected 15",),
        ),
        ([watched("b.json", TUESDAY + WEEK, host="db2")], ("machine: found db2 in b.json, expected db1",)),
        ([standby()], ("role: found standby in b.json",)),
        ([NOT_WATCHED], ("b.json: no window: the server was not watched", "AFTER: found no usable window")),
        ([COLD], ("b.json: the server was started only 30 min before, expected an hour",)),
        ([RESTARTED], ("b.json: the server was restarted during the window",)),
        ([RESET], ("b.json: the work of each statement is unknown: pg_stat_statements was reset",)),
        ([OLD_FILE], ("b.json: when the window began is unknown",)),
        (
            [AFTER, watched("c.json", TUESDAY + WEEK + DAY, settings={"work_mem": "64MB"})],
            ("AFTER: found work_mem in c.json to differ from b.json",),
        ),
        (
            [watched("b.json", TUESDAY + WEEK + 3 * 3_600)],
            ("hours: found Tue 2026-11-03 14:00 UTC", "Tue 2026-11-10 17:00 UTC"),
        ),
        ([watched("b.json", TUESDAY + WEEK + DAY)], ("Wed 2026-11-11 14:00 UTC",)),
        ([watched("b.json", TUESDAY + 60)], ("time: found b.json of AFTER",)),
        ([watched("b.json", TUESDAY - WEEK)], ("time: found b.json of AFTER", "the earlier windows first")),
        (
            [watched("b.json", TUESDAY + WEEK, statements({"q9": (5, 1.0)}))],
            ("queries: found none that ran on both sides",),
        ),
    ],
)
def test_what_does_not_compare_is_refused_with_what_was_found_and_what_to_do(
    after: list[NamedFacts], parts: tuple[str, ...]
) -> None:
    said = refused([watched("a.json")], after)
    for part in parts:
        assert part in said
    for sentence in said.splitlines():
        assert not sentence.endswith(".")


def test_other_counting_is_refused() -> None:
    said = refused([counting("a", TUESDAY, "top")], [counting("b", TUESDAY + WEEK, "all")])
    assert "pg_stat_statements.track: found all in b, expected top as in a" in said


def counting(file: str, began: int, value: str) -> NamedFacts:
    named = watched(file, began)
    (server,) = named.facts.postgres
    assert isinstance(server.settings, Known)
    some = next(iter(server.settings.value.values()))
    setting = dataclasses.replace(some, value=value, unit=None)
    settings = {**server.settings.value, "pg_stat_statements.track": setting}
    changed = dataclasses.replace(server, settings=Known(settings, "test"))
    return NamedFacts(file=file, facts=dataclasses.replace(named.facts, postgres=(changed,)))


def test_the_same_counting_and_one_that_only_a_side_tells_are_not_refused() -> None:
    first, second = counting("a", TUESDAY, "all"), counting("b", TUESDAY + WEEK, "all")
    for before, after in ((first, second), (first, AFTER), (watched("a"), second)):
        assert compared([before], [after]).kind == "compare"


def test_machines_are_told_apart_by_identity_even_under_one_name() -> None:
    def of(identity: str, named: NamedFacts) -> NamedFacts:
        host = dataclasses.replace(named.facts.host, identity=Known(identity, "test"))
        return NamedFacts(file=named.file, facts=dataclasses.replace(named.facts, host=host))

    said = refused([of("one", watched("a.json"))], [of("two", AFTER)])
    assert "machine: found two in b.json, expected one as in a.json" in said


def test_how_many_settings_changed_within_a_side_is_told() -> None:
    other = watched("c.json", TUESDAY + WEEK + DAY, settings={"work_mem": "64MB", "jit": "off"})
    assert " and 1 more in c.json to differ from b.json" in refused([watched("a.json")], [AFTER, other])


def test_a_damaged_window_beside_good_ones_is_left_out_by_name() -> None:
    bad = watched("bad.json", TUESDAY + DAY, statements=Unknown("the connection was lost: gone"))
    proof = compared([watched("a"), bad], [watched("b", TUESDAY + WEEK)])
    (left,) = proof.left_out
    assert (left.what, "the connection was lost" in left.why) == ("bad.json", True)


def test_another_server_on_the_host_is_passed_over() -> None:
    first = watched("a")
    (server,) = first.facts.postgres
    beside = dataclasses.replace(
        server, system_identifier=Known("2", "test"), window=Unknown("it was not watched")
    )
    both = NamedFacts(file="a", facts=dataclasses.replace(first.facts, postgres=(beside, server)))
    assert compared([both], [AFTER]).server.system_identifier != "2"


def test_what_is_not_a_time_is_an_error_of_the_file() -> None:
    with pytest.raises(InputError, match="found the time 'soon', expected one such as"):
        compare_live([watched("a.json", began=Known("soon", "test"))], [AFTER])
