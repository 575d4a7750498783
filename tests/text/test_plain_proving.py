"""Line by line, the measurement is shown as on its page, and whatever is typed the bundle is written."""

import dataclasses
import io

import pytest

from bench_seen_cases import SEEN
from rehearsal import Stage
from tunewiz.core.comparison.found_windows import windows_found
from tunewiz.core.comparison.live import NotCompared, compare_live
from tunewiz.core.proof.proof import Proof
from tunewiz.core.values.errors import InputError
from tunewiz.plain.line_io import Talk
from tunewiz.plain.proving import after_writing
from tunewiz.text.observed import compared_lines
from tunewiz.text.proving import proving_rows
from tunewiz.wizard.ports import Ports
from watched_windows import TUESDAY, WEEK, watched


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


BEFORE, AFTER = watched("before.json"), watched("after.json", TUESDAY + WEEK)


def compares(before: str, after: str) -> Proof | NotCompared:
    """These two, whatever is typed for AFTER; nothing else."""
    if before != BEFORE.file:
        raise InputError(f"{before}: cannot be read: No such file or directory")
    return compare_live([BEFORE], [dataclasses.replace(AFTER, file=after)])


OBSERVING = Stage(
    windows=lambda _directory: windows_found([BEFORE, AFTER], BEFORE.file), compare=compares
).ports()


def test_the_proposed_windows_are_compared_in_the_words_of_the_command() -> None:
    printed = said(OBSERVING, "2", "", "", "1")
    assert "before.json  Tue 2026-11-03 14:00 UTC, 60 min" in printed
    for line in compared_lines(compares("before.json", "after.json")):
        assert line.strip() in printed


def test_what_cannot_be_read_is_told_and_the_choice_is_asked_again() -> None:
    printed = said(OBSERVING, "2", "gone.json", "", "2", "b", "2", "", "", "1")
    assert "! gone.json: cannot be read" in printed
    assert printed.count("observed, not proved\n") == 1


def test_without_windows_and_without_a_measurement_nobody_is_asked_what_was_observed() -> None:
    assert "observed" not in said(Stage().ports())
