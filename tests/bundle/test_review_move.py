"""What a review says of a log that is moved: when it is done, what it costs, and what is left to do."""

from pathlib import Path

from pretend_root import DATA
from small_host import host_bundle
from tunewiz.core.recommendation.targets import Effect
from tunewiz.kinds.swap import SwapFile
from tunewiz.kinds.wal import MoveWal

MOVE = MoveWal(data_directory=DATA, name="pg_wal", target="/disk/wal")


def section(bundle: Path) -> list[str]:
    text = (bundle / "REVIEW.md").read_text()
    return text.partition("## What apply.sh does, in this order\n\n")[2].partition("\n## ")[0].splitlines()


def test_the_log_is_moved_last_before_the_restart(tmp_path: Path) -> None:
    swap = SwapFile(path="/swapfile", mebibytes=1)
    result = section(host_bundle(tmp_path / "bundle", MOVE, swap, effect=Effect.RESTART))
    assert result[1].startswith("2. Makes the swap file")
    assert result[2] == f"3. Stops the server, copies {DATA}/pg_wal to /disk/wal, compares, and links to it."
    assert result[3].startswith("4. Restarts the server")


def test_its_downtime_and_the_old_log_are_told(tmp_path: Path) -> None:
    bundle = host_bundle(tmp_path / "bundle", MOVE, effect=Effect.RESTART)
    result = section(bundle)
    downtime = "On top of it the log is copied and read twice to compare while the server is stopped."
    assert downtime in (bundle / "REVIEW.md").read_text().partition("## Evidence")[0]
    assert (
        f"The old log stays as `{DATA}/pg_wal.tunewiz-old` until `apply.sh --confirm` removes it." in result
    )


def test_that_it_cannot_be_done_without_a_restart_is_told(tmp_path: Path) -> None:
    text = (host_bundle(tmp_path / "bundle", MOVE, effect=Effect.RESTART) / "REVIEW.md").read_text()
    assert "`--no-restart` is refused" in text
    assert "wait for the next restart" not in text


def test_without_a_move_nothing_is_said_of_it(tmp_path: Path) -> None:
    result = section(host_bundle(tmp_path / "bundle", SwapFile(path="/swapfile", mebibytes=1)))
    assert not [line for line in result if "log" in line]
