"""Makes docs/settings.md: what becomes of every setting of every major version.

.venv/bin/python .ci/settings_page.py [-o FILE]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping

from page_file import write_page

from tunewiz.bundle.review.markdown import prose
from tunewiz.core.values.versions import SUPPORTED
from tunewiz.knowledge.accounted import Account, Kind, accounts, load_no_advice, majors_with
from tunewiz.knowledge.loading import Knowledge, load_knowledge

INTRODUCTION = (
    "# Every setting, accounted for",
    "",
    "PostgreSQL has hundreds of settings, and few of them are worth a thought on a given machine.",
    "This page says of each what becomes of it:",
    "a recommendation, a warning of dangerous values, or nothing, and why.",
    "",
    "`make docs` generates this page from the program.",
    "",
)


def page(knowledge: Knowledge) -> str:
    """The whole page."""
    decided = accounts(knowledge, load_no_advice())
    lines = (
        *INTRODUCTION,
        *_by_major(knowledge, decided),
        *_section("Recommendations", "recommendation", "recommendation", knowledge, decided),
        *_section("Dangerous values only", "danger", "what they do", knowledge, decided),
        *_no_advice(knowledge),
    )
    return "\n".join((*lines, ""))


def _by_major(knowledge: Knowledge, decided: Mapping[str, Account]) -> Iterator[str]:
    yield "| PostgreSQL | settings | recommendations | dangerous values only | no advice |"
    yield "|---|---|---|---|---|"
    for major in SUPPORTED:
        known = knowledge.settings[major].known
        number = Counter(decided[name].kind for name in known)
        kinds: tuple[Kind, ...] = ("recommendation", "danger", "no advice")
        yield f"| {major} | {len(known)} | {' | '.join(str(number[kind]) for kind in kinds)} |"
    yield ""


def _section(
    title: str, kind: Kind, column: str, knowledge: Knowledge, decided: Mapping[str, Account]
) -> Iterator[str]:
    yield from (f"## {title}", "", f"| setting | PostgreSQL | {column} |", "|---|---|---|")
    for name in sorted(decided, key=str.lower):
        if decided[name].kind == kind:
            why = f"`{decided[name].why}`" if kind == "recommendation" else prose(decided[name].why)
            yield f"| `{name}` | {_majors(knowledge, name)} | {why} |"
    yield ""


def _no_advice(knowledge: Knowledge) -> Iterator[str]:
    yield from ("## No advice", "", "| settings | why |", "|---|---|")
    for row in load_no_advice().rows:
        names = ", ".join(
            f"`{name}` ({_majors(knowledge, name)})" for name in sorted(row.settings, key=str.lower)
        )
        yield f"| {names} | {prose(row.why)} |"


def _majors(knowledge: Knowledge, name: str) -> str:
    majors = majors_with(knowledge, name)
    if majors == tuple(SUPPORTED):
        return "all"
    return str(majors[0]) if len(majors) == 1 else f"{majors[0]} to {majors[-1]}"


if __name__ == "__main__":
    sys.exit(write_page("settings.md", lambda: page(load_knowledge())))
