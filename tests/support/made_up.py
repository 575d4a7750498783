"""Facts and answers made up by hypothesis: anything that the types allow and that can be."""

from dataclasses import fields
from types import MappingProxyType
from typing import TypeVar, get_args

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tunewiz.core.answers.answers import (
    Accepted,
    Answers,
    Decision,
    Refused,
    Replaced,
    Risk,
    ServerAnswers,
    Workload,
)
from tunewiz.core.answers.limits import COUNTED
from tunewiz.core.facts.dasd import Dasd
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.log import LogSeen, SizeClass
from tunewiz.core.facts.machine import (
    Cache,
    CoreKind,
    Cpu,
    Disk,
    DiskPath,
    Host,
    HugePool,
    IdleState,
    Interrupts,
    Kernel,
    Layer,
    LayerKind,
    Limits,
    Memory,
    MemoryNode,
    Storage,
    StorageKind,
    Translation,
    Virtualization,
    ZfsCache,
)
from tunewiz.core.facts.owners import Owners
from tunewiz.core.facts.partition import Partition, Polarization, ProcessorTime
from tunewiz.core.facts.probe import ClockReads, Probe, Reading, Reads, SpaceProbe, SyncMethod
from tunewiz.core.facts.replication import Conflicts, Replication, Slot, SlotKind, WalStatus
from tunewiz.core.facts.server import Activity, PostgresServer, Setting
from tunewiz.core.facts.slru import SlruCache
from tunewiz.core.facts.tables import BareForeignKey, DatabaseTables, Table, UnusedIndex
from tunewiz.core.values.known import Absent, Known, Unknown
from tunewiz.core.values.units import GIB, KIB, Bytes, Duration
from tunewiz.core.values.versions import SUPPORTED

T = TypeVar("T")

# What a host name, a mount point or a note may hold, and what writers of TOML and JSON stumble over.
HOSTILE = st.sampled_from(
    ["\\x41", "C:\\xdir", "a\\\\x", "nb\u00a0sp", "\x7f", "\x00", '"', '"""', "'''", "#", "\r\n", "\t", "= 1"]
)
TEXTS = st.one_of(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), HOSTILE)
NAMES = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyz_.0123456789"), min_size=1, max_size=12)


def told(values: SearchStrategy[T]) -> SearchStrategy[Known[T] | Unknown]:
    """A fact."""
    return st.one_of(st.builds(Known, values, TEXTS), st.builds(Unknown, TEXTS))


def may_be(values: SearchStrategy[T]) -> SearchStrategy[Known[T] | Absent | Unknown]:
    """A fact of something that the machine may not have."""
    return st.one_of(told(values), st.builds(Absent, TEXTS))


def tuples(items: SearchStrategy[T]) -> SearchStrategy[tuple[T, ...]]:
    return st.lists(items, max_size=2).map(tuple)


COUNTS = st.integers(1, 2)
SIZES = st.integers(0, 2**40).map(Bytes)
PAGES = st.sampled_from([4 * KIB, 64 * KIB]).map(Bytes)
HUGE_PAGES = st.sampled_from([2**20, 2**21, 2**30, 16 * GIB]).map(Bytes)
COUNTERS = st.integers(0, 2**63)
SETTINGS = st.builds(
    Setting,
    value=TEXTS,
    unit=st.none() | TEXTS,
    source=TEXTS,
    sourcefile=st.none() | TEXTS,
    pending_restart=st.booleans(),
)

