"""Asks whether to watch the server at work before planning, and shows what was seen."""

from __future__ import annotations

from tunewiz.console.interrupts import InterruptFlag
from tunewiz.core.answers.parsing import watching_time
from tunewiz.core.facts.learned_later import Learned, window_seen
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import Duration
from tunewiz.plain.line_io import Talk
from tunewiz.plain.prompts import ask_text
from tunewiz.plain.question_sequence import Question
from tunewiz.text.watching import can_be_watched, not_watched, seen_in_words
from tunewiz.wizard.journey import Journey
from tunewiz.wizard.ports import Watch

EVERY = 10
"""Seconds between two progress lines: a screen reader reads them all."""
ABOUT = "60s, 10min; 0: not at all; the plan then uses what was seen"


def watching(watch: Watch) -> Question:
    """The question; it is skipped if the planned server is not running."""

    def ask(talk: Talk, journey: Journey) -> Journey:
        planned = journey.plan.start.server
        if not isinstance(planned, PostgresServer) or not can_be_watched(planned):
            return journey
        time = ask_text(
            talk,
            "Watch the server at work first",
            ABOUT,
            "0",
            lambda text: watching_time("time to watch", text),
        )
        return _watched(talk, journey, planned, time, watch) if time.seconds else journey

    return ask


def _watched(talk: Talk, journey: Journey, server: PostgresServer, time: Duration, watch: Watch) -> Journey:
    next_line = float(EVERY)

    def report_progress(passed: float) -> None:
        nonlocal next_line
        if passed >= next_line:
            talk.say(f"{passed:.0f} of {time.seconds} s")
            next_line = passed + EVERY

    talk.say("Watching the server at work. Ctrl-C stops early.")
    with InterruptFlag() as interrupted:
        window = watch(server, time.seconds, report_progress, interrupted.is_set)
    talk.say(seen_in_words(window.value) if isinstance(window, Known) else not_watched(window))
    return planned_anew(talk, journey, window_seen(server, window))


def planned_anew(talk: Talk, journey: Journey, learned: Learned) -> Journey:
    """The journey with what was learned; says which values set by hand no longer fit."""
    try:
        done = journey.with_learned(learned)
    except InputError as error:
        talk.complain(str(error))
        return journey
    if done.put_aside:
        talk.complain(done.put_aside)
    return done.journey
