"""Line by line, the server is watched for as long as was typed, and the plan rests on what was seen."""

import dataclasses
import io
import os
import signal
from collections.abc import Callable

import pytest

from rehearsal import Stage
from tunewiz.core.answers.steps import Step
from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.plain.line_io import Talk
from tunewiz.plain.question_sequence import ask_in_turn
from tunewiz.plain.server import server_questions
from tunewiz.plain.watching import watching
from tunewiz.planning import default_answers
from tunewiz.wizard.journey import Journey, begin
from tunewiz.wizard.ports import Ports
from watched import window


@dataclasses.dataclass(kw_only=True, slots=True)
class Watcher:
    """Looks once a second; at its last look a person may break it off."""

    outcome: Fact[Window] = dataclasses.field(
        default_factory=lambda: window(30, commits=5000, checkpoints_requested=41, checkpoints_timed=2)
    )
    interrupted_after: int = 1 << 30
    requests: list[int] = dataclasses.field(default_factory=list[int])
    looks: int = 0

    def __call__(
        self,
        _server: PostgresServer,
        seconds: int,
        entry: Callable[[float], None],
        enough: Callable[[], bool],
    ) -> Fact[Window]:
        """Until the time is over, or it was enough."""
        self.requests.append(seconds)
        while self.looks < seconds and not enough():
            self.looks += 1
            entry(self.looks)
            if self.looks == self.interrupted_after:
                os.kill(os.getpid(), signal.SIGINT)
        return self.outcome


def here(*, running: bool = True) -> Journey:
    """The example machine, taken for this host."""
    facts = demo_facts("small-vm")
    servers = tuple(dataclasses.replace(server, running=running) for server in facts.postgres)
    facts = dataclasses.replace(facts, postgres=servers)
    answers, knowledge = default_answers(facts, load_knowledge()), load_knowledge()
    return begin(facts, answers, knowledge)


def answered(watcher: Watcher, *lines: str, journey: Journey | None = None) -> tuple[Journey, list[str]]:
    """What is known after these answers, and what was said."""
    said = io.StringIO()
    talk = Talk(
        source=io.BytesIO("".join(f"{line}\n" for line in lines).encode()),
        sink=said,
        encoding="utf-8",
        width=80,
        repeats=True,
    )
    return watching(watcher)(talk, journey or here()), said.getvalue().splitlines()


def ports(watcher: Watcher | None = None) -> Ports:
    return Stage(watch=watcher or Watcher()).ports()


def window_of(journey: Journey) -> Fact[Window]:
    (server,) = journey.facts.postgres
    return server.window


def test_what_was_seen_is_told_and_planned_with() -> None:
    watcher = Watcher()
    journey, said = answered(watcher, "30s")
    assert (watcher.requests, window_of(journey)) == ([30], watcher.outcome)
    assert [line for line in said if " of 30 s" in line] == ["10 of 30 s", "20 of 30 s", "30 of 30 s"]
    assert any(line.startswith("Watched at work for 30 s: 5,000 transactions") for line in said)
    assert "(10 samples)." in " ".join(" ".join(said).split())
    assert journey.plan != here().plan


@pytest.mark.parametrize("line", ["", "0", "0s"])
def test_nobody_has_to_watch(line: str) -> None:
    watcher = Watcher()
    journey, _ = answered(watcher, line)
    assert (watcher.requests, journey) == ([], here())


@pytest.mark.parametrize("strange", ["500ms", "1s", "2d", "-5", "soon"])
def test_a_time_that_is_none_is_told_and_asked_again(strange: str) -> None:
    watcher = Watcher()
    _, said = answered(watcher, strange, "10s")
    assert watcher.requests == [10]
    assert any(line.startswith("! time to watch: expected") and strange in line for line in said)


def test_an_interrupt_means_long_enough_and_the_next_one_ends_the_run() -> None:
    watcher = Watcher(interrupted_after=4)
    journey, _ = answered(watcher, "10min")
    assert (watcher.looks, window_of(journey)) == (4, watcher.outcome)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_what_cannot_be_watched_says_why() -> None:
    _, said = answered(Watcher(outcome=Unknown("the server is not running")), "5s")
    assert said[-1] == "It could not be watched: the server is not running"


def test_a_server_that_does_not_run_is_not_asked_about() -> None:
    down = here(running=False)
    assert answered(Watcher(), journey=down) == (down, [])


def test_only_a_server_of_this_host_is_asked_about() -> None:
    elsewhere = dataclasses.replace(here(), origin="example")
    assert len(list(server_questions(here(), ports()))) == len(list(server_questions(elsewhere, ports()))) + 3


def test_it_is_the_last_question_about_the_server() -> None:
    kept = list[Journey]()
    watcher = Watcher()
    lines = io.BytesIO(b"\n\n\n5s\n")
    talk = Talk(source=lines, sink=io.StringIO(), encoding="utf-8", width=80, repeats=True)
    journey = ask_in_turn(tuple(server_questions(here(), ports(watcher))), talk, here(), kept.append)
    assert isinstance(window_of(journey), Known)
    assert kept[-1].session(Step.SERVER).facts == journey.facts