HOSTS = st.builds(
    Host,
    name=told(TEXTS),
    architecture=told(TEXTS),
    kernel=told(TEXTS),
    distribution=told(TEXTS),
    identity=told(TEXTS),
    program=told(TEXTS),
)
CACHES = st.builds(
    Cache,
    level=st.integers(1, 4),
    type=st.sampled_from(["data", "instruction", "unified"]),
    size=st.none() | st.integers(1, 2**30).map(Bytes),
    instances=st.none() | COUNTS,
    shared_by=st.none() | COUNTS,
)
CPUS = st.builds(
    Cpu,
    vendor=told(TEXTS),
    model=told(TEXTS),
    online=told(st.integers(2, 64)),
    cores=told(COUNTS),
    threads_per_core=told(COUNTS),
    sockets=told(COUNTS),
    books=may_be(COUNTS),
    drawers=may_be(COUNTS),
    numa_nodes=told(COUNTS),
    caches=told(tuples(CACHES)),
    smt=told(TEXTS),
    offline=told(st.integers(0, 64)),
    kinds=may_be(tuples(st.builds(CoreKind, name=TEXTS, online=COUNTS))),
    dispatching=may_be(TEXTS),
    polarization=may_be(
        st.builds(Polarization, **dict.fromkeys(("high", "medium", "low"), st.integers(0, 64)))
    ),
    steal=told(st.floats(0, 1)),
    governor=may_be(TEXTS),
    frequency_driver=may_be(TEXTS),
    idle_driver=may_be(TEXTS),
    deepest_idle=may_be(st.builds(IdleState, name=TEXTS, wakes_after=COUNTERS)),
    interrupts=may_be(
        st.builds(Interrupts, total=COUNTERS, busiest=st.integers(0, 64), share=st.floats(0, 1))
    ),
)
NODES = st.builds(
    MemoryNode,
    node=st.integers(0, 255),
    total=SIZES,
    online=st.integers(0, 64),
    huge_pages=tuples(st.builds(HugePool, size=HUGE_PAGES, pages=COUNTERS)),
)
MEMORIES = st.builds(
    Memory,
    total=told(st.integers(2**42, 2**45).map(Bytes)),
    available=told(SIZES),
    swap_total=told(SIZES),
    page_size=told(PAGES),
    huge_page_size=may_be(HUGE_PAGES),
    huge_page_sizes=may_be(tuples(HUGE_PAGES)),
    huge_pages_total=may_be(st.integers(4, 8)),
    huge_pages_free=may_be(st.integers(0, 4)),
    transparent_huge_pages=may_be(TEXTS),
    nodes=may_be(tuples(NODES)),
    translation=may_be(st.sampled_from(get_args(Translation))),
    zfs_cache=may_be(st.builds(ZfsCache, size=SIZES, least=SIZES, most=SIZES)),
)
KERNELS = st.builds(
    Kernel,
    clocksource=told(TEXTS),
    clocksources=told(tuples(TEXTS)),
    lockdown=may_be(TEXTS),
    settings=st.dictionaries(
        NAMES.filter(lambda name: not name.startswith(COUNTED)),
        told(st.integers(-(2**63), 2**64 - 1) | TEXTS),
        max_size=3,
    ).map(MappingProxyType),
    writable=told(st.booleans()),
    sysfs_writable=told(st.booleans()),
    loader=may_be(TEXTS),
)
DISKS = st.builds(
    Disk,
    name=TEXTS,
    rotational=told(st.booleans()),
    scheduler=may_be(TEXTS),
    read_ahead_kb=told(st.integers(0, 2**31)),
    transport=may_be(TEXTS),
    stable=may_be(TEXTS),
    nr_requests=may_be(COUNTERS),
    wbt_lat_usec=may_be(COUNTERS),
    paths=may_be(tuples(st.builds(DiskPath, name=TEXTS, state=TEXTS))),
    path_policy=may_be(TEXTS),
    state=may_be(TEXTS),
    queue_depth=may_be(COUNTERS),
    dasd=may_be(
        st.builds(Dasd, discipline=TEXTS, control_unit=TEXTS, aliases=COUNTERS, pooled=st.booleans())
    ),
)
LAYERS = st.builds(
    Layer,
    name=TEXTS,
    label=TEXTS,
    kind=st.sampled_from(get_args(LayerKind)),
    below=tuples(TEXTS),
    chunk=SIZES,
    stripe=SIZES,
    read_ahead_kb=told(st.integers(0, 2**31)),
)
STORAGES = st.builds(
    Storage,
    mount=TEXTS,
    device=told(TEXTS),
    filesystem=told(TEXTS),
    options=told(TEXTS),
    disks=told(tuples(DISKS)),
    roles=tuples(st.sampled_from(["data", "wal", "tablespace"])),
    total=told(st.integers(2**41, 2**50).map(Bytes)),
    free=told(SIZES),
    inodes=may_be(COUNTERS),
    inodes_free=may_be(COUNTERS),
    layers=told(tuples(LAYERS)),
)
ACTIVITIES = st.builds(
    Activity,
    since=told(TEXTS),
    commits=told(COUNTERS),
    rollbacks=told(COUNTERS),
    rows_read=told(COUNTERS),
    rows_written=told(COUNTERS),
    blocks_hit=told(COUNTERS),
    blocks_read=told(COUNTERS),
    temp_bytes=told(COUNTERS),
    checkpoints_timed=told(COUNTERS),
    checkpoints_requested=told(COUNTERS),
    connections=told(st.integers(0, 1000)),
    databases_size=told(SIZES),
)
MAJORS = st.sampled_from([str(major) for major in SUPPORTED])
NAMES_IN_A_DATABASE = TEXTS.filter(lambda name: name and "\0" not in name)
DATABASES = st.builds(
    DatabaseTables,
    database=NAMES_IN_A_DATABASE,
    since=told(TEXTS),
    counted_seconds=told(COUNTERS),
    tables=told(
        tuples(
            st.builds(
                Table,
                **dict.fromkeys(("schema", "name"), NAMES_IN_A_DATABASE),
                **dict.fromkeys((field.name for field in fields(Table) if field.type == "int"), COUNTERS),
                **dict.fromkeys(
                    (field.name for field in fields(Table) if field.name.startswith("last_")), TEXTS
                ),
                options=st.dictionaries(NAMES, TEXTS, max_size=2).map(MappingProxyType),
            )
        )
    ),
    unused_indexes=told(
        tuples(
            st.builds(
                UnusedIndex,
                **dict.fromkeys(("schema", "table", "name"), NAMES_IN_A_DATABASE),
                bytes=COUNTERS,
                definition=TEXTS,
                tablespace=TEXTS,
            )
        )
    ),
    bare_foreign_keys=told(
        tuples(
            st.builds(
                BareForeignKey,
                **dict.fromkeys(
                    ("schema", "table", "name", "referenced_schema", "referenced"), NAMES_IN_A_DATABASE
                ),
                **dict.fromkeys(("bytes", "referenced_deleted", "referenced_updated"), COUNTERS),
                columns=tuples(NAMES_IN_A_DATABASE),
            )
        )
    ),
)
LOGS = st.builds(
    LogSeen,
    **dict.fromkeys((field.name for field in fields(LogSeen) if field.type == "int"), COUNTERS),
    size=SIZES,
    temp_files=tuples(st.builds(SizeClass, at_most=SIZES, files=COUNTERS)),
    largest_distance=SIZES,
    replayed=SIZES,
    replay_seconds=st.floats(0, 1e9),
)
TIMES = st.floats(0, 1e9)
READS = st.builds(
    Reads,
    block=st.integers(1, 2**24).map(Bytes),
    count=COUNTS,
    median_us=st.floats(0, 1e3),
    p95_us=st.floats(1e3, 1e6),
    p99_us=st.floats(1e6, 1e9),
    bytes_a_second=st.integers(0, 2**40).map(Bytes),
)
PROBES = st.builds(
    Probe,
    seconds=st.integers(0, 3_600),
    reading=told(st.sampled_from(get_args(Reading))),
    random=told(READS),
    sequential=told(READS),
    syncs=may_be(tuples(st.builds(SyncMethod, name=TEXTS, each_us=TIMES))),
    clock=may_be(st.builds(ClockReads, each_ns=TIMES)),
    storage=told(st.sampled_from(get_args(StorageKind))),
    tablespaces=tuples(
        st.builds(
            SpaceProbe,
            directory=TEXTS,
            reading=told(st.sampled_from(get_args(Reading))),
            random=told(READS),
            sequential=told(READS),
            storage=told(st.sampled_from(get_args(StorageKind))),
        )
    ),
)
REPLICATIONS = st.builds(
    Replication,
    slots=tuples(
        st.builds(
            Slot,
            name=NAMES_IN_A_DATABASE,
            kind=st.sampled_from(get_args(SlotKind)),
            active=st.booleans(),
            held=SIZES,
            status=st.sampled_from(get_args(WalStatus)),
            age=COUNTERS,
            spills=told(COUNTERS),
            spilled=told(SIZES),
        )
    ),
    archive_failures=COUNTERS,
    archive_failing=st.booleans(),
    archive_behind=told(SIZES),
    cancelled=COUNTERS,
    conflicts=told(
        st.builds(
            Conflicts,
            **dict.fromkeys((field.name for field in fields(Conflicts)), COUNTERS),
        )
    ),
)
SERVERS = st.builds(
    PostgresServer,
    version=told(MAJORS),
    major=told(MAJORS),
    data_directory=told(TEXTS),
    config_file=told(TEXTS),
    port=told(st.integers(1, 65535)),
    running=st.booleans(),
    owner=st.sampled_from(["debian", "rpm", "patroni", "container", "source"]),
    os_user=told(TEXTS),
    role=told(st.sampled_from(["primary", "standby"])),
    system_identifier=told(TEXTS),
    socket_directory=may_be(TEXTS),
    include_directory=may_be(TEXTS),
    shared_memory_pages=may_be(COUNTERS),
    settings=told(st.dictionaries(NAMES, SETTINGS, max_size=2).map(MappingProxyType)),
    activity=told(ACTIVITIES),
    os_uid=told(st.integers(0, 2**32)),
    open_files=may_be(COUNTERS),
    log=told(LOGS),
    replication=told(REPLICATIONS),
    slru=told(tuples(st.builds(SlruCache, name=NAMES_IN_A_DATABASE, hit=COUNTERS, read=COUNTERS))),
    tables=told(tuples(DATABASES)),
    probe=told(PROBES),
)
FACTS = st.builds(
    Facts,
    host=HOSTS,
    cpu=CPUS,
    memory=MEMORIES,
    virtualization=st.builds(
        Virtualization,
        hypervisor=told(TEXTS),
        container=may_be(TEXTS),
        levels=may_be(tuples(TEXTS)),
        partition=may_be(
            st.builds(
                Partition,
                shared=st.booleans(),
                capped=st.booleans(),
                processors=st.integers(1, 64),
                entitled=st.none() | st.floats(0.05, 64),
                weight=st.none() | st.integers(0, 255),
            )
        ),
        firmware_time=may_be(
            st.builds(ProcessorTime, used=COUNTERS, managed=COUNTERS, online=st.none() | COUNTERS)
        ),
    ),
    limits=st.builds(
        Limits,
        cgroup_version=may_be(st.integers(1, 2)),
        memory=may_be(st.integers(1, 2**40).map(Bytes)),
        cpus=may_be(st.floats(0.01, 64)),
        memory_high=may_be(st.integers(1, 2**40).map(Bytes)),
        huge_pages=may_be(st.integers(0, 2**40).map(Bytes)),
        cpuset=may_be(COUNTS),
        cpuset_cores=may_be(COUNTS),
    ),
    kernel=KERNELS,
    storage=tuples(STORAGES),
    postgres=tuples(SERVERS),
    owners=st.builds(
        Owners,
        tuned=may_be(TEXTS),
        tuned_latency=may_be(TEXTS),
        irqbalance=may_be(TEXTS),
        removes_ipc=may_be(st.booleans()),
    ),
)

