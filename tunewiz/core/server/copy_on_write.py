"""Whether a file system writes changed blocks elsewhere, so that a crash leaves the old or the new one."""

from __future__ import annotations

from tunewiz.core.facts.machine import Storage
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import MissingFact, known_or

COPYING = frozenset({"zfs", "btrfs"})
IN_PLACE = frozenset({"nodatacow"})
"""Mount options of btrfs that turn it off for file data, and with it checksums (btrfs(5))."""


def copies_on_write(storage: Storage) -> bool:
    """Whether it never overwrites a block in place."""
    options = frozenset(known_or(storage.options, "").split(","))
    return known_or(storage.filesystem, "") in COPYING and not options & IN_PLACE


def data_copied_on_write(situation: Situation) -> bool:
    """Whether the data lie on such a file system; false if that is unknown."""
    try:
        return copies_on_write(situation.storage_for("data"))
    except MissingFact:
        return False


def nodatacow_in_words(situation: Situation) -> str:
    """What the mount option of btrfs costs; empty where it is not set."""
    for storage in situation.facts.storage:
        options = known_or(storage.options, "").split(",")
        if known_or(storage.filesystem, "") == "btrfs" and IN_PLACE & frozenset(options):
            return (
                f"{storage.mount} is btrfs with nodatacow: pages are overwritten in place, which is faster, "
                "but nothing there has a checksum and a crash may tear pages. Keep full_page_writes on, and "
                "use data checksums (pg_checksums)."
            )
    return ""
