"""Rules that hold for every recommendation that is found, whoever wrote it."""

import pkgutil
import re

import pytest

from tunewiz import catalogue
from tunewiz.catalogue import recommendations
from tunewiz.core.decide import in_order
from tunewiz.core.majors import SUPPORTED
from tunewiz.core.model import Declines, Explanation, PgTarget, Recommendation, SysctlTarget, SysfsTarget
from tunewiz.knowledge import load_knowledge

ALL = recommendations()
BY_ID = {each.id: each for each in ALL}

LONGEST_TITLE = 60
LONGEST_PART = 78 * 6  # six lines of a terminal of 80 columns
LONGEST_POINT = 78 * 2

HOLLOW = ("best practice", "simply", "obviously", "just ", "please", "leverage", "utilize", "tbd", "todo")

every_recommendation = pytest.mark.parametrize("each", ALL, ids=[each.id for each in ALL])


def parts(explanation: Explanation) -> dict[str, str]:
    """The parts of an explanation by name."""
    return {
        "changes": explanation.changes,
        "helps": explanation.helps,
        "leave_alone": explanation.leave_alone,
        "costs": explanation.costs,
        "watch": explanation.watch,
    }


def prose(each: Recommendation) -> tuple[str, ...]:
    """Every text that a person reads before deciding."""
    return each.title, *parts(each.explanation).values(), *each.pros, *each.cons


def test_every_module_of_the_catalogue_is_found_once() -> None:
    modules = {each.name for each in pkgutil.iter_modules(catalogue.__path__)}
    assert {each.id.replace(".", "_") for each in ALL} == modules
    assert len(ALL) == len(modules)


def test_the_catalogue_holds_what_the_first_version_promises() -> None:
    promised = {
        "pg.shared_buffers",
        "pg.effective_cache_size",
        "pg.work_mem",
        "pg.maintenance_work_mem",
        "pg.huge_pages",
        "pg.max_wal_size",
        "pg.checkpoint_timeout",
        "pg.checkpoint_completion_target",
        "pg.wal_buffers",
        "pg.synchronous_commit",
        "pg.fsync",
        "pg.autovacuum",
        "pg.random_page_cost",
        "pg.effective_io_concurrency",
        "kernel.nr_hugepages",
        "kernel.transparent_hugepage",
        "kernel.dirty_background_bytes",
        "kernel.dirty_bytes",
        "kernel.swap",
    }
    assert promised <= BY_ID.keys()


def test_recommendations_come_by_id() -> None:
    assert [each.id for each in ALL] == sorted(each.id for each in ALL)


def test_every_recommendation_comes_after_those_that_it_looks_at() -> None:
    order = [each.id for each in in_order(ALL)]
    for each in ALL:
        for name in (*each.after, *each.together):
            assert order.index(name) < order.index(each.id)


@every_recommendation
def test_the_id_says_what_is_changed(each: Recommendation) -> None:
    assert re.fullmatch(r"(pg|kernel|storage|host)\.[a-z0-9_]+", each.id)
    match each.target:
        case PgTarget(name=name):
            assert each.id == f"pg.{name}"
        case SysctlTarget() | SysfsTarget():
            assert each.id.startswith(("kernel.", "storage."))
        case _:
            assert each.id.startswith(("kernel.", "storage.", "host.", "pg."))


@every_recommendation
def test_a_postgresql_setting_exists_in_some_major(each: Recommendation) -> None:
    if isinstance(each.target, PgTarget):
        settings = load_knowledge().settings
        assert any(settings[major].has(each.target.name) for major in SUPPORTED)


@every_recommendation
def test_the_title_is_a_short_imperative(each: Recommendation) -> None:
    assert 10 < len(each.title) < LONGEST_TITLE
    assert each.title[0].isupper()
    assert not each.title.endswith(".")


@every_recommendation
def test_every_part_of_the_explanation_says_something_and_fits_a_terminal(each: Recommendation) -> None:
    for name, text in parts(each.explanation).items():
        assert 20 <= len(text) <= LONGEST_PART, name
        assert text.rstrip("”").endswith((".", "?", ")", ";")), name


@every_recommendation
def test_both_sides_are_told(each: Recommendation) -> None:
    assert each.pros
    assert each.cons
    for point in (*each.pros, *each.cons):
        assert 10 <= len(point) <= LONGEST_POINT
        assert point.endswith(".")
    assert not set(each.pros) & set(each.cons)


@every_recommendation
def test_no_hollow_words_and_no_double_spaces(each: Recommendation) -> None:
    for text in prose(each):
        assert not [word for word in HOLLOW if word in text.lower()]
        assert "  " not in text
        assert text.isprintable()


@every_recommendation
def test_claims_that_are_cited_are_known_and_cited_once(each: Recommendation) -> None:
    cited = [cite.claim for cite in each.cites]
    assert cited
    assert set(cited) <= load_knowledge().library.claims.keys()
    assert len(cited) == len(set(cited))


@every_recommendation
def test_there_is_an_applying_and_a_declining_example(each: Recommendation) -> None:
    declining = [example for example in each.examples if isinstance(example.outcome, Declines)]
    assert declining
    assert len(declining) < len(each.examples)
    names = [example.name for example in each.examples]
    assert len(names) == len(set(names))


def test_who_cites_the_quarter_of_memory_shows_the_other_school_too() -> None:
    cites = {cite.claim: cite.opposes for cite in BY_ID["pg.shared_buffers"].cites}
    assert not cites["1"]
    assert cites["1c"]


def test_what_keeps_data_safe_is_never_against_its_own_advice() -> None:
    for name in ("pg.fsync", "pg.full_page_writes", "pg.synchronous_commit"):
        assert BY_ID[name].group == "durability"
