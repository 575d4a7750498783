"""The README's animated picture: well-formed, without scripts, and a run of the wizard as it is now."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from rich.segment import Segment
from rich.style import Style

from frames import COMMAND, MACHINE, NO_BREAK, Frame, frames_of_a_run, svg_of
from review_pages import example_plan
from tunewiz.bundle.placing import placed
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.plural import how_many

PICTURE = Path(__file__).parents[2] / "docs/pictures/wizard.svg"
MAX_BYTES = 400_000
SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {f"{SVG}{name}" for name in ("svg", "title", "style", "rect", "defs", "g", "text", "use")}
"""Nothing that runs, and nothing that is fetched."""


@pytest.fixture
def plan() -> Plan:
    return example_plan(MACHINE, "balanced")


def words(picture: str) -> str:
    """All texts of a picture, each once."""
    return "\n".join(ET.fromstring(picture).itertext()).replace(NO_BREAK, " ")  # noqa: S314 - our own


def test_the_picture_is_well_formed_small_and_holds_nothing_that_runs_or_is_fetched() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    assert len(text.encode()) < MAX_BYTES
    elements = [*ET.fromstring(text).iter()]  # noqa: S314 - our own
    assert {element.tag for element in elements} == DRAWN
    names = {name for element in elements for name in element.attrib}
    assert not [name for name in names if name.startswith("on")]
    assert all(element.attrib["href"].startswith("#r") for element in elements if "href" in element.attrib)
    assert "url(" not in text
    assert "@import" not in text


def test_every_frame_has_its_time_and_every_row_is_drawn(plan: Plan) -> None:
    text = PICTURE.read_text(encoding="utf-8")
    frames = re.findall(r'<g class="f" id="f(\d+)">', text)
    assert frames == [str(number) for number in range(len(frames))]
    assert re.findall(r"@keyframes k(\d+)", text) == frames
    assert set(re.findall(r'href="#(r\d+)"', text)) == set(re.findall(r'<g id="(r\d+)">', text))
    assert f"({how_many(placed(plan).count, 'change')}, 1 restart)" in words(text)
    assert f"$ {COMMAND}" in words(text)


def test_a_frame_is_drawn_with_its_colours_and_equal_rows_once() -> None:
    row = (Segment("a < b", Style(bold=True)), Segment("  c", Style(reverse=True)))
    one, other = (Frame(rows=(row, row), seconds=seconds) for seconds in (1.0, 3.0))
    picture = svg_of((one, Frame(rows=((Segment("[x]"),),), seconds=1.0), other))
    assert words(picture).count("a < b") == 1
    assert '<text x="12" y="15" class="b" textLength="48">' in picture
    assert 'fill="#c5c8c6"/><text x="79.2"' in picture
    assert "@keyframes k2 { 0% { visibility: hidden } 40.000% { visibility: visible } }" in picture


@pytest.mark.slow
async def test_the_picture_is_a_run_of_today(tmp_path: Path) -> None:
    """`make snapshots` takes it anew."""
    assert svg_of(await frames_of_a_run(tmp_path)) == PICTURE.read_text(encoding="utf-8")
