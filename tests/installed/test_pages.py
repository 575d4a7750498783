"""Every page of an installed wizard, and everything that opens over it: found by the pages' own commands."""

import re
from functools import partial
from pathlib import Path

import pytest

from installed_program import CLEAR, COMMANDS, DOWN, END, ENTER, ESCAPE, Program, Walk, chosen
from tunewiz.core.answers.step_order import before
from tunewiz.core.answers.steps import QUESTIONS, Step
from tunewiz.knowledge.help import help_of, load_terms
from tunewiz.knowledge.loading import demo_facts

pytestmark = pytest.mark.timeout(600)
"""A person's pace: a page is left alone until it has settled."""

DEMO = "z13-lpar"
FACTS = demo_facts(DEMO)
ROW = re.compile(r"│ (▸| )(\S.*?) *[↓↑]? *│")
HEAD = "Commands:"


def palette(walk: Walk) -> list[str]:
    """What the page's list of commands names, read to its end by moving down."""
    walk.press(COMMANDS)
    walk.see(HEAD)
    names = list[str]()
    while (name := under_the_cursor(walk)) not in names:
        names.append(name)
        walk.press(DOWN)
    walk.press(ESCAPE)
    walk.until(lambda: HEAD not in walk.text, "the page without its commands")
    return names


def under_the_cursor(walk: Walk) -> str:
    """The name of the command that enter would do."""
    return next(row.group(2) for row in ROW.finditer(walk.text) if row.group(1) == "▸")


def choose_by_name(walk: Walk, name: str) -> None:
    """From the list of commands."""
    typed = re.split(r"\s{2,}", name)[0]
    walk.press(COMMANDS)
    walk.see(HEAD)
    walk.press(typed.encode())
    walk.until(lambda: under_the_cursor(walk) == name, f"{name!r} under the cursor")
    walk.press(ENTER)


def differs(walk: Walk, shown: str) -> bool:
    """Whether a command did something that can be seen."""
    return HEAD not in walk.text and walk.text != shown


def back_at(walk: Walk, step: Step) -> None:
    """On the page of a step again, wherever a command has led."""
    walk.comes_back(ESCAPE)
    order = list(Step)
    while order.index(Step(walk.step)) > order.index(step):
        walk.changes(ESCAPE)
        walk.comes_back(ESCAPE)
    walk.on_to(step)


@pytest.mark.parametrize("step", Step)
def test_every_command_of_every_page_does_something_and_no_harm(
    program: Program, step: Step, tmp_path: Path
) -> None:
    with Walk(program, "--out", tmp_path) as walk:  # a directory that exists: writing is refused
        walk.at(Step.WELCOME)
        if step is not Step.WELCOME:
            chosen(walk, DEMO)
        walk.on_to(step)
        walk.press(END)  # of a list that may become longer there
        commands = palette(walk)
        questions = [QUESTIONS[step] for step in before(step, FACTS)]
        ways_back = [name for name in commands if any(question in name for question in questions)]
        assert len(ways_back) == len(questions) < len(commands)
        if step is not Step.WRITE:  # the last page has them all
            commands = [name for name in commands if name not in ways_back]
        for name in commands:
            shown = walk.text
            choose_by_name(walk, name)
            walk.until(partial(differs, walk, shown), f"what {name!r} does")
            walk.settle()
            back_at(walk, step)
        walk.press(b"\x03", ENTER)
        walk.ends()


@pytest.mark.parametrize("step", Step)
def test_every_page_has_its_help_and_leads_to_the_glossary(program: Program, step: Step) -> None:
    with Walk(program) as walk:
        walk.at(Step.WELCOME)
        if step is not Step.WELCOME:
            chosen(walk, DEMO)
        walk.on_to(step)
        walk.changes(b"\x1bOP")
        assert help_of(step).question[:40] in " ".join(walk.text.split())
        walk.changes(b"/")
        term = load_terms()[-1]
        walk.press(CLEAR, term.term.encode())
        walk.until(lambda: term.text[:30] in " ".join(walk.text.split()), f"what {term.term} means")
        back_at(walk, step)
        walk.press(b"\x03", ENTER)
        walk.ends()
