"""Line by line, the storage is measured and the log read only where somebody says yes."""

import dataclasses
import io
from collections.abc import Callable

from measured import LOG, PROBE
from rehearsal import Stage
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.probe import Probe
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.values.known import Fact, Known
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.plain.line_io import Talk
from tunewiz.plain.measuring import probing, reading_log
from tunewiz.plain.question_sequence import Question
from tunewiz.planning import default_answers
from tunewiz.wizard.journey import Journey, begin


def here(**settings: str) -> Journey:
    facts = demo_facts("small-vm")
    (server,) = facts.postgres
    result = {name: Setting(value=value) for name, value in settings.items()}
    server = dataclasses.replace(server, settings=Known(result, "test"))
    facts = dataclasses.replace(facts, postgres=(server,))
    return begin(facts, default_answers(facts, load_knowledge()), load_knowledge())


def probe(
    _server: PostgresServer,
    _facts: Facts,
    _seconds: int,
    entry: Callable[[float, str], None],
    _enough: Callable[[], bool],
) -> Fact[Probe]:
    entry(3, "pages at random")
    return Known(PROBE, "probed")


def answered(question: Question, journey: Journey, *lines: str) -> tuple[Journey, str]:
    said = io.StringIO()
    source = io.BytesIO("".join(f"{line}\n" for line in lines).encode())
    talk = Talk(source=source, sink=said, encoding="utf-8", width=300, repeats=True)
    return question(talk, journey), said.getvalue()


def test_what_was_measured_is_told_and_planned_with() -> None:
    journey, said = answered(probing(Stage(probe=probe).ports()), here(), "yes")
    assert journey.facts.postgres[0].probe == Known(PROBE, "probed")
    assert journey.plan.start.storage_kind == "san"
    assert "3 of 60 s: pages at random" in said
    text = "8 kB reads 600 µs (95 % within 1.5 ms, 99 % within 3.0 ms; 900 reads with O_DIRECT)"
    assert f"{text}; fdatasync 950 µs." in said


def test_nothing_is_measured_or_read_unless_somebody_says_yes() -> None:
    start = here(logging_collector="on", log_directory="log")
    for question in (probing(Stage().ports()), reading_log(Stage().ports())):
        for line in ("", "no"):
            assert answered(question, start, line)[0] == start


def test_what_could_not_be_measured_says_why() -> None:
    _, said = answered(probing(Stage().ports()), here(), "yes")
    assert "Its storage could not be measured: nobody measures here." in said


def test_a_log_is_read_where_the_settings_say_that_it_is() -> None:
    results = list[PostgresServer]()

    def log(server: PostgresServer) -> Fact[LogSeen]:
        results.append(server)
        return Known(LOG, "the log")

    start = here(logging_collector="on", log_directory="/srv/log")
    journey, said = answered(reading_log(Stage(log=log).ports()), start, "yes")
    assert "Read its log: /srv/log [no]:" in said
    assert journey.facts.postgres[0].log == Known(LOG, "the log")
    assert "3 temporary files, 5 checkpoints, 4 of them forced by WAL" in said
    assert "1 damaged message left out" in said
    assert len(results) == 1


def test_where_nothing_says_where_the_log_is_nobody_is_asked() -> None:
    start = here(logging_collector="off")
    (server,) = start.facts.postgres
    elsewhere = dataclasses.replace(server, owner="source")
    facts = dataclasses.replace(start.facts, postgres=(elsewhere,))
    journey = begin(facts, start.answers, start.knowledge)
    assert answered(reading_log(Stage().ports()), journey) == (journey, "")
