"""A setting that came with a minor release is not there before it."""

import dataclasses

import pytest

from situations import situation
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known
from tunewiz.core.values.minor_releases import why_not_yet
from tunewiz.knowledge.loading import load_knowledge


def judged(release: str) -> Finding:
    result = situation(Given(major=release.rpartition(".")[0]))
    assert isinstance(result.server, PostgresServer)
    server = dataclasses.replace(result.server, version=Known(release, "test"))
    made = plan_of(load_knowledge().catalogue, dataclasses.replace(result, server=server))
    (finding,) = (finding for finding in made.findings if finding.recommendation.id == "pg.data_sync_retry")
    return finding


@pytest.mark.parametrize("release", ["9.5.3", "9.5.15", "9.6.11", "10.6", "11.1", "9.5.7 (Ubuntu 9.5.7-0)"])
def test_an_older_release_has_no_such_setting(release: str) -> None:
    assert why_not_yet("data_sync_retry", release).startswith("data_sync_retry first appeared in PostgreSQL ")
    assert not why_not_yet("work_mem", release)


@pytest.mark.parametrize(
    "release", ["9.5.16", "9.5.25", "9.6.12", "10.7", "11.2", "12.0", "18.6", "9.5", "15", ""]
)
def test_a_later_release_has_it_and_of_an_unknown_one_nothing_is_said(release: str) -> None:
    assert not why_not_yet("data_sync_retry", release)


@pytest.mark.parametrize(("before", "since"), [("9.5.7", "9.5.16"), ("9.6.10", "9.6.24"), ("10.6", "10.7")])
def test_the_plan_says_which_release_brought_it(before: str, since: str) -> None:
    assert judged(before).state == "not_applicable"
    assert judged(before).because.endswith(f"this server is {before}")
    assert judged(since).state == "keep"
