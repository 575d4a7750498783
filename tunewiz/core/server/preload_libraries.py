"""shared_preload_libraries: a list of names, to which others have added theirs."""

from __future__ import annotations

import re

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.values.known import Unknown, needed

SETTING = "shared_preload_libraries"
_NAME = re.compile(r'"((?:[^"]|"")*)"|[^,\s"]+')


def libraries_in(text: str) -> tuple[str, ...]:
    """The names, without quotes, directory and ending.

    >>> libraries_in('auto_explain, "$libdir/pg_stat_statements.so"')
    ('auto_explain', 'pg_stat_statements')
    """
    names = (match[1] if match[1] is not None else match[0] for match in _NAME.finditer(text))
    return tuple(name.rpartition("/")[2].removesuffix(".so") for name in names if name)


def with_libraries(text: str, names: tuple[str, ...]) -> str:
    """The same list with these at its end: the order of what is there may matter.

    >>> with_libraries("auto_explain", ("pg_prewarm",))
    'auto_explain, pg_prewarm'
    """
    return ", ".join((*([text.strip().rstrip(",")] if text.strip() else []), *names))


def is_installed(extension: str, situation: Situation) -> bool:
    """Whether the server has this extension's files; raises MissingFact where it was not asked."""
    match situation.server:
        case PostgresServer(extensions=extensions):
            return extension in needed(extensions, "the extensions that are installed")
        case NoServer(why=why):
            return extension in needed(Unknown(why), "the extensions that are installed")
