"""Makes docs/own-numbers.md: two servers that differ only in what they counted, and how their plans differ.

PYTHONPATH=tests/support .venv/bin/python .ci/own_numbers_page.py [-o FILE]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

from page_file import write_page

from tunewiz.bundle.review.markdown import prose
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.planning.weighing import Weighed
from tunewiz.core.recommendation.verdicts import Declined
from tunewiz.core.words.finding import name_of, words_of
from tunewiz.core.words.weighing import weighing_in_words
from tunewiz.knowledge.loading import Knowledge, load_knowledge
from two_servers import DAYS, HEALTHY, MACHINE, STRAINED
from watched import activity, with_statistics

INTRODUCTION = (
    "# This server's own numbers decide",
    "",
    "Papers and manuals say what is likely; a server that has been running for a while shows more.",
    "Where its counters, a watched time (`--watch`), its log (`--log`) or a probe of its storage",
    "show enough, they decide, and the plan says so.",
    "Where they show too little, the documented value stays, and the plan says that too.",
    "How much is enough, and the thresholds, are in `profiles/seen.toml`.",
    "",
    "`make docs` generates this page from the program.",
    "",
    "## Two servers",
    "",
    f"The same machine, the same settings, the same answers; both counted for {DAYS} days.",
    "The documented value is computed with the other values of the same plan.",
    "",
)
COUNTED = (
    ("pages found in shared_buffers", "blocks_hit", "blocks_read"),
    ("checkpoints that WAL forced", "checkpoints_requested", "checkpoints_timed"),
    ("rows that are dead", "dead_rows", "live_rows"),
)


def page(knowledge: Knowledge) -> str:
    """The whole page."""
    plans = [
        plan_of(knowledge.catalogue, with_statistics(MACHINE, since=activity(**entry)))
        for entry in (HEALTHY, STRAINED)
    ]
    lines = (*INTRODUCTION, *_counted(), *_decided(*plans), *_followed(*plans), *_read(knowledge))
    return "\n".join(lines)


def _counted() -> Iterator[str]:
    yield from ("| | one | the other |", "|---|---|---|")
    for words, part, rest in COUNTED:
        yield f"| {words} | {_share(HEALTHY, part, rest)} | {_share(STRAINED, part, rest)} |"
    yield f"| temporary files | {HEALTHY['temp_files']:,} | {STRAINED['temp_files']:,}, 100 TiB |"
    ages = f"{HEALTHY['transaction_age']:,} | {STRAINED['transaction_age']:,}"
    yield from (f"| age of the oldest transaction | {ages} |", "")


def _share(counted: Mapping[str, int], part: str, rest: str) -> str:
    total = counted[part] + counted[rest]
    return f"{100 * counted[part] / total:.4g} % of {total:,}"


def _decided(one: Plan, other: Plan) -> Iterator[str]:
    yield from (
        "Settings that their counters decide:",
        "",
        "| setting | documented | one | the other |",
        "|---|---|---|---|",
    )
    for first, second in _pairs(one, other):
        if isinstance(first.weighed, Weighed) and first.weighed.seen:
            prior = prose(first.weighed.prior)
            cells = f"{prior} | {_outcome(first, one)} | {_outcome(second, other)}"
            yield f"| `{name_of(first).short}` | {cells} |"
    yield ""
    for first, second in _pairs(one, other):
        if isinstance(first.weighed, Weighed) and first.weighed.seen:
            yield f"- `{name_of(first).short}`"
            yield f"  - one: {prose(weighing_in_words(first))}"
            yield f"  - the other: {prose(weighing_in_words(second))}"
    yield ""


def _followed(one: Plan, other: Plan) -> Iterator[str]:
    yield from (
        "Settings that differ because they depend on these:",
        "",
        "| setting | one | the other |",
        "|---|---|---|",
    )
    for first, second in _pairs(one, other):
        if not (isinstance(first.weighed, Weighed) and first.weighed.seen):
            yield f"| {prose(name_of(first).short)} | {_told(first, one)} | {_told(second, other)} |"
    yield ""


def _pairs(one: Plan, other: Plan) -> Iterator[tuple[Finding, Finding]]:
    """Findings that differ in any word, by the name of what they are about."""
    both = zip(one.findings, other.findings, strict=True)
    by_name = sorted(both, key=lambda pair: pair[0].recommendation.id)
    yield from ((first, second) for first, second in by_name if _all(first) != _all(second))


def _all(finding: Finding) -> tuple[str, str, str]:
    return finding.state, finding.because, _line(finding)


def _told(finding: Finding, plan: Plan) -> str:
    outcome, why = _outcome(finding, plan), _line(finding)
    return why if why.startswith(outcome) else f"{outcome}: {why}"


def _outcome(finding: Finding, plan: Plan) -> str:
    words = words_of(finding, plan.start)
    return prose(f"{words.now.short} stays" if isinstance(finding.verdict, Declined) else words.then.short)


def _line(finding: Finding) -> str:
    verdict = finding.verdict
    return prose(verdict.because if isinstance(verdict, Declined) else verdict.computed)


def _read(knowledge: Knowledge) -> Iterator[str]:
    yield from (
        "## Numbers that are read",
        "",
        "| recommendation | the server's own numbers that it reads |",
        "|---|---|",
    )
    for entry in sorted(knowledge.catalogue, key=lambda item: item.id):
        if entry.witnesses:
            yield f"| `{entry.id}` | {prose('; '.join(witness.of for witness in entry.witnesses))} |"
    yield ""
    yield from (
        "`maintenance_work_mem` stays the documented share of memory, within what the others leave.",
        "Neither the counters nor what is read of the log tell how often a vacuum passed over the indexes,",
        "or which temporary files an index build wrote.",
        "",
    )


if __name__ == "__main__":
    sys.exit(write_page("own-numbers.md", lambda: page(load_knowledge())))
