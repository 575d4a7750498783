"""A measurement in words: the command, the progress, and no verdict before its time."""

import dataclasses
import re
import shlex

import pytest

from bench_seen_cases import BUNDLE, OUTLOOK, SEEN, pairs_of, so_far, under_way
from tunewiz.commands.options import parse
from tunewiz.core.proof.bench_seen import CannotMeasure, Finished, NotBegun
from tunewiz.core.proof.looks import FIRST
from tunewiz.core.proof.metrics import MetricName
from tunewiz.core.proof.proof import MetricResult, Verdict
from tunewiz.core.words.bench import start_command
from tunewiz.core.words.proof import headline
from tunewiz.text.colors import FOR
from tunewiz.text.proving import command_in, proving_rows, short_state


def shown(name: str) -> str:
    return "\n".join(row.plain for row in proving_rows(SEEN[name]))


@pytest.mark.parametrize("name", SEEN)
def test_every_command_that_is_shown_is_one_that_the_program_takes(name: str) -> None:
    command = command_in(SEEN[name])
    sudo, program, *words = shlex.split(command)
    assert (sudo, program) == ("sudo", "tunewiz")
    options = parse(words)
    assert str(options.bundle) == BUNDLE
    assert command in shown(name)


@pytest.mark.parametrize("name", SEEN)
def test_every_state_has_a_few_words_of_its_own(name: str) -> None:
    others = {short_state(state) for state in SEEN.values() if type(state) is not type(SEEN[name])}
    assert short_state(SEEN[name]) not in others


def test_the_window_that_is_proposed_is_long_enough_for_all_pairs() -> None:
    options = parse(shlex.split(start_command(OUTLOOK))[2:])
    assert options.window is not None
    assert options.window >= 19 * 2 * OUTLOOK.lengths.arm


@pytest.mark.parametrize("pairs", range(FIRST))
def test_before_the_first_look_no_row_names_a_verdict(pairs: int) -> None:
    rows = "\n".join(row.plain for row in proving_rows(under_way(so_far(pairs, 1.5))))
    assert "No verdict before the look after 6 pairs." in rows
    for word in ("helped", "hurt", "undecided", "the same"):
        assert word not in rows


def test_each_pair_is_a_dot_and_a_figure_and_a_look_an_interval() -> None:
    rows = shown("a_look")
    assert rows.count("●") == FIRST + 2
    assert "planned look after 6 pairs: the same within" in rows
    first = pairs_of(1, 1.005)[0]
    ratio = first.after.figures["throughput"] / first.before.figures["throughput"]
    assert f"{ratio:.3f}" in rows


def test_the_verdict_is_the_first_row_with_its_change_and_interval() -> None:
    first, *_ = proving_rows(SEEN["finished"])
    assert re.fullmatch(r"\+\d+ % faster, \d+ to \d+ %", first.plain)
    assert first.style == FOR


RESULT = MetricResult(ratio=1.08, low=1.06, high=1.1, level=0.95, verdict="helped", within=1.1)


@pytest.mark.parametrize(
    ("metric", "verdict", "bounds", "text"),
    [
        ("throughput", "helped", (1.08, 1.06, 1.1), "+8 % faster, 6 to 10 %"),
        ("throughput", "hurt", (0.95, 0.93, 0.97), "5 % slower, 3 to 7 %"),
        ("throughput", "same", (1.0, 0.98, 1.02), "The same within 10 %"),
        ("throughput", "undecided", (1.01, 0.98, 1.05), "Undecided, -2 % to +5 %"),
        ("throughput", "observed", (1.08, 1.06, 1.1), "Observed, not proved"),
        ("latency_99", "helped", (0.9, 0.88, 0.92), "10 % shorter, 8 to 12 %"),
        ("latency_99", "hurt", (1.2, 1.1, 1.3), "20 % longer, 10 to 30 %"),
        ("wal_per_transaction", "helped", (0.67, 0.6, 0.7), "33 % less, 30 to 40 %"),
        ("query_time", "hurt", (1.2, 1.1, 1.3), "20 % slower, 10 to 30 %"),
    ],
)
def test_a_verdict_is_said_as_a_person_would(
    metric: MetricName, verdict: Verdict, bounds: tuple[float, float, float], text: str
) -> None:
    state = SEEN["finished"]
    assert isinstance(state, Finished)
    ratio, low, high = bounds
    result = dataclasses.replace(RESULT, ratio=ratio, low=low, high=high)
    proof = dataclasses.replace(state.proof, primary=metric, verdict=verdict, metrics={metric: result})
    assert headline(proof) == text
    assert short_state(dataclasses.replace(state, proof=proof)) == text


def test_while_it_runs_the_first_row_says_when_there_is_a_verdict() -> None:
    first, *_ = proving_rows(SEEN["running"])
    assert first.plain.split("\t") == ["verdict   ", "No verdict before the look after 6 pairs."]


def test_a_change_that_was_only_observed_is_no_verdict_in_percent() -> None:
    state = SEEN["finished"]
    assert isinstance(state, Finished)
    observed = dataclasses.replace(state, proof=dataclasses.replace(state.proof, verdict="observed"))
    first, *_ = proving_rows(observed)
    assert first.plain == "throughput: observed, not proved"


def test_what_waits_for_an_answer_says_where_to_give_it() -> None:
    assert "Answer where the command runs" in shown("asked")


def test_what_cannot_be_measured_has_no_command() -> None:
    assert command_in(CannotMeasure(why="no")) == ""


def test_records_that_cannot_be_read_are_told_beside_the_explanation() -> None:
    rows = proving_rows(NotBegun(outlook=OUTLOOK, unseen="/var/lib/tunewiz: Permission denied"))
    assert rows[-1].plain.endswith("Permission denied")