DECISIONS: SearchStrategy[Decision] = st.one_of(
    st.builds(Accepted, note=TEXTS),
    st.builds(Refused, note=TEXTS),
    st.builds(Replaced, value=TEXTS, note=TEXTS),
)
ANSWERS = st.builds(
    Answers,
    workload=st.builds(
        Workload,
        kind=st.sampled_from(["oltp", "read_mostly", "mixed", "analytics"]),
        connections=st.integers(1, 262_143),
        database_size=st.integers(1, 2**50).map(Bytes),
    ),
    server=st.builds(
        ServerAnswers,
        postgres=st.none() | MAJORS,
        data_directory=st.none() | st.sampled_from(["/var/lib/pgsql", "/srv/ünïcode \\x41"]),
        storage=st.none() | st.sampled_from(["hdd", "ssd", "nvme", "san"]),
        replicas=st.integers(0, 9),
    ),
    risk=st.builds(
        Risk,
        posture=st.sampled_from(["cautious", "balanced", "bold"]),
        restart=st.booleans(),
        reboot=st.booleans(),
        kernel=st.booleans(),
        recovery_time=st.integers(1_000, 86_400_000).map(Duration),
    ),
    decisions=st.dictionaries(NAMES.map(lambda name: f"pg.{name}"), DECISIONS, max_size=3).map(
        MappingProxyType
    ),
)
