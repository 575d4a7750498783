"""The write-ahead log on another file system; the server is stopped for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from tunewiz.core.recommendation.actions import PLAIN_PATH, HostAction, Row


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveWal(HostAction):
    """Moves the write-ahead log to another file system and leaves a link; the server is stopped for it."""

    data_directory: str
    name: Literal["pg_wal", "pg_xlog"]
    """Its directory there; the latter before PostgreSQL 10."""
    target: str
    """Absolute; absent, or an empty directory of the server's owner."""

    needs_server: ClassVar[bool] = True
    restarts_server: ClassVar[bool] = True
    stops_server: ClassVar[bool] = True

    @property
    def place(self) -> str:
        """Where the log is, and the link will be."""
        return f"{self.data_directory}/{self.name}"

    @property
    def action_in_words(self) -> str:
        """What apply.sh does, as a sentence without its full stop."""
        return f"Stops the server, copies {self.place} to {self.target}, compares, and links to it"

    @property
    def why_not(self) -> str:
        """Why the scripts cannot make it; empty where they can."""
        if PLAIN_PATH.fullmatch(self.data_directory) and PLAIN_PATH.fullmatch(self.target):
            return ""
        return f"{self.target!r} is not a path that the scripts can handle"

    def rows_while_stopped(self) -> Iterator[Row]:
        """The step."""
        yield "wal", self.place, self.target

    @property
    def downtime(self) -> str:
        """The copy."""
        return "On top of it the log is copied and read twice to compare while the server is stopped."

    @property
    def usage(self) -> tuple[str, ...]:
        """That there is no way without a restart."""
        return ("`--no-restart` is refused: the log can be moved only while the server is stopped.",)

    @property
    def afterwards(self) -> tuple[str, ...]:
        """The old log, and what backups and SELinux need."""
        old = f"{self.place}.tunewiz-old"
        return (
            f"The old log stays as `{old}` until `apply.sh --confirm` removes it.",
            f"If applied without confirmation, remove it yourself once all is well: `rm -r {old}`.",
            "Until then copies of the data directory (`pg_basebackup`) carry it too.",
            "`rollback.sh` stops the server and brings the log back as it is by then; nothing is lost.",
            "Backups by snapshot must from now on hold both file systems at one moment.",
            f"With SELinux, give `{self.target}` the data directory's type (`semanage fcontext`).",
        )
