"""Machines, servers and answers as hypothesis draws them: any that can be, and those that can be tried."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import get_args

from hypothesis import strategies as st

from tunewiz.core.answers.answers import Posture, WorkloadKind
from tunewiz.core.facts.server import ServerRole
from tunewiz.core.facts.storage_kind import StorageKind
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.pg_settings import SettingError, SettingInfo
from tunewiz.core.values.units import GIB, MIB, TIB, Bytes
from tunewiz.core.values.versions import SUPPORTED, Major
from tunewiz.knowledge.loading import load_settings

MEMORY = st.one_of(
    st.sampled_from([512 * MIB, GIB, 2 * GIB, 64 * GIB, 512 * GIB, 4 * TIB, 64 * TIB]),
    st.integers(min_value=64 * MIB // 4096, max_value=TIB // 4096).map(lambda pages: pages * 4096),
).map(Bytes)
CONNECTIONS = st.one_of(st.sampled_from([1, 10, 100, 200, 1000, 10_000, 262_143]), st.integers(1, 2000))

CHOSEN: st.SearchStrategy[Mapping[str, str]] = st.sampled_from(
    [
        {},
        {"shared_buffers": "128MB"},
        {"shared_buffers": "16GB", "work_mem": "256MB"},
        {"shared_buffers": "512kB", "wal_buffers": "64kB"},
        {"max_connections": "5000", "maintenance_work_mem": "8GB"},
        {"max_connections": "10", "superuser_reserved_connections": "3"},
        {"huge_pages": "on", "max_wal_size": "200GB", "checkpoint_timeout": "1d"},
        {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "autovacuum": "off"},
        {"autovacuum_max_workers": "30", "autovacuum_work_mem": "1GB"},
        {"max_parallel_workers_per_gather": "64", "max_worker_processes": "0"},
        {
            "autovacuum_vacuum_max_threshold": "-1",
            "autovacuum_multixact_freeze_max_age": "2000000000",
            "autovacuum_naptime": "1h",
            "vacuum_failsafe_age": "0",
            "vacuum_multixact_failsafe_age": "2100000000",
            "vacuum_freeze_table_age": "0",
        },
        {
            "io_combine_limit": "8kB",
            "io_max_concurrency": "1",
            "max_locks_per_transaction": "10",
            "transaction_buffers": "128kB",
            "subtransaction_buffers": "128kB",
            "log_min_duration_statement": "0",
        },
        {
            "wal_receiver_timeout": "0",
            "wal_receiver_status_interval": "0",
            "recovery_prefetch": "off",
            "max_standby_streaming_delay": "-1",
            "max_standby_archive_delay": "-1",
            "wal_keep_segments": "10",
            "wal_keep_size": "1GB",
        },
    ]
)


def taken_by(major: Major, chosen: Mapping[str, str]) -> Mapping[str, str]:
    """Those that a server of the major starts with: 9.5 has no parallel queries and smaller ranges."""
    known = load_settings()[major]
    return {
        name: value for name, value in chosen.items() if name in known.known and _is_taken(known[name], value)
    }


def _is_taken(setting: SettingInfo, value: str) -> bool:
    try:
        setting.canonical(value)
    except SettingError:
        return False
    return True


@st.composite
def machines(draw: st.DrawFn, majors: Sequence[Major] = SUPPORTED) -> Given:
    """A machine, a server and answers; odd ones too."""
    memory = draw(MEMORY)
    pages = draw(st.sampled_from(["", "1MB", "2MB", "16MB", "512MB"]))
    most = memory.count // 2 // Bytes.parse(pages).count if pages else 0
    reserved = min(most, draw(st.sampled_from([0, 0, 100, 10_000])))
    major = draw(st.sampled_from(majors))
    return Given(
        memory=f"{memory.count}B",
        available=f"{memory.count * 9 // 10}B",
        memory_limit=draw(st.sampled_from(["", "", "512MB", "3GB", "1TB"])),
        memory_unknown=draw(st.integers(0, 19)) == 0,
        cores=draw(st.sampled_from([1, 2, 4, 16, 192, 1024])),
        threads_per_core=draw(st.sampled_from([1, 2, 8])),
        cores_unknown=draw(st.integers(0, 19)) == 0,
        cpu_limit=draw(st.sampled_from([0.0, 0.0, 0.5, 3.5])),
        architecture=draw(st.sampled_from(["x86_64", "s390x", "ppc64le", "aarch64"])),
        huge_page_size=pages,
        kernel={"vm.nr_hugepages": reserved} if pages else {},
        container=draw(st.sampled_from(["", "", "docker"])),
        proc_sys_writable=draw(st.booleans()),
        filesystem=draw(st.sampled_from(["ext4", "xfs", "zfs", "btrfs"])),
        disk=draw(st.sampled_from(get_args(StorageKind))),
        free_space=draw(st.sampled_from(["", "0B", "3GB", "500GB", "900TB"])),
        wal_apart=draw(st.booleans()),
        major=str(major),
        role=draw(st.sampled_from(get_args(ServerRole))),
        settings=taken_by(major, draw(CHOSEN)),
        extensions=draw(st.sampled_from([(), ("pg_stat_statements",), ("pg_prewarm", "pg_stat_statements")])),
        workload=draw(st.sampled_from(get_args(WorkloadKind))),
        connections=draw(CONNECTIONS),
        database_size=draw(st.sampled_from(["1MB", "20GB", "256GB", "50TB"])),
        posture=draw(st.sampled_from(get_args(Posture))),
        restart=draw(st.booleans()),
        may_change_kernel=draw(st.booleans()),
        recovery_time=draw(st.sampled_from(["1s", "1min", "5min", "1h", "1d"])),
    )


SMALL_MEMORY = st.integers(min_value=256, max_value=4096).map(lambda count: Bytes(count * MIB))
"""Of machines whose plans start on any machine that runs tests: shared memory is reserved, not used."""

SMALL_CHOSEN: st.SearchStrategy[Mapping[str, str]] = st.sampled_from(
    [
        {},
        {"shared_buffers": "16MB", "wal_buffers": "64kB"},
        {"shared_buffers": "1GB", "max_connections": "700", "maintenance_work_mem": "1GB"},
        {"max_connections": "20", "superuser_reserved_connections": "5"},
        {"max_wal_size": "10GB", "min_wal_size": "5GB", "checkpoint_timeout": "1d"},
        {"full_page_writes": "off", "synchronous_commit": "off", "autovacuum": "off"},
        {"autovacuum_max_workers": "30", "autovacuum_work_mem": "1GB"},
        {"max_parallel_workers_per_gather": "64", "max_worker_processes": "0"},
        {"shared_preload_libraries": "auto_explain"},
    ]
)


@st.composite
def small_machines(draw: st.DrawFn, major: Major) -> Given:
    """The same, small enough for a real start, and with a kernel that has no huge pages to give."""
    memory, chosen = draw(SMALL_MEMORY), draw(SMALL_CHOSEN)
    return dataclasses.replace(
        draw(machines((major,))),
        memory=f"{memory.count}B",
        available=f"{memory.count * 9 // 10}B",
        huge_page_size="2MB",
        kernel={},
        may_change_kernel=False,
        restart=True,
        settings=taken_by(major, chosen),
    )
