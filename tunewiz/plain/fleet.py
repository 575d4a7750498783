"""Many servers line by line: the groups, one review each, the project, and its rollout."""

from __future__ import annotations

import time
from pathlib import Path

from tunewiz.core.fleet.groups import HostGroup
from tunewiz.core.values.errors import TunewizError
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.harmless import harmless
from tunewiz.fleet.answers import named_answers
from tunewiz.fleet.one_host import planned_again
from tunewiz.fleet.open_fleet import OpenFleet, decided, open_fleet
from tunewiz.fleet.planning import Progress
from tunewiz.fleet.resuming import noted, resumed, session_of
from tunewiz.fleet.rollout import is_project, read_rollout
from tunewiz.fleet.write import write_fleet, written_in_words
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.plain.advice import recommendations
from tunewiz.plain.leaving import KEEP, Leaving, Left
from tunewiz.plain.leaving import LEAVE as AT_LEAVING
from tunewiz.plain.line_io import HOW, BackRequested, InputEndedError, Talk
from tunewiz.plain.prompts import ask_choice, ask_text
from tunewiz.session.fleet_record import FleetSession
from tunewiz.text.choice import Choice
from tunewiz.text.fleet import fleet_text
from tunewiz.text.fleet_resumed import RESUMED, since_in_words
from tunewiz.text.report import paper_width
from tunewiz.text.review_file import review_in_terminal
from tunewiz.text.rollout import host_in_full, needs_attention, rollout_in_words, rollout_rows
from tunewiz.wizard.journey import Journey, begin
from tunewiz.wizard.outcome import Dropped, FleetWritten, Outcome, bundle_name
from tunewiz.wizard.ports import WizardStart

WRITE, LEAVE, AGAIN = "write", "leave", "again"
GROUP = "group "
"""Prefix of groups' keys."""


def fleet_dialogue(talk: Talk, start: WizardStart, saved: FleetSession | None = None) -> Outcome:
    """Asks until the project is written or the user leaves.

    Args:
        talk: With a person or a script.
        start: Names the directory, unless a session is resumed.
        saved: The session to resume.

    Raises:
        TunewizError: There are no facts.
    """
    leaving = Leaving(talk, start.ports.save)
    talk.say(HOW)
    try:
        if saved is None and is_project(Path(start.fleet)):
            return _watched(talk, Path(start.fleet), leaving)
        with leaving.resumable():
            return Reviewing(talk, start, leaving).run(saved)
    except Left as left:
        return left.outcome


def _ignored(_: int) -> None:
    """No progress: a line for each host would bury what matters."""


def _begun(talk: Talk, total: int) -> None:
    talk.say(f"Reading and planning {how_many(total, 'host')} ...")


class Reviewing:
    """One run: the groups, decided one by one."""

    def __init__(self, talk: Talk, start: WizardStart, leaving: Leaving) -> None:
        self._talk = talk
        self._start = start
        self._leaving = leaving

    def run(self, saved: FleetSession | None) -> Outcome:
        """Until the project is written; raises Left and TunewizError."""
        talk, opened = self._talk, self._opened(saved)
        out = bundle_name("rollout", self._start.ports.today())
        while True:
            _told(talk, opened)
            try:
                chosen = ask_choice(talk, _choices(opened), KEEP)
                if chosen == KEEP:
                    self._leaving.leave()
                if chosen == WRITE:
                    return _written(talk, opened, out)
                opened = self._decided(opened, chosen.removeprefix(GROUP))
            except InputEndedError:
                raise
            except BackRequested:
                talk.say("", "Back to the groups.")
            except TunewizError as error:
                talk.complain(str(error))
            self._keep(opened)

    def _opened(self, saved: FleetSession | None) -> OpenFleet:
        if saved is not None:
            opened = resumed(saved, self._progress)
            self._leaving.is_resumed()
            return opened
        self._start.ports.begin_another()
        opened = open_fleet(self._start.fleet, named_answers(self._start.fleet_answers), self._progress)
        self._keep(opened)
        return opened

    def _progress(self, total: int) -> Progress:
        _begun(self._talk, total)
        return _ignored

    def _keep(self, opened: OpenFleet) -> None:
        self._leaving.keep(session_of(opened))

    def _decided(self, opened: OpenFleet, name: str) -> OpenFleet:
        """Shows a group's review, then asks as for one host; every answer is saved."""
        talk, group = self._talk, opened.group(name)
        first = planned_again(group.hosts[0], opened.answers)
        talk.say("")
        talk.read(review_in_terminal(opened.review(group, first.plan), paper_width()))
        talk.say("", f"Your decisions now apply to {_all(group)}; the values shown are those of the first.")
        journey = begin(first.facts, first.answers, load_knowledge())
        hosts = frozenset(host.host for host in group.hosts)

        def keep(known: Journey) -> None:
            self._keep(noted(opened, hosts, known.answers.decisions))

        latest = recommendations(talk, journey, keep)
        if latest.answers.decisions == journey.answers.decisions:
            return opened
        _begun(talk, len(group.hosts))
        return decided(opened, hosts, latest.answers.decisions, _ignored)


def _told(talk: Talk, opened: OpenFleet) -> None:
    talk.say("", *fleet_text(opened.fleet).splitlines())
    for failed in opened.fleet.failed:
        talk.complain(harmless(f"{failed.host}: {failed.why}"))
    for unused in opened.fleet.unused:
        talk.complain(harmless(unused))
    for changed in since_in_words(opened.since):
        talk.complain(f"{RESUMED}, {changed}")
    talk.say("")


def _choices(opened: OpenFleet) -> tuple[Choice, ...]:
    groups = (
        Choice(
            key=f"{GROUP}{host_group.name}",
            title=f"Review {host_group.name}",
            about=f"{how_many(len(host_group.hosts), 'host')}; decide for all of them",
        )
        for host_group in opened.fleet.groups
    )
    write = Choice(key=WRITE, title="Write the bundles and the Ansible project", about="nothing is applied")
    offered = (write,) if opened.fleet.groups else ()
    return (AT_LEAVING, *groups, *offered)


def _all(group: HostGroup) -> str:
    return how_many(len(group.hosts), "host")


def _written(talk: Talk, opened: OpenFleet, usual: str) -> FleetWritten:
    """Asks for the directory until the project is written; raises BackRequested."""
    talk.say("", "A directory that exists is never overwritten. Nothing is applied by writing it.")
    while True:
        typed = ask_text(talk, "Directory", "for the project", usual, str)
        out = Path(typed).expanduser()
        try:
            write_fleet(opened.fleet, opened.answers, out, _ignored)
        except TunewizError as error:
            talk.complain(str(error))
        else:
            return FleetWritten(directory=typed, words=written_in_words(opened.fleet, out))


def _watched(talk: Talk, directory: Path, leaving: Leaving) -> Outcome:
    """Prints the progress of a rollout as often as the user asks."""
    talk.leave = leaving.leave
    choices = (
        Choice(key=LEAVE, title="Leave"),
        Choice(key=AGAIN, title="Read it again"),
    )
    while True:
        rollout, current_time = read_rollout(directory), int(time.time())
        talk.say("", f"{rollout_in_words(rollout)}:")
        talk.read(tuple(row.text for row in rollout_rows(rollout, current_time)))
        for host in filter(needs_attention, rollout.hosts):
            talk.say("")
            talk.read(tuple(host_in_full(host, rollout, current_time)))
        talk.say("")
        try:
            if ask_choice(talk, choices, LEAVE) == LEAVE:
                return Dropped()
        except BackRequested:
            talk.complain("this is the first question")
