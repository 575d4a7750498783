"""Help on every page, the glossary, commands by name: they open, close, and change nothing."""

from importlib import import_module
from inspect import getmembers, isclass
from pkgutil import iter_modules
from types import ModuleType

import pytest
from textual import events
from textual.screen import Screen
from textual.widget import Widget

from every_page import journey_of, previewed
from rehearsal import Stage, at, forward_to, shown, until
from tunewiz import screens
from tunewiz.core.answers.steps import Step
from tunewiz.knowledge.help import help_of, load_pages
from tunewiz.screens import widgets
from tunewiz.screens.key_help import bindings_of, keys_in, keys_of, names_of
from tunewiz.screens.page import Page
from tunewiz.screens.review import Review
from tunewiz.screens.widgets.rows import RowList
from tunewiz.wizard.ports import AskMachine

SIZE = (80, 24)
ARROWS = {"↑↓", "→", "letters"}
"""The footer's own names; the help has words for them."""
STEPS = [step for step in Step if step is not Step.WELCOME]


@pytest.mark.parametrize("step", STEPS)
async def test_f1_tells_what_a_page_asks_and_escape_comes_back(step: Step) -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, step)
        before = stage.sessions[-1]
        await pilot.press("f1")
        await until(pilot, lambda: f"Help: {step}" in shown(wizard))
        assert help_of(step).question[:40] in " ".join(shown(wizard).split())
        await pilot.press("escape")
        await at(pilot, step)
        assert stage.sessions[-1] == before


async def test_the_first_page_and_questions_over_a_page_have_help_too() -> None:
    wizard = Stage(machine=AskMachine()).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.WELCOME)
        await pilot.press("question_mark")
        await until(pilot, lambda: "Help: welcome" in shown(wizard))
        await pilot.press("escape", "q")
        await until(pilot, lambda: "Leave tunewiz?" in shown(wizard))
        await pilot.press("f1")
        await until(pilot, lambda: "Help: ask" in shown(wizard))
        await pilot.press("escape")
        await until(pilot, lambda: "Leave tunewiz?" in shown(wizard))


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.slow
async def test_every_page_names_its_help_key(step: Step) -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=(60, 16)) as pilot:
        await forward_to(pilot, step)
        await until(pilot, lambda: " help" in shown(wizard).splitlines()[-1])


async def test_a_question_mark_in_a_field_is_a_letter() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.WRITE)
        await pilot.press("question_mark")
        await until(pilot, lambda: "?" in shown(wizard))
        page = wizard.screen
        assert isinstance(page, Page)
        assert page.help_name() == Step.WRITE


async def test_the_glossary_narrows_and_tells_the_word_under_the_cursor() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("f1", "slash", *"fsync")
        await until(pilot, lambda: "fsync: The call that forces" in shown(wizard))
        await pilot.press("ctrl+u", *"twin", "down", "up")
        await until(pilot, lambda: "Two names for one kernel limit" in " ".join(shown(wizard).split()))
        await pilot.press("ctrl+u", *"zzz")
        await until(pilot, lambda: "No term here matches" in shown(wizard))
        await pilot.press("escape", "escape")
        await at(pilot, Step.MACHINE)


async def test_a_command_is_found_by_its_name_and_done() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press("colon")
        await until(pilot, lambda: "Commands:" in shown(wizard))
        await pilot.press(*"note", "enter")
        await until(pilot, lambda: "A note for the reviewer" in shown(wizard))
        await pilot.press("escape")
        await at(pilot, Step.RECOMMENDATIONS)
        await pilot.press("f2")
        await until(pilot, lambda: "Commands:" in shown(wizard))
        await pilot.press(*"zzz", "enter")
        await until(pilot, lambda: "No command matches" in shown(wizard))
        await pilot.press("escape")
        await at(pilot, Step.RECOMMENDATIONS)


async def test_an_earlier_step_is_reached_by_name_with_what_was_typed_here() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RISK)
        await pilot.press("tab", "space", "f2")
        await until(pilot, lambda: "Commands:" in shown(wizard))
        await pilot.press(*"machine", "down", "enter")
        await at(pilot, Step.MACHINE)
        assert stage.sessions[-1].answers.risk.restart is False


