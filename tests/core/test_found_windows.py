"""Which watched windows are offered for a comparison, and which two are proposed."""

import dataclasses

import pytest

from tunewiz.core.comparison.found_windows import windows_found
from tunewiz.core.comparison.sightings import NamedFacts
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, Unknown
from watched_windows import DAY, TUESDAY, WEEK, on_server, watched

BUNDLE = "bundle/facts.json"


def of_another_server(named: NamedFacts) -> NamedFacts:
    servers = tuple(
        dataclasses.replace(server, system_identifier=Known("1", "test")) for server in named.facts.postgres
    )
    return NamedFacts(file=named.file, facts=dataclasses.replace(named.facts, postgres=servers))


def test_the_bundles_window_and_the_newest_of_the_same_hour_are_proposed() -> None:
    files = [
        watched("new.json", TUESDAY + 2 * WEEK),
        watched("old.json", TUESDAY - WEEK),
        watched(BUNDLE),
        watched("next.json", TUESDAY + WEEK),
        watched("other_hour.json", TUESDAY + 2 * WEEK + DAY // 2),
    ]
    windows = windows_found(files, BUNDLE)
    assert (windows.before, windows.after) == (BUNDLE, "new.json")
    expected = ["old.json", BUNDLE, "next.json", "new.json", "other_hour.json"]
    assert [window.file for window in windows.windows] == expected
    assert windows.windows[1].words == "Tue 2026-11-03 14:00 UTC, 60 min"


def test_nothing_is_proposed_where_the_bundle_has_no_window() -> None:
    unwatched = on_server(BUNDLE, Unknown("nobody watched"))
    windows = windows_found([unwatched, watched("a.json")], BUNDLE)
    assert (windows.before, windows.after) == ("", "")
    assert [window.file for window in windows.windows] == ["a.json"]


def test_windows_of_other_servers_are_left_out_if_the_bundles_is_known() -> None:
    other = of_another_server(watched("b.json", TUESDAY + WEEK))
    assert [window.file for window in windows_found([watched(BUNDLE), other], BUNDLE).windows] == [BUNDLE]
    assert [window.file for window in windows_found([other], BUNDLE).windows] == ["b.json"]


def test_an_earlier_window_is_never_proposed_as_after() -> None:
    assert windows_found([watched(BUNDLE), watched("a.json", TUESDAY - WEEK)], BUNDLE).after == ""


def test_a_window_that_cannot_be_compared_is_named_with_the_reason() -> None:
    blind = watched(BUNDLE, statements=Unknown("pg_stat_statements is not loaded"))
    windows = windows_found([blind], BUNDLE)
    assert (windows.windows, windows.before) == ((), "")
    assert [omission.what for omission in windows.left_out] == [BUNDLE]
    assert "pg_stat_statements is not loaded" in windows.left_out[0].why


def test_an_invalid_time_is_refused() -> None:
    with pytest.raises(InputError, match=r"^a\.json: postgres\.window: found the time"):
        windows_found([watched("a.json", began=Known("yesterday", "test"))], "")
