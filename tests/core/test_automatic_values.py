"""A number that a server took for itself at its start is no value that somebody set."""

import dataclasses
from types import MappingProxyType

import pytest

from situations import finding, plan, situation
from tunewiz.core.facts.server import SET_BY_NOBODY, PostgresServer, Setting
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Declined, Proposal
from tunewiz.core.values.known import Known
from tunewiz.core.values.versions import SUPPORTED
from tunewiz.knowledge.loading import load_knowledge

KNOWLEDGE = load_knowledge()
SETTINGS = KNOWLEDGE.settings
(CACHE,) = (
    recommendation for recommendation in KNOWLEDGE.catalogue if recommendation.id == "pg.transaction_buffers"
)
SIZED = [
    (str(major), name)
    for major in SUPPORTED
    for name, info in SETTINGS[major].known.items()
    if info.sizes_itself
]
"""Every setting of every major whose default leaves a number to the server."""
TAKEN = "16"
"""What such a server shows: two megabytes, or sixteen of something."""


def shown(major: str, name: str, source: str) -> Situation:
    """A server that shows this number for the setting."""
    result = situation(Given(major=major, settings={"shared_buffers": "16GB"}))
    assert isinstance(result.server, PostgresServer)
    setting = Setting(value=TAKEN, unit=result.settings[name].unit, source=source)
    settings = MappingProxyType({**result.live_settings, name: setting})
    return dataclasses.replace(
        result, server=dataclasses.replace(result.server, settings=Known(settings, "test"))
    )


@pytest.mark.parametrize(("major", "name"), SIZED)
def test_what_the_server_took_leaves_the_size_to_it(major: str, name: str) -> None:
    for source in sorted(SET_BY_NOBODY):
        result = shown(major, name, source)
        assert result.will_be(name) == result.default(name), source


@pytest.mark.parametrize(("major", "name"), SIZED)
def test_what_a_file_or_the_command_line_sets_stays(major: str, name: str) -> None:
    for source in ("configuration file", "command line"):
        result = shown(major, name, source)
        assert result.will_be(name) == result.settings[name].show(TAKEN), source


def test_a_cache_that_sized_itself_for_smaller_buffers_is_not_called_set() -> None:
    for source, is_set in (("default", False), ("override", False), ("configuration file", True)):
        result = finding(plan(CACHE, now=shown("18", "transaction_buffers", source)), CACHE.id)
        assert isinstance(result.verdict, Proposal if is_set else Declined), source
        assert ("set to 128kB" in result.because) == is_set, result.because


def test_a_default_other_than_0_or_minus_1_is_what_the_server_shows() -> None:
    result = shown("18", "max_connections", "default")
    assert result.will_be("max_connections") == TAKEN
