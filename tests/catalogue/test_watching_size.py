"""What a recommendation says of the disk that samples take is what they take."""

from pathlib import Path

from tunewiz.collect.ring.columns import watched_columns
from tunewiz.formats.ring import RingHead

WEEK_OF_TENS = 7 * 24 * 3600 // 10
"""Samples, one every 10 seconds."""
SAID = "about 70 MB"
CHECKOUT = Path(__file__).parent.parent.parent


def test_a_week_of_samples_takes_what_is_said() -> None:
    head = RingHead(directory="/data", every=10, slots=WEEK_OF_TENS, fields=watched_columns())
    assert round(head.size / 1e7) * 10 == 70
    assert SAID in (CHECKOUT / "tunewiz/catalogue/host_watching.py").read_text(encoding="utf-8")
    assert "a file of 70 MB" in (CHECKOUT / "docs/reading.md").read_text(encoding="utf-8")
