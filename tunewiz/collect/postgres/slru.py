"""How the transaction status caches (SLRU) were used, from the server's own view."""

from __future__ import annotations

import json

from tunewiz.collect.postgres.protocol import Answer
from tunewiz.collect.postgres.queries import Query
from tunewiz.core.facts.slru import SlruCache
from tunewiz.core.values.known import Fact, Known, Unknown

_NAME = "slru"
_FIRST_SETTINGS = 170_000
"""Before 17 their sizes are fixed, and the view has other names for them."""
_CACHES = Query(
    columns=(_NAME,),
    sql="""select coalesce(json_agg(json_build_object('name', name, 'hit', blks_hit, 'read', blks_read)
                                    order by name), '[]')::text
           from pg_stat_slru""",
)


def slru_queries(release: int) -> tuple[Query, ...]:
    """The statement for a server_version_num, where there is something to ask."""
    return (_CACHES,) if release >= _FIRST_SETTINGS else ()


def slru_of(answer: Answer) -> Fact[tuple[SlruCache, ...]]:
    """What was counted."""
    if answer.release < _FIRST_SETTINGS:
        return Unknown("PostgreSQL before 17 has no settings for these caches")
    if _NAME not in answer.texts:
        return Unknown(answer.refused.get(_NAME, "the server did not report it"))
    return Known(
        tuple(SlruCache(**load) for load in json.loads(answer.texts[_NAME])), f"pg_stat_slru {answer.how}"
    )
