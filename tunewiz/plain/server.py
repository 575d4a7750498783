"""Which server, of which version, on what storage: what the facts leave open."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from tunewiz.core.answers.parsing import major
from tunewiz.core.answers.questions import SHARE
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.versions import SUPPORTED_RANGE
from tunewiz.plain.line_io import Talk
from tunewiz.plain.measuring import probing, reading_log
from tunewiz.plain.prompts import ask_choice, ask_text
from tunewiz.plain.question_sequence import Question, answered, answered_or_told
from tunewiz.plain.watching import watching
from tunewiz.text.counters import counters
from tunewiz.text.server_choice import (
    AS_FOUND,
    KINDS,
    STORAGE_QUESTION,
    directory_of,
    is_major_open,
    needs_major,
    server_at,
    servers,
    storages,
    unread,
)
from tunewiz.text.watching import can_be_watched
from tunewiz.wizard.journey import Journey
from tunewiz.wizard.ports import Ports


def server_questions(journey: Journey, ports: Ports) -> Iterator[Question]:
    """Only those that apply to this machine."""
    if len(journey.facts.postgres) > 1:
        yield _which
    if needs_major(journey):
        yield _which_major
    if journey.plan.start.running_servers > 1:
        yield _share
    if journey.is_this_host:
        yield probing(ports)
        yield reading_log(ports)
    yield _storage
    if journey.is_this_host and any(map(can_be_watched, journey.facts.postgres)):
        yield watching(ports.watch)


def _which(talk: Talk, journey: Journey) -> Journey:
    talk.say("", "The plan is for one of these servers:")
    key = ask_choice(talk, tuple(servers(journey)), server_at(journey))
    server = dataclasses.replace(journey.answers.server, data_directory=directory_of(journey, key))
    return answered_or_told(talk, journey, dataclasses.replace(journey.answers, server=server))


def _which_major(talk: Talk, journey: Journey) -> Journey:
    directory = journey.answers.server.data_directory
    if not is_major_open(journey, directory):
        server = dataclasses.replace(journey.answers.server, postgres=None)
        return answered_or_told(talk, journey, dataclasses.replace(journey.answers, server=server))
    if not journey.facts.postgres:
        talk.say("", "No PostgreSQL server was found: default settings are assumed.")

    def take(text: str) -> Journey:
        server = dataclasses.replace(journey.answers.server, postgres=major("major version", text))
        return answered(talk, journey, dataclasses.replace(journey.answers, server=server))

    return ask_text(talk, "Major version", SUPPORTED_RANGE, str(journey.plan.start.major), take)


def _share(talk: Talk, journey: Journey) -> Journey:
    def take(text: str) -> Journey:
        return answered(talk, journey, SHARE.taken(journey.answers, text))

    return ask_text(talk, SHARE.title, SHARE.about, SHARE.shown(journey.answers), take)


def _storage(talk: Talk, journey: Journey) -> Journey:
    planned = journey.plan.start.server
    if isinstance(planned, PostgresServer) and (why := unread(planned)):
        talk.say("", why)
    if isinstance(planned, PostgresServer) and (result := counters(planned)):
        talk.say("")
        talk.read(result)
    talk.say("", STORAGE_QUESTION)
    key = ask_choice(talk, tuple(storages(journey)), journey.answers.server.storage or AS_FOUND)
    kind = next((kind for kind in KINDS if kind == key), None)
    server = dataclasses.replace(journey.answers.server, storage=kind)
    return answered_or_told(talk, journey, dataclasses.replace(journey.answers, server=server))
