"""Two servers that differ only in what they counted: one that is well, and one that suffers."""

from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.units import TIB

MACHINE = Given(
    major="14",
    workload="mixed",
    database_size="2TB",
    disk="nvme",
    cores=16,
    settings={"shared_buffers": "128MB"},
)
"""Of both, with default settings."""
DAYS = 36
WRITTEN = 400 * TIB
"""WAL: enough to force each checkpoint of both at any limit that a test gives."""
HEALTHY = {
    "seconds": DAYS * 86_400,
    "commits": 40_000_000,
    "rollbacks": 0,
    "blocks_hit": 9_999_000_000,
    "blocks_read": 1_000_000,
    "temp_files": 0,
    "temp_bytes": 0,
    "wal_bytes": WRITTEN,
    "checkpoints_requested": 2,
    "checkpoints_timed": 10_000,
    "live_rows": 999_000_000,
    "dead_rows": 1_000_000,
    "transaction_age": 20_000_000,
}
STRAINED = {
    "seconds": DAYS * 86_400,
    "commits": 40_000_000,
    "rollbacks": 0,
    "blocks_hit": 5_300_000_000,
    "blocks_read": 4_700_000_000,
    "temp_files": 1_000_000,
    "temp_bytes": 100 * TIB,
    "wal_bytes": WRITTEN,
    "checkpoints_requested": 10_002,
    "checkpoints_timed": 0,
    "live_rows": 670_000_000,
    "dead_rows": 330_000_000,
    "transaction_age": 190_000_000,
}
