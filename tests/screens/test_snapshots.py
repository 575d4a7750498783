"""Pictures of every page at 80x24 and 120x40, on a recorded machine; looked at when they change."""

import dataclasses
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from rich.color import Color
from textual.app import App
from textual.pilot import Pilot

from bench_seen_cases import SEEN
from last_visits import visited
from rehearsal import Stage, a_few, at, forward_to, shown, until
from tunewiz.bundle.dry_run import DryRun
from tunewiz.core.answers.machine_choice import ExampleMachine, FactsFile, SavedSession, ThisHost
from tunewiz.core.answers.steps import Step
from tunewiz.core.comparison.found_windows import windows_found
from tunewiz.core.comparison.live import compare_live
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import Curve, Override
from tunewiz.core.values.known import Known, Unknown
from tunewiz.knowledge.loading import demo_facts
from tunewiz.planning import default_answers
from tunewiz.session.record import Session
from tunewiz.session.store import Earlier
from tunewiz.wizard.outcome import Outcome
from tunewiz.wizard.ports import AskMachine
from watched import activity, window
from watched_windows import TUESDAY, WEEK, statements
from watched_windows import watched as seen_for_an_hour

Snap: TypeAlias = Callable[..., bool]
Act: TypeAlias = Callable[[Pilot[Outcome]], Awaitable[None]]

AT_ANY_SIZE = pytest.mark.parametrize(
    "size", [(80, 24), pytest.param((120, 40), marks=pytest.mark.slow)], ids=["80x24", "120x40"]
)
Size: TypeAlias = tuple[int, int]


def to(step: Step, *keys: str, sees: str = "") -> Act:
    """Go to a step, press keys, wait until something is seen."""

    async def act(pilot: Pilot[Outcome]) -> None:
        await forward_to(pilot, step)
        await pilot.press(*keys)
        await until(pilot, lambda: sees in shown(pilot.app))
        await pilot.pause()

    return act


STEPS = {
    "machine": to(Step.MACHINE),
    "server": to(Step.SERVER),
    "workload": to(Step.WORKLOAD),
    "workload_analytics": to(Step.WORKLOAD, "end", sees="Caution"),
    "workload_refused": to(Step.WORKLOAD, "tab", "x", "enter", sees="expected a whole number"),
    "risk": to(Step.RISK),
    "recommendations": to(Step.RECOMMENDATIONS),
    "recommendations_all": to(Step.RECOMMENDATIONS, "a", "end", sees="fsync"),
    "recommendations_declined": to(Step.RECOMMENDATIONS, "space", sees="[-]"),
    "recommendations_found": to(Step.RECOMMENDATIONS, "slash", *"wal", sees="Type part"),
    "recommendations_value": to(Step.RECOMMENDATIONS, "e", sees="take it"),
    "explain": to(Step.RECOMMENDATIONS, "enter", sees="against ─"),
    "explain_found": to(Step.RECOMMENDATIONS, "enter", "slash", *"restart", "enter", sees="in reverse"),
    "what_if": to(Step.RECOMMENDATIONS, "i", sees="Nothing is moved"),
    "what_if_moved": to(Step.RECOMMENDATIONS, "i", "left", "down", "right", sees="-> "),
    "correct": to(Step.MACHINE, "down", "c", sees="Enter physical"),
    "review": to(Step.REVIEW),
    "review_files": to(Step.REVIEW, "d", sees="zz-tunewiz"),
    "review_memory": to(Step.REVIEW, "m", sees="shared_buffers"),
    "write": to(Step.WRITE),
    "leave": to(Step.MACHINE, "q", sees="Leave tunewiz?"),
}


@AT_ANY_SIZE
@pytest.mark.parametrize("name", STEPS)
def test_a_step_looks_as_reviewed(snap_compare: Snap, name: str, size: Size) -> None:
    assert snap_compare(Stage(knowledge=a_few).wizard(), run_before=STEPS[name], terminal_size=size)


