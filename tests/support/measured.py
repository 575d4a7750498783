"""What a probe and a log may have told, for tests of who shows it."""

from tunewiz.core.facts.log import LogSeen, SizeClass
from tunewiz.core.facts.probe import Probe, Reads, SyncMethod
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.units import MIB, Bytes

NOT_MEASURED = Unknown("not part of the test")
READS = Reads(
    block=Bytes(8192), count=900, median_us=600.4, p95_us=1_500.0, p99_us=3_000.0, bytes_a_second=Bytes(MIB)
)
PROBE = Probe(
    seconds=60,
    reading=Known("direct", "test"),
    random=Known(READS, "test"),
    sequential=NOT_MEASURED,
    syncs=Known((SyncMethod(name="fdatasync", each_us=950.0),), "pg_test_fsync"),
    clock=NOT_MEASURED,
    storage=Known("san", "reads of 8 kB take 600 µs (median of 900)"),
)
LOG = LogSeen(
    files=2,
    size=Bytes(40 * MIB),
    damaged=1,
    temp_files=(SizeClass(at_most=Bytes(MIB), files=3),),
    checkpoints_by_wal=4,
    checkpoints_timed=1,
)
