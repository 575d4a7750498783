"""WAL that stays for standbys without a slot: wal_keep_size, and wal_keep_segments before 13."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tunewiz.core.recommendation.observed import wal_rate
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Advice, Declined, Verdict
from tunewiz.core.server.replication import kept_for_standbys, standbys, standbys_with_slots
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.rounding import WHOLE, round_down
from tunewiz.core.values.units import Bytes, Duration, in_words

WITHOUT_SLOT = (
    "SELECT application_name FROM pg_stat_replication WHERE pid NOT IN "
    "(SELECT active_pid FROM pg_replication_slots WHERE active_pid IS NOT NULL);"
)
AWAY = Duration(3_600_000)
"""A restart, a minor upgrade or a broken link is over within an hour. An assumption, shown to the user."""


def keep_for_standbys(
    situation: Situation, name: str, written: Callable[[Bytes], str], bounded: str
) -> Verdict:
    """Advice where standbys may be without a slot: only a person knows how long they may be away.

    Args:
        situation: The situation.
        name: The setting of this major.
        written: A size as the value of the setting.
        bounded: What is said of the limit of slots, where this major has one.
    """
    replicas = standbys(situation)
    if replicas == 0:
        return Declined(because="no standbys are known", kind="not_applicable")
    if current := kept_for_standbys(situation):
        return Declined(because=f"{current.short()} of WAL is kept for standbys", kind="keep")
    if standbys_with_slots(situation) >= replicas:
        text = (
            "the standby reads a slot" if replicas == 1 else f"each of the {replicas} standbys reads a slot"
        )
        return Declined(because=f"{text} of its own, which keeps the WAL it needs", kind="keep")
    value, computed = next(_by_rate(situation), (Bytes(0), ""))
    by_hand = f"ALTER SYSTEM SET {name} to the WAL written while a standby is being serviced."
    return Advice(
        because=_because(replicas, standbys_with_slots(situation)),
        steps=(
            f"{WITHOUT_SLOT} lists the standbys without a slot; if there are none, nothing needs to be done.",
            f"Better: give each of them a slot (primary_slot_name there){bounded}.",
            f"Otherwise: {f'ALTER SYSTEM SET {name} = {written(value)};' if value else by_hand}",
            "SELECT pg_reload_conf();",
        ),
        undo=(f"ALTER SYSTEM RESET {name}; then SELECT pg_reload_conf();",),
        computed=computed,
    )


def _because(replicas: int, with_slots: int) -> str:
    away = "a standby without a slot that is away for longer than a checkpoint takes must be rebuilt"
    if with_slots:
        return f"{with_slots} of {how_many(replicas, 'standby')} read a slot; {away}"
    return away


def _by_rate(situation: Situation) -> Iterator[tuple[Bytes, str]]:
    """What is written in an hour, if the server was watched."""
    for rate in wal_rate(situation):
        exact = rate.a_second * AWAY.seconds
        value = round_down(exact, WHOLE)
        yield value, f"{rate.a_second.human()} a second {rate.when} x {in_words(AWAY)} = {value.short()}"
