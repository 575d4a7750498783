"""The README's picture is a snapshot that the tests hold the wizard to: it is never out of date."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SNAPSHOTS = ROOT / "tests/screens/__snapshots__/test_snapshots"


def test_the_picture_in_the_readme_is_the_reviewed_snapshot() -> None:
    snapshot = SNAPSHOTS / "test_a_step_looks_as_reviewed[recommendations-80x24].svg"
    assert snapshot.read_bytes() == (ROOT / "docs/pictures/recommendations.svg").read_bytes()
