"""From the first question to the bundle: the steps in order, forward and back, saved on disk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from tunewiz.core.answers.machine_choice import Machine
from tunewiz.core.answers.step_order import back, forward, place
from tunewiz.core.answers.steps import QUESTIONS, Step
from tunewiz.core.values.errors import TunewizError
from tunewiz.plain.advice import recommendations
from tunewiz.plain.ending import review, write
from tunewiz.plain.fleet import fleet_dialogue
from tunewiz.plain.leaving import Leaving, Left
from tunewiz.plain.line_io import HOW, BackRequested, Talk
from tunewiz.plain.machine import machine, which_machine
from tunewiz.plain.proving import after_writing
from tunewiz.plain.question_sequence import ask_in_turn
from tunewiz.plain.server import server_questions
from tunewiz.plain.workload import RISK_QUESTIONS, WORKLOAD_QUESTIONS
from tunewiz.wizard.journey import Journey
from tunewiz.wizard.outcome import Outcome
from tunewiz.wizard.ports import AskMachine, WizardStart
from tunewiz.wizard.start import FleetResumed, read

PROMISE = "tunewiz asks line by line, explains every change and writes a bundle. It changes nothing itself."


@dataclass(frozen=True, kw_only=True, slots=True)
class At:
    """The current position in the dialogue."""

    journey: Journey
    step: Step


class Dialogue:
    """One run."""

    def __init__(self, start: WizardStart, talk: Talk) -> None:
        self._start = start
        self._talk = talk
        self._leaving = Leaving(talk, start.ports.save)
        self._latest: Journey

    def run(self) -> Outcome:
        """Runs until the bundle is written or the person leaves; raises InputEndedError."""
        self._talk.say(PROMISE, HOW)
        if before := self._start.presence.before:
            self._talk.complain(before)
        try:
            with self._leaving.resumable():
                return self._from(self._begun(self._start.machine))
        except Left as left:
            return left.outcome
        except FleetResumed as resumed:
            return fleet_dialogue(self._talk, self._start, resumed.session)

    def _begun(self, chosen: Machine | AskMachine) -> At:
        while True:
            try:
                begun = read(self._asked(chosen), self._start, self._tell_progress)
            except BackRequested:
                self._talk.complain("this is the first question")
            except TunewizError as error:
                self._talk.complain(str(error))
            else:
                if begun.remark:
                    self._talk.complain(begun.remark)
                if begun.news:
                    self._talk.say(begun.news)
                return At(journey=begun.journey, step=begun.step)
            chosen = AskMachine()

    def _asked(self, chosen: Machine | AskMachine) -> Machine:
        if not isinstance(chosen, AskMachine):
            return chosen
        self._talk.say("", f"Step 1: {QUESTIONS[Step.WELCOME]}")
        return which_machine(self._talk, self._start.ports)

    def _tell_progress(self, what: str) -> None:
        self._talk.say(f"Reading {what} ...")

    def _from(self, at: At) -> Outcome:
        while True:
            self._keep(at.journey, at.step)
            if newcomer := self._start.presence.arrived():
                self._talk.complain(newcomer)
            number, of = place(at.step, at.journey.facts)
            self._talk.say("", f"Step {number} of {of}: {QUESTIONS[at.step]}")
            try:
                if at.step is Step.WRITE:
                    written = write(self._talk, at.journey, self._start.ports)
                    after_writing(self._talk, self._start.ports, written.directory)
                    return written
                journey = self._asked_of(at)
            except BackRequested:
                at = self._back(at)
            else:
                at = At(journey=journey, step=forward(at.step, journey.facts))

    def _back(self, at: At) -> At:
        """Goes to the previous step; the answers stay as they are."""
        step = back(at.step, self._latest.facts)
        if step is Step.WELCOME:
            return self._begun(AskMachine())
        return At(journey=self._latest, step=step)

    def _asked_of(self, at: At) -> Journey:
        talk, ports, journey = self._talk, self._start.ports, at.journey

        def keep(known: Journey) -> None:
            self._keep(known, at.step)

        match at.step:
            case Step.MACHINE | Step.WELCOME:
                return machine(talk, journey, keep)
            case Step.SERVER:
                return ask_in_turn(tuple(server_questions(journey, ports)), talk, journey, keep)
            case Step.WORKLOAD:
                return ask_in_turn(WORKLOAD_QUESTIONS, talk, journey, keep)
            case Step.RISK:
                return ask_in_turn(RISK_QUESTIONS, talk, journey, keep)
            case Step.RECOMMENDATIONS:
                return recommendations(talk, journey, keep)
            case Step.REVIEW | Step.WRITE:
                return review(talk, journey, ports)
            case _:
                assert_never(at.step)

    def _keep(self, journey: Journey, step: Step) -> None:
        self._latest = journey
        self._leaving.keep(journey.session(step))
