"""Samples what sessions wait for between two looks at a watched server, in the process that queries it."""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from dataclasses import replace
from typing import LiteralString

import psycopg

from tunewiz.collect.postgres.queries import LIMITS
from tunewiz.collect.postgres.safe_connection import Connection
from tunewiz.collect.postgres.samples import WAITS, Sample
from tunewiz.collect.postgres.session import one_line
from tunewiz.collect.postgres.waits import sample_query

REST = 100
"""Pauses are as many times as long as the fastest sample took: about 1 % of one processor."""
STATEMENT_LIMIT = "1s"


class WaitSampler:
    """Counts what was waited for; a sample that fails is the last one, and takes nothing else with it."""

    def __init__(self, connection: Connection, pause: float) -> None:
        self._connection, self._pause = connection, pause
        self._statement: LiteralString = sample_query(connection.info.server_version)
        self._counts = Counter[tuple[str, str]]()
        self._samples, self._fastest, self._due, self._why = 0, math.inf, 0.0, ""

    def look(self) -> None:
        """Take one sample; raises psycopg.Error if the connection is lost."""
        begin = time.monotonic()
        try:
            counts = json.loads(one_value(self._connection, self._statement))
        except psycopg.Error as error:
            if self._connection.closed:
                raise
            self._why = one_line(error)
            return
        self._fastest = min(self._fastest, time.monotonic() - begin)
        self._due = begin + max(self._pause, REST * self._fastest)
        self._samples += 1
        for kind, event, count in counts:
            self._counts[kind, event] += count

    def until_next(self) -> float:
        """Seconds until the next sample is due: longer on a server that is slow to answer."""
        return math.inf if self._why else max(0.0, self._due - time.monotonic())

    def added_to(self, sample: Sample) -> Sample:
        """The sample with what was counted since the last one."""
        waits = tuple((kind, event, count) for (kind, event), count in sorted(self._counts.items()))
        refused = {**sample.refused, WAITS: self._why} if self._why else sample.refused
        result = replace(sample, wait_samples=self._samples, waits=waits, refused=refused)
        self._samples = 0
        self._counts.clear()
        return result


def one_value(connection: Connection, statement: LiteralString) -> str:
    """The only value of a statement in a transaction of its own: within one, the view would not change."""
    with connection.transaction():
        connection.execute(LIMITS, (STATEMENT_LIMIT,))
        row = connection.execute(statement).fetchone()
    return str(row[0]) if row else "[]"
