"""Linux 7.0 has no PREEMPT_NONE: on many processors a server without huge pages may lose throughput to it."""

from __future__ import annotations

import re
from typing import Final

from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.server.shared_memory import WORTH_HUGE_PAGES, huge_pages_needed, pages_reserved
from tunewiz.core.values.known import Known, MissingFact, known_or

WITHOUT_PREEMPT_NONE: Final = (7, 0)
"""The first kernel without it (commit 7dadeaa6e851)."""

MEASURED_ON: Final = 96
"""Processors of the machine on which the loss was measured (Graviton 4); of fewer nothing is known."""

_RELEASE = re.compile(r"(\d+)\.(\d+)")
_BOTH_SIDES = (
    "on a Graviton 4 with 96 processors, 1,024 clients and pages of 4 kB throughput was reported to halve "
    "(98,565 to 50,751 transactions a second, in April 2026), and huge pages to remove the loss; others call "
    "the case narrow"
)


def preemption_in_words(end: Situation) -> str:
    """What to know before or after the step to Linux 7.0; empty where that case is not this machine's."""
    release = _RELEASE.match(known_or(end.facts.host.kernel, ""))
    if release is None or not _like_the_measured(end) or _has_huge_pages(end):
        return ""
    if (int(release[1]), int(release[2])) < WITHOUT_PREEMPT_NONE:
        return (
            "Before this kernel is upgraded to 7.0 or newer, which has no PREEMPT_NONE, give the server huge "
            f"pages: {_BOTH_SIDES}."
        )
    return (
        "This kernel has no PREEMPT_NONE (Linux 7.0 removed it), so huge pages weigh more here: "
        f"{_BOTH_SIDES}."
    )


def _like_the_measured(end: Situation) -> bool:
    if isinstance(end.server, NoServer) or known_or(end.facts.cpu.online, 0) < MEASURED_ON:
        return False
    return end.will_be_size("shared_buffers") >= WORTH_HUGE_PAGES


def _has_huge_pages(end: Situation) -> bool:
    """Whether the plan ends with them; unknown pages are no reason to warn."""
    if end.will_be("huge_pages") == "off":
        return False
    try:
        return pages_reserved(end) >= huge_pages_needed(end).count
    except MissingFact:
        return not isinstance(end.facts.memory.huge_page_size, Known)
