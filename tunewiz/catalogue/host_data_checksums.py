"""Checksums on data pages: damage by storage is seen."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import needed
from tunewiz.core.values.versions import V12


def decide(situation: Situation) -> Verdict:
    """Advice where they are off."""
    if needed(situation.setting("data_checksums"), "data_checksums") == "on":
        return Declined(because="data checksums are on", kind="keep")
    why = "damage by disks, controllers or memory stays unseen until someone reads wrong data"
    if situation.major < V12:
        return Advice(
            because=why,
            steps=("At the next move to a new cluster: initdb --data-checksums, then restore into it.",),
            undo=("Nothing was changed.",),
        )
    return Advice(
        because=why,
        steps=(
            "In a maintenance window, with a backup: stop the server, and its standbys or primary.",
            "pg_checksums --enable --progress -D DATA on each: it reads and writes every page.",
            "Start them; with wal_log_hints or checksums on, some more WAL is written.",
        ),
        undo=("Stop the server, pg_checksums --disable -D DATA, start it.",),
    )


RECOMMENDATION = Recommendation(
    id="host.data_checksums",
    title="Turn on data checksums",
    group="durability",
    target=AdviceTarget(name="data checksums"),
    explanation=Explanation(
        changes="Each page of the data carries a checksum that is checked when it is read. From 18 on initdb "
        "turns them on by itself.",
        helps="Damage by storage is reported at the next read, while a good backup still exists.",
        leave_alone="On file systems that check their own blocks (ZFS, Btrfs), where it is less needed.",
        costs="The server is stopped while every page is rewritten: minutes to hours; 19 cannot do it while "
        "it runs either (its release candidate had no such function). Afterwards a little "
        "processor time, and more WAL for hint bits.",
        watch="checksum_failures in pg_stat_database (12 and newer).",
    ),
    pros=("Silent damage is found while it can be repaired.",),
    cons=("The server is down while they are turned on.", "No source of this project measured their cost."),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    versions="PostgreSQL 9.5 to 19",
    cites=(Cite(claim="postgres-manual.checksums"),),
    decide=decide,
    examples=(
        Example(name="off, as up to 17", given=Given(settings={"data_checksums": "off"}), outcome=Advises()),
        Example(
            name="off, and not to be changed in place",
            given=Given(major="11", settings={"data_checksums": "off"}),
            outcome=Advises(),
        ),
        Example(
            name="they are on",
            given=Given(settings={"data_checksums": "on"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
