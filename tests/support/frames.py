"""A run of the wizard as one animated SVG: pages as they are painted, one after another, by CSS alone."""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import SVG_EXPORT_THEME
from textual.pilot import Pilot

from rehearsal import Stage, at, shown, until
from tunewiz.core.answers.machine_choice import ExampleMachine
from tunewiz.core.answers.steps import Step
from tunewiz.wizard.outcome import Outcome, outcome_in_words

COLUMNS, ROWS = 80, 24
CELL, LINE, MARGIN = 9.6, 20, 12
"""Units of the picture: a cell of 16 units' monospace, a line, the space around the terminal."""
MACHINE = "nvme-server"
COMMAND = f"tunewiz --demo {MACHINE}"
GLANCE, READ = 0.6, 3.0
"""Seconds for which a key's effect and a page are shown."""
PLAIN = Style()
FOREGROUND, BACKGROUND = SVG_EXPORT_THEME.foreground_color.hex, SVG_EXPORT_THEME.background_color.hex
DIM = "#868887"
NO_BREAK = "\N{NO-BREAK SPACE}"
"""Several plain ones would be drawn as one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Frame:
    """What the terminal shows for a time."""

    rows: tuple[tuple[Segment, ...], ...]
    seconds: float

    @property
    def text(self) -> str:
        """Without styles."""
        return "\n".join("".join(part.text for part in row).rstrip() for row in self.rows)


@dataclass(frozen=True, kw_only=True, slots=True)
class Act:
    """Keys, what the page shows after them, and for how long that is shown."""

    keys: tuple[str, ...]
    sees: str
    seconds: float = READ
    step: Step | None = None


ACTS = (
    Act(keys=("enter",), sees="What kind of storage", step=Step.SERVER),
    Act(keys=("enter",), sees="What is it used for", step=Step.WORKLOAD),
    Act(keys=("enter",), sees="What may it interrupt", step=Step.RISK),
    Act(keys=("enter",), sees="[x]", step=Step.RECOMMENDATIONS),
    *(Act(keys=("down",), sees="[x]", seconds=GLANCE) for _ in range(3)),
    Act(keys=("enter",), sees="1 what"),
    Act(keys=("pagedown",), sees="back", seconds=READ),
    Act(keys=("escape",), sees="[x]", seconds=GLANCE, step=Step.RECOMMENDATIONS),
    Act(keys=("space",), sees="[-]", seconds=2 * GLANCE),
    Act(keys=("space",), sees="[x]", seconds=2 * GLANCE),
    Act(keys=("right",), sees="rollback.sh", step=Step.REVIEW),
    Act(keys=("m",), sees="Where 256 GiB of memory goes"),
    Act(keys=("m",), sees="rollback.sh", seconds=GLANCE),
    Act(keys=("enter",), sees="directory", step=Step.WRITE),
    Act(keys=("enter",), sees="What next?"),
    Act(keys=("v",), sees="Change bundle for"),
)


async def frames_of_a_run(directory: Path) -> tuple[Frame, ...]:
    """From the command to the written bundle, which is put into that directory."""
    wizard = Stage(machine=ExampleMachine(MACHINE)).wizard()
    frames = [*_typed()]
    with contextlib.chdir(directory):
        async with wizard.run_test(size=(COLUMNS, ROWS)) as pilot:
            await at(pilot, Step.MACHINE)
            frames.append(_painted(pilot, READ))
            for act in ACTS:
                await pilot.press(*act.keys)
                await _follow(pilot, act)
                frames.append(_painted(pilot, act.seconds))
            await pilot.press("enter")
            await until(pilot, lambda: wizard.return_value is not None)
    outcome = wizard.return_value
    assert outcome is not None
    result = (f"$ {COMMAND}", *outcome_in_words(outcome).splitlines(), "$ ")
    return (*frames, Frame(rows=_lines(result), seconds=2 * READ))


async def _follow(pilot: Pilot[Outcome], act: Act) -> None:
    if act.step is not None:
        await at(pilot, act.step)
    await until(pilot, lambda: act.sees in shown(pilot.app))
    await pilot.pause()


def _typed() -> Iterator[Frame]:
    for length in (0, len("tunewiz"), len("tunewiz --demo"), len(COMMAND)):
        yield Frame(rows=_lines((f"$ {COMMAND[:length]}",)), seconds=GLANCE)


def _lines(texts: Iterable[str]) -> tuple[tuple[Segment, ...], ...]:
    return tuple((Segment(text[:COLUMNS], PLAIN),) for text in texts)


def _painted(pilot: Pilot[Outcome], seconds: float) -> Frame:
    rows = pilot.app.screen._compositor.render_strips()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - what is painted
    return Frame(rows=tuple(tuple(strip.crop(0, COLUMNS)) for strip in rows), seconds=seconds)


def svg_of(frames: Sequence[Frame]) -> str:
    """The picture: each row is drawn once and used by the frames that show it; it repeats for ever."""
    drawn = dict[str, int]()
    shown_by = [[_number(drawn, _row(row)) for row in frame.rows] for frame in frames]
    width, height = COLUMNS * CELL + 2 * MARGIN, ROWS * LINE + 2 * MARGIN
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">',
            f"<title>{escape(COMMAND)}: from the machine to the written bundle</title>",
            f"<style>\n{chr(10).join(_styles(frames))}\n</style>",
            f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{BACKGROUND}"/>',
            "<defs>",
            *(f'<g id="r{number}">{row}</g>' for row, number in drawn.items()),
            "</defs>",
            *(_used(number, rows) for number, rows in enumerate(shown_by)),
            "</svg>\n",
        )
    )


def _number(drawn: dict[str, int], row: str) -> int:
    return drawn.setdefault(row, len(drawn))


def _styles(frames: Sequence[Frame]) -> Iterator[str]:
    """One rule for each frame; where nothing moves, the widest page alone is shown."""
    whole = sum(frame.seconds for frame in frames)
    still = next(number for number, frame in enumerate(frames) if "[x]" in frame.text)
    yield f"text {{ font: 16px monospace; fill: {FOREGROUND} }}"
    yield f".b {{ font-weight: bold }} .d {{ fill: {DIM} }} .i {{ font-style: italic }}"
    yield f".f {{ visibility: hidden; animation: {whole:g}s step-end infinite }}"
    yield f"#f{still} {{ visibility: visible }}"
    begun = 0.0
    for number, frame in enumerate(frames):
        ends = begun + frame.seconds
        first = "" if number == 0 else "0% { visibility: hidden } "
        last = "" if number == len(frames) - 1 else f" {100 * ends / whole:.3f}% {{ visibility: hidden }}"
        yield f"@keyframes k{number} {{ {first}{100 * begun / whole:.3f}% {{ visibility: visible }}{last} }}"
        yield f"#f{number} {{ animation-name: k{number} }}"
        begun = ends
    yield "@media (prefers-reduced-motion: reduce) { .f { animation: none } }"


def _used(number: int, rows: Sequence[int]) -> str:
    uses = "".join(f'<use href="#r{row}" y="{MARGIN + LINE * place}"/>' for place, row in enumerate(rows))
    return f'<g class="f" id="f{number}">{uses}</g>'


def _row(row: Iterable[Segment]) -> str:
    return "".join(_parts(row))


def _parts(row: Iterable[Segment]) -> Iterator[str]:
    column = 0
    for part in Segment.simplify(row):
        style = part.style or PLAIN
        start, length = MARGIN + column * CELL, part.cell_length
        column += length
        ink, paper = _colours(style)
        if paper != BACKGROUND:
            yield f'<rect x="{start:g}" width="{length * CELL:g}" height="{LINE}" fill="{paper}"/>'
        if text := part.text.rstrip():
            begins = start + (len(text) - len(text.lstrip())) * CELL
            wide = len(text.lstrip()) * CELL
            yield (
                f'<text x="{begins:g}" y="15"{_classes(style)}{_filled(ink)} textLength="{wide:g}">'
                f"{escape(text.lstrip()).replace(' ', NO_BREAK)}</text>"
            )


def _colours(style: Style) -> tuple[str, str]:
    ink = style.color.get_truecolor(SVG_EXPORT_THEME).hex if style.color else FOREGROUND
    behind = style.bgcolor
    paper = behind.get_truecolor(SVG_EXPORT_THEME, foreground=False).hex if behind else BACKGROUND
    return (paper, ink) if style.reverse else (ink, paper)


def _filled(ink: str) -> str:
    return "" if ink == FOREGROUND else f' fill="{ink}" style="fill:{ink}"'


def _classes(style: Style) -> str:
    names = [name for name, on in (("b", style.bold), ("d", style.dim), ("i", style.italic)) if on]
    return f' class="{" ".join(names)}"' if names else ""
