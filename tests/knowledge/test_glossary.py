"""The words of the wizard: found, told apart, short enough to be read."""

import pytest

from tunewiz.core.answers.steps import Step
from tunewiz.core.words.glossary import Term, found_in, matching
from tunewiz.knowledge.help import load_pages, load_terms

SAN = Term(term="SAN", text="disks on a network")
DIRTY = Term(term="dirty page", text="changed in memory", also=("dirty pages",))


def test_a_name_in_capitals_is_no_word_in_small_letters() -> None:
    assert found_in([SAN], "on a SAN, of course") == (SAN,)
    assert found_in([SAN], "san francisco, SANE") == ()


def test_plurals_are_found_and_parts_of_words_are_not() -> None:
    assert found_in([DIRTY], "Dirty pages are written") == (DIRTY,)
    assert found_in([DIRTY], "dirty pagesize") == ()


def test_names_that_begin_with_what_is_typed_come_first() -> None:
    assert matching([SAN, DIRTY], "di") == (DIRTY, SAN)
    assert matching([SAN, DIRTY], "zzz") == ()
    assert matching([SAN, DIRTY], "") == (SAN, DIRTY)


def test_terms_stand_in_order_and_no_name_twice() -> None:
    terms = [term.term.lower() for term in load_terms()]
    assert terms == sorted(terms)
    names = [name for term in load_terms() for name in term.names]
    assert len(names) == len(set(names))


def test_a_meaning_fits_below_the_list_at_80_columns() -> None:
    longest = max(len(f"{', '.join(term.names)}: {term.text}") for term in load_terms())
    assert longest <= 3 * 78


def test_every_step_has_help() -> None:
    assert {page.page for page in load_pages().pages} == {
        *Step,
        "explain",
        "since",
        "study",
        "upgrade",
        "what_if",
        "written",
        "ask",
        "fleet",
        "fleet group",
        "fleet hosts",
        "rollout",
        "proving",
        "observed",
    }


@pytest.mark.parametrize("word", ["fsync", "checkpoint", "huge page", "twin", "WAL", "posture"])
def test_the_words_that_everything_turns_on_are_there(word: str) -> None:
    assert word in {term.term for term in load_terms()}
