"""The review's first appendix: what no setting helps, with statements that stay text."""

import dataclasses

from small_health import HEALTHY, PREPARED, SESSION
from small_plans import small_answers, small_facts
from small_tables import database
from tunewiz.bundle.review.document import review_of
from tunewiz.bundle.review.markdown import markdown
from tunewiz.core.facts.health import Health
from tunewiz.core.values.known import Known
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import make_plan

TITLE = "## No setting helps these"


def reviewed(health: Health) -> str:
    facts = small_facts(health=Known(health, "a look"), tables=Known((database(),), "a look"))
    return markdown(review_of(make_plan(facts, small_answers(), load_knowledge())))


def test_it_stands_before_the_evidence_for_the_changes() -> None:
    text = reviewed(dataclasses.replace(HEALTHY, transactions=(SESSION, PREPARED)))
    assert text.index(TITLE) < text.index("## Evidence")
    section = text[text.index(TITLE) : text.index("## ", text.index(TITLE) + 3)]
    assert "`SELECT pg_terminate_backend(4711);`" in section
    assert "`ROLLBACK PREPARED 'it''s';`" in section
    assert section.count("\n- ") == 2


def test_a_server_without_trouble_has_no_such_section() -> None:
    assert TITLE not in reviewed(HEALTHY)


def test_names_that_the_servers_owner_chose_stay_text() -> None:
    hostile = dataclasses.replace(SESSION, application="<script> **x** [z](javascript:1)\n# h")
    text = reviewed(dataclasses.replace(HEALTHY, transactions=(hostile,)))
    assert "<script>" not in text
    assert "\n# h" not in text