AFTER = {
    "written": ((), "--confirm-within"),
    "written_review": (("v",), "Change bundle for"),
    "written_tried": (("t",), "exit status 4"),
}


def refused(_directory: str, _is_enough: Callable[[], bool]) -> DryRun:
    """What apply.sh says elsewhere."""
    lines = (
        "  the machine: planned for small-vm, this one is called db7",
        "Refused, nothing was changed: this is not what was planned on (above). Plan again with tunewiz.",
    )
    return DryRun(status=4, lines=lines)


@AT_ANY_SIZE
@pytest.mark.parametrize("name", AFTER)
def test_what_follows_the_bundle_looks_as_reviewed(
    snap_compare: Snap, name: str, size: Size, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    keys, sees = AFTER[name]

    async def act(pilot: Pilot[Outcome]) -> None:
        await to(Step.WRITE, "enter", sees="What next?")(pilot)
        await pilot.press(*keys)
        await until(pilot, lambda: sees in shown(pilot.app))

    stage = Stage(knowledge=a_few, dry_run=refused)
    assert snap_compare(stage.wizard(), run_before=act, terminal_size=size)


@AT_ANY_SIZE
@pytest.mark.parametrize("name", SEEN)
def test_a_measurement_looks_as_reviewed(
    snap_compare: Snap, name: str, size: Size, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def act(pilot: Pilot[Outcome]) -> None:
        await to(Step.WRITE, "enter", sees="What next?")(pilot)
        await pilot.press("p")
        await until(pilot, lambda: "/root/db1" in shown(pilot.app))

    stage = Stage(knowledge=a_few, proving=lambda _directory: SEEN[name])
    assert snap_compare(stage.wizard(), run_before=act, terminal_size=size)


SLOWER = {"q1": (1000, 25.0), "q2": (200, 20.0), "q3": (70, 9.0)}
OUTCOME = {"observed": "observed, not proved", "observed_not": "refused:"}
SIDES = {"observed": ("before.json", "after.json"), "observed_not": ("after.json", "before.json")}


@AT_ANY_SIZE
@pytest.mark.parametrize("name", SIDES)
def test_what_was_observed_looks_as_reviewed(
    snap_compare: Snap, name: str, size: Size, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = seen_for_an_hour("before.json")
    after = seen_for_an_hour("after.json", TUESDAY + WEEK, statements(SLOWER))
    windows, files = windows_found([before, after], before.file), {"before.json": before, "after.json": after}
    named = dataclasses.replace(windows, before=SIDES[name][0], after=SIDES[name][1])

    async def act(pilot: Pilot[Outcome]) -> None:
        await to(Step.WRITE, "enter", sees="What next?")(pilot)
        await pilot.press("p")
        await until(pilot, lambda: "/root/db1" in shown(pilot.app))
        await pilot.press("c")
        await until(pilot, lambda: OUTCOME[name] in shown(pilot.app))

    stage = Stage(
        knowledge=a_few,
        proving=lambda _directory: SEEN["explained"],
        windows=lambda _directory: named,
        compare=lambda one, other: compare_live([files[one]], [files[other]]),
    )
    assert snap_compare(stage.wizard(), run_before=act, terminal_size=size)


STUDIES = {
    "study": (),
    "study_steps": ("s",),
    "study_without_figures": ("left_square_bracket",) * 4,
}


@AT_ANY_SIZE
@pytest.mark.parametrize("name", STUDIES)
def test_a_study_looks_as_reviewed(snap_compare: Snap, name: str, size: Size) -> None:
    act = to(Step.REVIEW, "S", *STUDIES[name], sees=" measured" if name != "study_steps" else "Its steps")
    assert snap_compare(
        Stage(machine=ExampleMachine("z13-lpar")).wizard(), run_before=act, terminal_size=size
    )


@AT_ANY_SIZE
def test_an_upgrade_looks_as_reviewed(snap_compare: Snap, size: Size) -> None:
    act = to(Step.REVIEW, "V", sees="default changes")
    stage = Stage(knowledge=a_few, machine=ExampleMachine("z13-lpar"))
    assert snap_compare(stage.wizard(), run_before=act, terminal_size=size)


LAST_VISIT = {
    "line": ((), "Since your last visit"),
    "page": (("v",), "New troubles and warnings"),
    "end": (("v", "end"), "Machine"),
}


@AT_ANY_SIZE
@pytest.mark.parametrize("name", LAST_VISIT)
def test_what_changed_since_the_last_visit_looks_as_reviewed(
    snap_compare: Snap, name: str, size: Size
) -> None:
    keys, sees = LAST_VISIT[name]
    assert snap_compare(visited().wizard(), run_before=to(Step.MACHINE, *keys, sees=sees), terminal_size=size)


@AT_ANY_SIZE
def test_the_first_page_looks_as_reviewed(snap_compare: Snap, size: Size) -> None:
    async def act(pilot: Pilot[Outcome]) -> None:
        await at(pilot, Step.WELCOME)

    assert snap_compare(
        Stage(knowledge=a_few, machine=AskMachine()).wizard(), run_before=act, terminal_size=size
    )


@AT_ANY_SIZE
def test_the_saved_sessions_look_as_reviewed(snap_compare: Snap, size: Size) -> None:
    async def act(pilot: Pilot[Outcome]) -> None:
        await at(pilot, Step.WELCOME)
        await pilot.press("o")
        await until(pilot, lambda: "power10 · risk" in shown(pilot.app))

    about = {"z13-lpar": "z13-lpar · review · 13 changes", "power10": "power10 · risk · 1 change"}
    earlier = tuple(Earlier(name=name, about=text, age="2 h ago") for name, text in about.items())
    stage = Stage(knowledge=a_few, machine=AskMachine(), earlier=earlier)
    assert snap_compare(stage.wizard(), run_before=act, terminal_size=size)


@AT_ANY_SIZE
def test_a_machine_that_cannot_be_read_is_told_on_the_first_page(snap_compare: Snap, size: Size) -> None:
    async def act(pilot: Pilot[Outcome]) -> None:
        await until(pilot, lambda: "cannot be read" in shown(pilot.app))

    wizard = Stage(knowledge=a_few, machine=FactsFile("/nowhere/facts.json")).wizard()
    assert snap_compare(wizard, run_before=act, terminal_size=size)


@AT_ANY_SIZE
def test_a_bundle_that_cannot_be_written_is_told_on_the_page(snap_compare: Snap, size: Size) -> None:
    stage = Stage(knowledge=a_few, refuses_to_write="cannot be written: No space left on device")
    act = to(Step.WRITE, "enter", sees="No space left")
    assert snap_compare(stage.wizard(), run_before=act, terminal_size=size)


@AT_ANY_SIZE
def test_a_session_that_cannot_be_saved_is_told_at_the_top(snap_compare: Snap, size: Size) -> None:
    act = to(Step.MACHINE, sees="not being saved")
    assert snap_compare(Stage(knowledge=a_few, disk_full=True).wizard(), run_before=act, terminal_size=size)


def test_a_terminal_that_is_too_small_is_told_what_is_needed(snap_compare: Snap) -> None:
    async def act(pilot: Pilot[Outcome]) -> None:
        await until(pilot, lambda: "60x16" in shown(pilot.app))

    assert snap_compare(Stage(knowledge=a_few).wizard(), run_before=act, terminal_size=(50, 12))


def test_the_smallest_terminal_shows_the_pages(snap_compare: Snap) -> None:
    assert snap_compare(
        Stage(knowledge=a_few).wizard(), run_before=to(Step.RECOMMENDATIONS), terminal_size=(60, 16)
    )


@pytest.mark.parametrize("name", ["recommendations", "review_memory"])
def test_a_large_terminal_shows_no_longer_rows(snap_compare: Snap, name: str) -> None:
    assert snap_compare(Stage(knowledge=a_few).wizard(), run_before=STEPS[name], terminal_size=(200, 60))


OVER_A_PAGE = {
    "help": ("f1", "What is asked"),
    "commands": ("f2", "Commands:"),
}


@AT_ANY_SIZE
@pytest.mark.parametrize("name", OVER_A_PAGE)
def test_what_stands_over_a_page_looks_as_reviewed(snap_compare: Snap, name: str, size: Size) -> None:
    key, sees = OVER_A_PAGE[name]
    act = to(Step.RECOMMENDATIONS, key, sees=sees)
    assert snap_compare(Stage(knowledge=a_few).wizard(), run_before=act, terminal_size=size)


def test_the_glossary_looks_as_reviewed(snap_compare: Snap) -> None:
    async def act(pilot: Pilot[Outcome]) -> None:
        await forward_to(pilot, Step.MACHINE)
        await pilot.press("f1")
        await until(pilot, lambda: "What is asked" in shown(pilot.app))
        await pilot.press("slash")
        await until(pilot, lambda: "Glossary" in shown(pilot.app))
        await pilot.press(*"page")
        await until(pilot, lambda: "page cache" in shown(pilot.app))

    assert snap_compare(Stage(knowledge=a_few).wizard(), run_before=act, terminal_size=(80, 24))


def without_a_server() -> Facts:
    """The example without PostgreSQL, under a name that fits no line."""
    facts = demo_facts("small-vm")
    host = dataclasses.replace(facts.host, name=Known("a-very-long-name." * 6, "hostname"))
    return dataclasses.replace(facts, host=host, postgres=())


def without_rights() -> Facts:
    """The example as one sees it who may not ask the server, nor read its directory."""
    facts = demo_facts("small-vm")
    refused = Unknown("permission denied: run as postgres or as root")
    server = dataclasses.replace(facts.postgres[0], settings=refused, activity=refused)
    memory = dataclasses.replace(facts.memory, transparent_huge_pages=refused)
    return dataclasses.replace(facts, memory=memory, postgres=(server,))


def busy() -> Facts:
    """The example with a server that counted what it did."""
    facts = demo_facts("small-vm")
    counted = activity(
        blocks_hit=98_000_000,
        blocks_read=2_000_000,
        rows_written=400_000,
        rows_read=9_600_000,
        rollbacks=12,
        commits=500_000,
        checkpoints_requested=75,
        checkpoints_timed=25,
    )
    return dataclasses.replace(facts, postgres=(dataclasses.replace(facts.postgres[0], activity=counted),))


def watched() -> Facts:
    """The example with a server that was watched while it worked harder and harder."""
    facts = demo_facts("small-vm")
    curves = (
        Curve(counted="commits", values=tuple(40 * at for at in range(60))),
        Curve(counted="wal_bytes", values=(*[1 << 20] * 40, *[38 << 20] * 3, *[2 << 20] * 17)),
        Curve(counted="checkpoints", values=(*[0] * 30, 1, *[0] * 29)),
        Curve(counted="connections", values=tuple(3 + at % 20 for at in range(60))),
    )
    observation = window(60, checkpoints_requested=1, checkpoints_timed=0, rollbacks=3, commits=70_800)
    drawn = Known(dataclasses.replace(observation.value, curves=curves), observation.how)
    return dataclasses.replace(facts, postgres=(dataclasses.replace(facts.postgres[0], window=drawn),))


def overruled() -> Facts:
    """The example with a database whose own values win over every file."""
    facts = demo_facts("small-vm")
    wins = Override(database="shop", role="", name="work_mem", value="1GB")
    server = dataclasses.replace(facts.postgres[0], overrides=Known((wins,), "pg_db_role_setting"))
    return dataclasses.replace(facts, postgres=(server,))


AWKWARD = {
    "a conflict, review": (overruled, Step.REVIEW),
    "a busy server": (busy, Step.SERVER),
    "a watched server": (watched, Step.SERVER),
    "no rights, machine": (without_rights, Step.MACHINE),
    "no rights, server": (without_rights, Step.SERVER),
    "no rights, recommendations": (without_rights, Step.RECOMMENDATIONS),
    "no server, a long name, machine": (without_a_server, Step.MACHINE),
    "no server, a long name, server": (without_a_server, Step.SERVER),
    "no server, a long name, review": (without_a_server, Step.REVIEW),
    "a container": (lambda: demo_facts("container"), Step.MACHINE),
    "nothing said of much": (lambda: demo_facts("dl185"), Step.MACHINE),
}


@AT_ANY_SIZE
@pytest.mark.parametrize("name", AWKWARD)
def test_an_awkward_machine_looks_as_reviewed(snap_compare: Snap, name: str, size: Size) -> None:
    facts, step = AWKWARD[name]
    stage = Stage(knowledge=a_few, machine=ThisHost(), host=lambda _progress: facts())
    assert snap_compare(stage.wizard(), run_before=to(step), terminal_size=size)


@AT_ANY_SIZE
def test_a_list_in_which_nothing_is_found_looks_as_reviewed(snap_compare: Snap, size: Size) -> None:
    act = to(Step.RECOMMENDATIONS, "slash", *"zzz", sees="Nothing here")
    assert snap_compare(Stage(knowledge=a_few).wizard(), run_before=act, terminal_size=size)


@AT_ANY_SIZE
def test_a_value_that_is_refused_is_told_in_its_box(snap_compare: Snap, size: Size) -> None:
    value = ("e", "end", *["backspace"] * 6, *"9999TB", "enter")
    act = to(Step.RECOMMENDATIONS, *value, sees="! ")
    assert snap_compare(Stage(knowledge=a_few).wizard(), run_before=act, terminal_size=size)


@AT_ANY_SIZE
def test_a_session_that_can_be_gone_on_with_is_offered_on_the_first_page(
    snap_compare: Snap, size: Size
) -> None:
    async def act(pilot: Pilot[Outcome]) -> None:
        await at(pilot, Step.WELCOME)

    stage = Stage(knowledge=a_few, machine=AskMachine(), sessions=[a_session()])
    assert snap_compare(stage.wizard(), run_before=act, terminal_size=size)


@AT_ANY_SIZE
def test_a_session_that_is_gone_on_with_stands_where_it_was_left(snap_compare: Snap, size: Size) -> None:
    async def act(pilot: Pilot[Outcome]) -> None:
        await at(pilot, Step.REVIEW)

    stage = Stage(knowledge=a_few, machine=SavedSession(), sessions=[a_session()])
    assert snap_compare(stage.wizard(), run_before=act, terminal_size=size)


def a_session() -> Session:
    """One that was left at the review, with another workload than is proposed."""
    facts = demo_facts("small-vm")
    answers = default_answers(facts, a_few())
    workload = dataclasses.replace(answers.workload, connections=40)
    return Session(
        facts=facts,
        answers=dataclasses.replace(answers, workload=workload),
        step=Step.REVIEW,
        out="db1",
        as_read=facts,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", STEPS)
def test_a_step_without_colour_looks_as_reviewed(
    snap_compare: Snap, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(Stage(knowledge=a_few).wizard(), run_before=STEPS[name], terminal_size=(80, 24))


@pytest.mark.slow
@pytest.mark.parametrize("name", STEPS)
async def test_a_step_names_only_colours_that_a_dark_and_a_light_terminal_choose_themselves(
    name: str,
) -> None:
    wizard = Stage(knowledge=a_few).wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await STEPS[name](pilot)
        named = {color.name for color in colors(wizard)}
        assert named <= {"default", "red", "green", "yellow", "blue", "magenta", "cyan"}


def colors(wizard: App[Outcome]) -> Iterator[Color]:
    """The colours of all that is painted."""
    for strip in wizard.screen._compositor.render_strips():  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - what is painted
        for _, style, _ in strip:
            if style is not None:
                yield from (color for color in (style.color, style.bgcolor) if color is not None)
