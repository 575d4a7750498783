"""Many servers line by line: the groups, one review each, the project, and its rollout."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NoReturn

from tunewiz.core.fleet.groups import Group
from tunewiz.core.values.errors import TunewizError
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.harmless import harmless
from tunewiz.fleet.answers import named_answers
from tunewiz.fleet.one_host import planned_again
from tunewiz.fleet.open_fleet import OpenFleet, decided, open_fleet
from tunewiz.fleet.planning import Progress
from tunewiz.fleet.rollout import is_project, read_rollout
from tunewiz.fleet.write import write_fleet, written_in_words
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.plain.advice import recommendations
from tunewiz.plain.line_io import BackRequested, Talk
from tunewiz.plain.prompts import ask_choice, ask_text
from tunewiz.text.choice import Choice
from tunewiz.text.fleet import fleet_text
from tunewiz.text.review_document import review_rows
from tunewiz.text.rollout import host_in_full, needs_attention, rollout_in_words, rollout_rows
from tunewiz.wizard.journey import begin
from tunewiz.wizard.outcome import Dropped, FleetWritten, Outcome, bundle_name
from tunewiz.wizard.ports import WizardStart

HOW_HERE = (
    "Type a number or a value, then Enter. Enter alone accepts the value in brackets.",
    "b: back. q: leave; decisions are kept in the written project only.",
)
WRITE, LEAVE, AGAIN = "write", "leave", "again"
GROUP = "group "
"""Prefix of groups' keys."""


class FleetLeft(Exception):  # noqa: N818 - a request, not an error
    """The user left."""


def fleet_dialogue(talk: Talk, start: WizardStart) -> Outcome:
    """Asks until the project is written or the user leaves; raises TunewizError if there are no facts."""
    talk.leave = _leave
    talk.say(*HOW_HERE)
    try:
        if is_project(Path(start.fleet)):
            return _watched(talk, Path(start.fleet))
        return _reviewed(talk, start)
    except FleetLeft:
        return Dropped()


def _leave() -> NoReturn:
    raise FleetLeft


def _ignored(_: int) -> None:
    """No progress: a line for each host would bury what matters."""


def _begun(talk: Talk, total: int) -> None:
    talk.say(f"Reading and planning {how_many(total, 'host')} ...")


def _reviewed(talk: Talk, start: WizardStart) -> Outcome:
    answers = named_answers(start.fleet_answers)

    def progress(total: int) -> Progress:
        _begun(talk, total)
        return _ignored

    opened = open_fleet(start.fleet, answers, progress)
    out = bundle_name("rollout", start.ports.today())
    while True:
        _told(talk, opened)
        try:
            chosen = ask_choice(talk, _choices(opened), LEAVE)
            if chosen == LEAVE:
                return Dropped()
            if chosen == WRITE:
                return _written(talk, opened, out)
            opened = _decided(talk, opened, chosen.removeprefix(GROUP))
        except BackRequested:
            talk.say("", "Back to the groups.")
        except TunewizError as error:
            talk.complain(str(error))


def _told(talk: Talk, opened: OpenFleet) -> None:
    talk.say("", *fleet_text(opened.fleet).splitlines())
    for failed in opened.fleet.failed:
        talk.complain(harmless(f"{failed.host}: {failed.why}"))
    for unused in opened.fleet.unused:
        talk.complain(harmless(unused))
    talk.say("")


def _choices(opened: OpenFleet) -> tuple[Choice, ...]:
    groups = (
        Choice(
            key=f"{GROUP}{each.name}",
            title=f"Review {each.name}",
            about=f"{how_many(len(each.hosts), 'host')}; decide for all of them",
        )
        for each in opened.fleet.groups
    )
    write = Choice(key=WRITE, title="Write the bundles and the Ansible project", about="nothing is applied")
    offered = (write,) if opened.fleet.groups else ()
    return (Choice(key=LEAVE, title="Leave", about="nothing is kept"), *groups, *offered)


def _decided(talk: Talk, opened: OpenFleet, name: str) -> OpenFleet:
    """Shows a group's review, then asks as for one host."""
    group = opened.group(name)
    first = planned_again(group.hosts[0], opened.answers)
    talk.say("")
    talk.read(review_rows(opened.review(group, first.plan)))
    talk.say("", f"Your decisions now apply to {_all(group)}; the values shown are those of the first.")
    journey = begin(first.facts, first.answers, load_knowledge())
    latest = recommendations(talk, journey, lambda _: None)
    if latest.answers.decisions == journey.answers.decisions:
        return opened
    _begun(talk, len(group.hosts))
    hosts = frozenset(each.host for each in group.hosts)
    return decided(opened, hosts, latest.answers.decisions, _ignored)


def _all(group: Group) -> str:
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


def _watched(talk: Talk, directory: Path) -> Outcome:
    """Prints the progress of a rollout as often as the user asks."""
    choices = (
        Choice(key=LEAVE, title="Leave"),
        Choice(key=AGAIN, title="Read it again"),
    )
    while True:
        rollout, now = read_rollout(directory), int(time.time())
        talk.say("", f"{rollout_in_words(rollout)}:")
        talk.read(tuple(row.text for row in rollout_rows(rollout, now)))
        for host in filter(needs_attention, rollout.hosts):
            talk.say("")
            talk.read(tuple(host_in_full(host, rollout, now)))
        talk.say("")
        try:
            if ask_choice(talk, choices, LEAVE) == LEAVE:
                return Dropped()
        except BackRequested:
            talk.complain("this is the first question")