async def test_an_explanation_ends_with_the_words_it_uses() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press("enter", "o", "end")
        await until(pilot, lambda: "page cache: Memory that the kernel" in shown(wizard))


@pytest.mark.parametrize("key", ["pagedown", "pageup", "down", "up"])
async def test_a_key_that_comes_before_the_commands_do_is_no_fault(key: str) -> None:
    stage = Stage(machine=AskMachine())
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.WELCOME)
        for text in ("f2", key):
            wizard.post_message(events.Key(text, None))
        await until(pilot, lambda: "Commands:" in shown(wizard))
    assert stage.faults == []


@pytest.mark.parametrize("direction", [-1, 1])
def test_a_list_that_has_no_rows_yet_has_nowhere_to_go(direction: int) -> None:
    rows = RowList()
    rows.action_page(direction)
    rows.action_end(direction)
    assert rows.key == ""


async def test_help_glossary_and_commands_leave_other_pages_as_they_were() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.SERVER)
        before = shown(wizard)
        await pilot.press("f1", "slash")
        await until(pilot, lambda: "Glossary:" in shown(wizard))
        await pilot.press("escape", "escape", "f2")
        await until(pilot, lambda: "Commands:" in shown(wizard))
        await pilot.press("escape")
        await until(pilot, lambda: shown(wizard) == before)
        assert wizard.screen.query_one("#body").styles.get_rule("overflow_y") == "auto"
        await pilot.press("q")
        await until(pilot, lambda: "Leave tunewiz?" in shown(wizard))
        assert wizard.screen.query_one(".box").size.height < 10


def classes_with_bindings() -> list[type[Screen[object]] | type[Widget]]:
    """Every page, question and widget of this program that declares keys."""
    modules = [import_module(f"tunewiz.screens.{name}") for name in names_below(screens)]
    modules += [import_module(f"tunewiz.screens.widgets.{name}") for name in names_below(widgets)]
    return [
        kind
        for module in modules
        for _, kind in getmembers(module, isclass)
        if kind.__module__ == module.__name__ and issubclass(kind, Widget) and [*bindings_of(kind)]
    ]


def names_below(package: ModuleType) -> list[str]:
    return [module.name for module in iter_modules(package.__path__) if not module.ispkg]


@pytest.mark.parametrize("kind", classes_with_bindings(), ids=lambda kind: kind.__name__)
def test_every_key_is_told_by_the_help_in_words(kind: type[Screen[object]] | type[Widget]) -> None:
    shared = {key for label, words in load_pages().general for key in keys_in(label) if words}
    for binding in bindings_of(kind):
        assert binding.description
        if not issubclass(kind, Screen):
            assert shared >= {*names_of(binding)}, f"{binding.key} of {kind.__name__}"


@pytest.mark.parametrize("step", STEPS)
async def test_the_help_holds_every_key_of_its_page_and_of_its_footer(step: Step) -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, step)
        page = wizard.screen
        assert isinstance(page, Page)
        told_keys = keys_of(page, help_of(step).keys)
        told_here = {key for label, words in told_keys for key in keys_in(label) if words}
        assert told_here >= {name for binding in bindings_of(type(page)) for name in names_of(binding)}
        shared = {key for label, _ in load_pages().general for key in keys_in(label)}
        for key in page.KEYS:
            assert told_here | shared | ARROWS >= {*key.key.split()}, key
        assert shown(wizard).splitlines()[-1].rstrip().endswith(" help")


def test_a_key_that_nobody_wrote_about_is_told_with_the_words_of_its_binding() -> None:
    page = Review(journey_of("nvme-server"), previewed)
    result = (
        ("d", "the diff"),
        ("m", "memory"),
        ("S", "the studies"),
        ("V", "the upgrade"),
        ("p", "measure"),
    )
    assert keys_of(page, [*result])[len(result) :] == (
        ("left", "back"),
        ("right", "write the bundle"),
    )
