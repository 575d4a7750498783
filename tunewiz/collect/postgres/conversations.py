"""What the process that queries a server does on request: all of it prints its answer."""

from __future__ import annotations

from tunewiz.collect.postgres.deep_session import look_deeper
from tunewiz.collect.postgres.plans_session import plan_statements
from tunewiz.collect.postgres.protocol import Attempt, Request
from tunewiz.collect.postgres.script_statements_session import find_script_statements
from tunewiz.collect.postgres.session import converse
from tunewiz.collect.postgres.waits_session import sample_waits
from tunewiz.collect.postgres.watching_session import watch


def converse_with(attempt: Attempt, request: Request) -> None:
    """Do what the request is for; raises what the session raises."""
    if request.watch:
        watch(attempt, request)
    elif request.waits:
        sample_waits(attempt, request)
    elif request.deep:
        look_deeper(attempt, request)
    elif request.plans is not None:
        print(plan_statements(attempt, request, request.plans))  # noqa: T201 - the answer
    elif request.script is not None:
        print(find_script_statements(attempt, request, request.script))  # noqa: T201 - the answer
    else:
        print(converse(attempt, request).to_json())  # noqa: T201 - the answer
