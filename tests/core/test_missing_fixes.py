"""Fixes of minor releases that a server lacks: by its release alone, the worst first."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_plans import small_facts
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.health.fixes import Fix, MinorFixes, missing_fixes, newer_minor
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.minor_releases import minor_release
from tunewiz.knowledge.minor_fixes import check_minor_fixes, load_minor_fixes

KNOWN = load_minor_fixes()
UNKNOWN: Fact[str] = Unknown("not asked")
(SERVER,) = small_facts().postgres


def of_release(version: Fact[str] | str, known: MinorFixes = KNOWN) -> Trouble | None:
    fact = Known(version, "asked") if isinstance(version, str) else version
    server: PostgresServer = dataclasses.replace(SERVER, version=fact)
    return missing_fixes(server, known)


@pytest.mark.parametrize("release", KNOWN.newest)
def test_the_newest_release_of_a_major_lacks_nothing(release: str) -> None:
    assert of_release(release) is None


@pytest.mark.parametrize(
    "version",
    [UNKNOWN, "19rc1", "18beta2", "15", "17devel", "", "15.999", "99.1", "9.5.25 (Debian 9.5.25-1)"],
)
def test_a_release_without_known_faults_is_left_alone(version: Fact[str] | str) -> None:
    assert of_release(version) is None


def test_the_worst_faults_come_first_and_the_rest_are_counted() -> None:
    trouble = of_release("15.2 (Debian 15.2-1.pgdg120+1)")
    assert trouble
    assert trouble.what == "15.2, update to 15.20 or newer"
    assert trouble.because.startswith("Without its fixes: VACUUM removes rows that are still valid")
    later = {f"15.{minor}" for minor in range(3, 99)}
    missing = [fix for fix in KNOWN.fixes if later & set(fix.fixed_in)]
    assert f"; and {len(missing) - 3} more faults that release notes tell." in trouble.because
    assert "rebuild GIN indexes that may be affected" in trouble.after
    assert len(set(trouble.after)) == len(trouble.after)


def test_one_fault_alone_is_told_alone() -> None:
    trouble = of_release("18.5")
    assert trouble
    assert "more fault" not in trouble.because
    assert trouble.because.endswith(f"are wrong. Release notes were read on {KNOWN.read_on}.")
    assert trouble.after == (
        "rebuild indexes of btree_gist over floats, and B-tree indexes of ltree columns",
    )


@given(st.sampled_from(KNOWN.fixes), st.data())
def test_a_fix_is_missed_below_the_release_that_brought_it_and_never_from_it_on(
    fix: Fix, data: st.DataObject
) -> None:
    alone = dataclasses.replace(KNOWN, fixes=(fix,))
    numbers = minor_release(data.draw(st.sampled_from(fix.fixed_in)))
    assert numbers
    major, brought = numbers
    minor = data.draw(st.integers(0, 40))
    trouble = of_release(f"{major}.{minor}", alone)
    assert (trouble is not None) == (minor < brought)
    assert trouble is None or fix.harm in trouble.because


@pytest.mark.parametrize(
    ("newest", "fixed_in", "expected"),
    [
        (("15.20", "15.19"), (), "found a major twice"),
        (("15.20",), ("15.21",), "found 15.21, expected no newer"),
        (("15.20",), ("16.1",), "found 16.1, expected no newer"),
        (("15.20",), ("15",), "found 15, expected a minor release"),
        (("19rc1",), (), "found 19rc1, expected a minor release"),
    ],
)
def test_a_table_with_a_release_that_cannot_be_is_refused(
    newest: tuple[str, ...], fixed_in: tuple[str, ...], expected: str
) -> None:
    table = MinorFixes(
        read_on=KNOWN.read_on, newest=newest, fixes=(Fix(fixed_in=fixed_in, harm="rows are lost"),)
    )
    with pytest.raises(InputError, match=expected):
        check_minor_fixes(table, "a table")


@pytest.mark.parametrize(("release", "said"), [("15.20", None), ("19rc1", None), ("99.1", None)])
def test_of_the_newest_or_an_unknown_release_nothing_newer_is_said(release: str, said: None) -> None:
    server = dataclasses.replace(SERVER, version=Known(release, "asked"))
    assert next(newer_minor(server, KNOWN), None) is said


@given(st.sampled_from(KNOWN.newest), st.integers(0, 30))
def test_an_older_release_is_told_once_as_a_trouble_or_as_a_note(newest: str, minor: int) -> None:
    numbers = minor_release(newest)
    assert numbers is not None
    major, last = numbers
    server = dataclasses.replace(SERVER, version=Known(f"{major}.{minor}", "asked"))
    signs = [missing_fixes(server, KNOWN) is not None, next(newer_minor(server, KNOWN), None) is not None]
    assert sum(signs) == (minor < last)
