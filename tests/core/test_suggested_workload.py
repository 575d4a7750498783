"""The statistics of a server speak for a kind of workload, or for none."""

import dataclasses

import pytest

from tunewiz.core.answers.suggested_workload import NoSuggestion, Suggestion, suggested
from tunewiz.core.facts.server import Activity, PostgresServer
from tunewiz.core.facts.trusted_counters import with_trusted_counters
from tunewiz.core.recommendation.example_facts import facts_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Fact, Known, Unknown
from watched import counters

MANY = 1_000_000


def server(commits: Fact[int], reads: float, writes: float) -> PostgresServer:
    number = commits.value if isinstance(commits, Known) else 0
    names = [field.name for field in dataclasses.fields(Activity)]
    facts: dict[str, object] = dict.fromkeys(names, Unknown("not part of the test"))
    facts["commits"] = commits
    facts["rows_read"] = Known(int(number * reads), "test")
    facts["rows_written"] = Known(int(number * writes), "test")
    plain = facts_of(Given(), {}).postgres[0]
    return dataclasses.replace(plain, activity=Known(Activity(**facts), "test"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reads", "writes", "kind"),
    [
        (20, 3, "oltp"),
        (0, 50, "oltp"),
        (20, 0.01, "read_mostly"),
        (5_000, 3, "mixed"),
        (5_000, 0, "mixed"),
        (500_000, 0, "analytics"),
    ],
)
def test_rows_for_each_transaction_tell_the_workload(reads: float, writes: float, kind: str) -> None:
    said = suggested(server(Known(MANY, "test"), reads, writes))
    assert isinstance(said, Suggestion)
    assert said.kind == kind
    assert "1.0 million commits" in said.because


def test_few_transactions_say_nothing() -> None:
    said = suggested(server(Known(12, "test"), 20, 3))
    assert said == NoSuggestion(why="only 12 transactions since the statistics were reset")


def test_statistics_that_are_not_known_say_nothing_but_why() -> None:
    said = suggested(server(Unknown("permission denied"), 20, 3))
    assert said == NoSuggestion(why="permission denied")


@pytest.mark.parametrize(
    ("seconds", "age"), [(19, "less than an hour"), (3_600, "1 hour"), (86_000, "23 hours")]
)
def test_statistics_that_were_reset_a_moment_ago_say_how_old_they_are(seconds: int, age: str) -> None:
    fresh = server(Known(MANY, "test"), 20, 3)
    assert isinstance(fresh.activity, Known)
    activity = dataclasses.replace(fresh.activity.value, counters=counters(seconds=seconds))
    said = suggested(with_trusted_counters(dataclasses.replace(fresh, activity=Known(activity, "test"))))
    assert said == NoSuggestion(why=f"the statistics were reset {age} ago: a day of counting is needed")


def test_a_server_that_was_not_asked_says_why() -> None:
    assert suggested(facts_of(Given(), {}).postgres[0]) == NoSuggestion(why="not part of the example")
