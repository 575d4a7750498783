"""What became of a host since it was read before, for a person at a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import get_args

from rich.text import Text

from tunewiz.core.health.ahead import ahead_in_words
from tunewiz.core.health.findings_since import FindingChange, FindingNews
from tunewiz.core.health.forecast import seconds_between, time_in_words
from tunewiz.core.health.news import News, NewsKind
from tunewiz.core.health.trouble import TroubleKind
from tunewiz.core.words.harmless import harmless
from tunewiz.formats.since import HostNews
from tunewiz.text.report import line, paper_width, printed
from tunewiz.text.wrapping import hanging

INDENT = "  "
A_MINUTE = 60
TROUBLES = frozenset[str](get_args(TroubleKind))
FINDINGS: Mapping[FindingChange, str] = {
    "new": "New troubles and warnings",
    "worse": "Worse than then",
    "gone": "No trouble any more, as it was told then",
}
TITLES: Mapping[NewsKind, str] = {
    "applied": "Applied, as it was planned",
    "applied, waits for a restart": "Applied, and in force after a restart",
    "planned, not applied": "Planned, and still as before",
    "planned, and changed otherwise": "Planned, and changed otherwise",
    "changed": "Changed",
    "machine and servers": "Machine and servers",
    "size": "Sizes",
    "at work, observed only": "At work (observed: another load may be why)",
}


def since_text(result: HostNews) -> str:
    """The whole report."""
    width = paper_width()
    return printed(
        line(row.plain, str(row.style)) for text in since_rows(result) for row in hanging(text, width)
    )


def since_rows(result: HostNews) -> Iterator[Text]:
    """The same, group by group; text after a tab is indented under it."""
    host = harmless(result.host or "this host")
    yield Text(f"{host}: since {_when(result)}", style="bold")
    if not result.news and not result.findings:
        yield Text("Nothing that was known both times has changed.")
    for change, title in FINDINGS.items():
        findings = [entry for entry in result.findings if entry.change == change]
        if findings:
            yield Text()
            yield Text(f"{title} ({len(findings)})", style="bold")
            yield from map(_finding, findings)
    for kind, title in TITLES.items():
        news = [entry for entry in result.news if entry.kind == kind]
        if news:
            yield Text()
            yield Text(f"{title} ({len(news)})", style="bold")
            yield from map(_row, news)
    if result.ahead:
        yield Text()
        yield Text("Ahead, if it goes on as it did", style="bold")
        for ahead in result.ahead:
            yield Text(f"{INDENT}\t{harmless(ahead_in_words(ahead))}.")


def _when(result: HostNews) -> str:
    """`2026-11-20 14:00 UTC, 9 days ago (the session db1-...)`."""
    earlier = harmless(result.earlier)
    if not result.then:
        return f"{earlier}, read at a time that it does not say"
    seconds = seconds_between(result.then, result.read_at)
    ago = f", {time_in_words(seconds)} ago" if seconds and seconds >= A_MINUTE else ""
    return f"{result.then[:10]} {result.then[11:16]} UTC{ago} ({earlier})"


def _finding(news: FindingNews) -> Text:
    """A trouble by its name; a warning needs none."""
    named = ": ".join(part for part in (news.kind, news.what) if part)
    parts = (news.server, named if news.kind in TROUBLES else "")
    lead = ": ".join(part for part in parts if part)
    if news.change == "gone" and news.kind in TROUBLES and news.what:
        return Text.assemble(f"{INDENT}\t", (harmless(lead), "bold"))
    because = _in_short(news.because) if news.change == "gone" else news.because
    return Text.assemble(f"{INDENT}\t", (harmless(f"{lead}: " if lead else ""), "bold"), harmless(because))


def _in_short(because: str) -> str:
    """What it was: nobody has to act on what is gone."""
    return re.split(r"(?<=\D): (?![a-z_]+ = )|\. ", because, maxsplit=1)[0].removesuffix(".")


def _row(news: News) -> Text:
    by = f", {news.by}" if news.by else ""
    values = f": {news.before} -> {news.after}{by}"
    return Text.assemble(f"{INDENT}\t", (harmless(news.what), "bold"), harmless(values))
