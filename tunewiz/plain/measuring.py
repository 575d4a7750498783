"""Asks whether to measure the server's storage and to read its log, and shows the results."""

from __future__ import annotations

from tunewiz.console.interrupts import InterruptFlag
from tunewiz.core.facts.learned_later import log_read, storage_probed
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.server.log_place import log_place
from tunewiz.core.values.known import Known
from tunewiz.plain.line_io import Talk
from tunewiz.plain.prompts import ask_yes_no
from tunewiz.plain.question_sequence import Question
from tunewiz.plain.watching import planned_anew
from tunewiz.text.measuring import PROBE_SECONDS, PROBES, can_be_probed, log_in_words, probed_in_words
from tunewiz.wizard.journey import Journey
from tunewiz.wizard.ports import Ports


def probing(ports: Ports) -> Question:
    """The question; skipped where the data directory is unknown."""

    def ask(talk: Talk, journey: Journey) -> Journey:
        planned = journey.plan.start.server
        if not isinstance(planned, PostgresServer) or not can_be_probed(planned):
            return journey
        about = f"{PROBES}; it takes {PROBE_SECONDS} s"
        if not ask_yes_no(talk, "Measure its storage", about, usual=False):
            return journey
        return _probed(talk, journey, planned, ports)

    return ask


def _probed(talk: Talk, journey: Journey, server: PostgresServer, ports: Ports) -> Journey:
    def report_progress(passed: float, doing: str) -> None:
        talk.say(f"{passed:.0f} of {PROBE_SECONDS} s: {doing}")

    talk.say("Measuring. Ctrl-C stops early.")
    with InterruptFlag() as interrupted:
        probe = ports.probe(server, journey.facts, PROBE_SECONDS, report_progress, interrupted.is_set)
    talk.say(probed_in_words(probe))
    return planned_anew(talk, journey, storage_probed(server, probe))


def reading_log(ports: Ports) -> Question:
    """The question; skipped where the place of the log is unknown."""

    def ask(talk: Talk, journey: Journey) -> Journey:
        planned = journey.plan.start.server
        if not isinstance(planned, PostgresServer):
            return journey
        place = log_place(planned)
        if not isinstance(place, Known) or not ask_yes_no(talk, "Read its log", place.value, usual=False):
            return journey
        log = ports.read_log(planned)
        talk.say(log_in_words(log))
        return planned_anew(talk, journey, log_read(planned, log))

    return ask
