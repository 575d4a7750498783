"""Servers older than any that is planned for: told in the terms of their own version, and never changed."""

from __future__ import annotations

from tunewiz.core.values.versions import OLDEST, Major

_BEFORE = (
    (OLDEST, "checkpoint_segments (files of 16 MiB) says when a checkpoint is due, not max_wal_size"),
    (Major(904), "there are no huge_pages, autovacuum_work_mem and ALTER SYSTEM"),
    (Major(903), "the kernel's kernel.shmmax and kernel.shmall must allow for shared_buffers"),
    (Major(902), "there is no track_io_timing"),
    (Major(901), "wal_buffers is 64kB unless it is set"),
    (Major(804), "max_fsm_pages must be large enough for vacuum, and there is no effective_io_concurrency"),
    (
        Major(803),
        "there is no checkpoint_completion_target, and autovacuum does not run by itself",
    ),
)
"""What held before a major version, by PostgreSQL's release notes."""


def in_its_own_terms(major: Major) -> str:
    """What a plan for a newer version means for a server that is too old; empty for any other."""
    if major >= OLDEST:
        return ""
    sentence = "; ".join(text for since, text in _BEFORE if major < since)
    return (
        f"Set none of these values in PostgreSQL {major}: no bundle changes that server, and the plan is "
        f"what an upgraded one would get. In {major}: {sentence}. Upgrade it first."
    )
