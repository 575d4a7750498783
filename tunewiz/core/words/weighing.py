"""Why a finding has its value, in words: documents, what this server showed, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.weighing import Sureness, Weighed

SURE: Mapping[Sureness, str] = MappingProxyType(
    {
        "seen": "seen on this server",
        "changes nothing": "from documents: what was seen here changes nothing",
        "too little": "from documents: too little was seen here",
        "not seen": "from documents: nothing was seen here",
    }
)
NOTHING = "nothing to set"


def how_sure(finding: Finding) -> str:
    """A few words; empty where no server's numbers bear on it."""
    weighed = finding.weighed
    return SURE[weighed.sure] if isinstance(weighed, Weighed) else ""


def seen_in_words(finding: Finding) -> str:
    """What this server showed; empty where it showed nothing."""
    weighed = finding.weighed
    return "; ".join(entry.words for entry in weighed.seen) if isinstance(weighed, Weighed) else ""


def weighing_in_words(finding: Finding) -> str:
    """`documents: 4MB; here: 96MB holds …; so 96MB (seen on this server)`; empty as above."""
    weighed = finding.weighed
    if not isinstance(weighed, Weighed):
        return ""
    prior, posterior = weighed.prior or NOTHING, weighed.posterior or NOTHING
    if not weighed.seen:
        return f"{posterior} ({how_sure(finding)})"
    so = f"so {posterior}" if posterior != prior else f"so still {posterior}"
    return f"documents: {prior}; here: {seen_in_words(finding)}; {so} ({how_sure(finding)})"
