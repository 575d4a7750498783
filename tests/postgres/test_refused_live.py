"""A real server that lets nobody in: its reason is kept in the facts and shown wherever the server is."""

import dataclasses

import pytest

from live_servers import let_in, the_server, value, why
from real_postgres import Cluster
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import PostgresServer, not_asked
from tunewiz.core.values.known import Known
from tunewiz.formats.records import facts_from_json, facts_to_json
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import default_answers
from tunewiz.text.machine import server_words
from tunewiz.text.server_choice import unread
from tunewiz.wizard.journey import Journey, begin

REFUSED = {
    "pg_hba rejects": ("local all all reject", "pg_hba.conf rejects connection for host"),
    "a password is needed": ("local all all scram-sha-256", "no password supplied"),
}


def with_server(server: PostgresServer) -> Facts:
    """An example machine with this server in the place of its own, as a facts file brings it."""
    facts = dataclasses.replace(demo_facts("nvme-server"), postgres=(server,))
    return facts_from_json(facts_to_json(facts), "facts.json")


def journey(server: PostgresServer) -> Journey:
    knowledge, facts = load_knowledge(), with_server(server)
    answers = default_answers(facts, knowledge)
    return begin(facts, answers, knowledge, origin="example")


@pytest.mark.parametrize("case", REFUSED)
def test_a_server_that_refuses_is_shown_with_its_reason(running_cluster: Cluster, case: str) -> None:
    line, reason = REFUSED[case]
    let_in(running_cluster, line)
    server = the_server(running_cluster)
    assert server.running
    assert reason in why(server.version)
    assert isinstance(server.settings, Known), "the files are read instead"
    assert reason in not_asked(server)
    page = journey(server)
    assert reason in unread(server)
    assert "taken from its files" in unread(server)
    assert "could not be queried" in server_words(page.facts.postgres[0])
    (warned,) = [warning.text for warning in page.plan.warnings if warning.code == "server_not_asked"]
    assert reason in warned


def test_a_server_that_answers_is_shown_without_a_word_of_it(running_cluster: Cluster) -> None:
    let_in(running_cluster, "local all all trust")
    server = the_server(running_cluster)
    assert value(server.version)
    page = journey(server)
    assert (not_asked(server), unread(server)) == ("", "")
    assert "asked" not in server_words(page.facts.postgres[0])
    assert "server_not_asked" not in {warning.code for warning in page.plan.warnings}


def test_a_server_that_does_not_run_was_not_refused(running_cluster: Cluster) -> None:
    let_in(running_cluster, "local all all reject")
    refused = the_server(running_cluster)
    assert not_asked(refused)
    assert not_asked(dataclasses.replace(refused, running=False)) == ""
