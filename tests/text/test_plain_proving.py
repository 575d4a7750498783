"""Line by line, the measurement is shown as on its page, and whatever is typed the bundle is written."""

import io

import pytest

from bench_seen_cases import SEEN
from rehearsal import Stage
from tunewiz.plain.line_io import Talk
from tunewiz.plain.proving import after_writing
from tunewiz.text.proving import proving_rows
from tunewiz.wizard.ports import Ports


def said(ports: Ports, *lines: str) -> str:
    sink = io.StringIO()
    source = io.BytesIO("".join(f"{line}\n" for line in lines).encode())
    talk = Talk(source=source, sink=sink, encoding="utf-8", width=400, repeats=True)
    after_writing(talk, ports, "bundle")
    return sink.getvalue()


@pytest.mark.parametrize("name", SEEN)
def test_the_rows_of_the_page_are_printed(name: str) -> None:
    printed = said(Stage(proving=lambda _directory: SEEN[name]).ports(), "2", "1")
    for row in proving_rows(SEEN[name]):
        assert row.plain.rpartition("\t")[2].strip() in printed


@pytest.mark.parametrize("lines", [(), ("",), ("1",), ("b",), ("q",), ("2", "q"), ("2",)])
def test_every_answer_and_the_end_of_the_input_end_it(lines: tuple[str, ...]) -> None:
    assert "The bundle is written." in said(
        Stage(proving=lambda _directory: SEEN["explained"]).ports(), *lines
    )


def test_where_nothing_can_be_measured_nobody_is_asked() -> None:
    assert said(Stage().ports()) == ""
