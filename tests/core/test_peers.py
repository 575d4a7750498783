"""What other generators would set, against answers that they gave themselves.

Those of whole machines were taken by running each generator on 2026-11-21; the others are test vectors of
its own project.
"""

import dataclasses

import pytest

from tunewiz.core.answers.answers import WorkloadKind
from tunewiz.core.comparison.peer import PeerMachine
from tunewiz.core.comparison.peer_rules import PEER_RULES
from tunewiz.core.facts.storage_kind import StorageKind
from tunewiz.core.values.units import GIB, MIB, Bytes
from tunewiz.core.values.versions import SUPPORTED, V10, V13, V14, V15, V18, Major
from tunewiz.knowledge.peers import load_peer, peer_names

GB = Bytes(GIB)


def machine(
    gigabytes: int,
    processors: int,
    connections: int,
    *,
    workload: WorkloadKind = "oltp",
    storage: StorageKind = "ssd",
    major: Major = V15,
    database: int | None = None,
) -> PeerMachine:
    """A database one and a half times as large as memory, unless its size is given."""
    return PeerMachine(
        memory=GB * gigabytes,
        processors=processors,
        connections=connections,
        workload=workload,
        storage=storage,
        storage_assumed=False,
        database_size=Bytes(gigabytes * GIB * 3 // 2) if database is None else GB * database,
        major=major,
    )


MACHINES = {
    "a": machine(64, 4, 200, storage="san"),
    "b": machine(256, 64, 448, storage="nvme", major=V14),
    "c": machine(32, 4, 100, workload="mixed", storage="hdd"),
    "d": machine(24, 2, 100),
}
"""a: an LPAR with a SAN; b: 8 cores with 8 threads each; c: a RAID of spinning disks; d: a small one."""

NAMES = (
    *("max_connections", "shared_buffers", "effective_cache_size", "work_mem", "maintenance_work_mem"),
    *("autovacuum_max_workers", "huge_pages", "wal_buffers", "max_wal_size", "wal_compression"),
    *("random_page_cost", "effective_io_concurrency", "default_statistics_target", "max_worker_processes"),
    *("max_parallel_workers", "max_parallel_workers_per_gather", "jit", "max_locks_per_transaction"),
)
GIVEN = {
    ("pgtune", "a"): "200 16GB 48GB 82241kB 4GB . try 16MB 8GB lz4 1.1 300 100 4 4 2 off .",
    ("pgtune", "b"): "448 64GB 192GB 128MB 8GB 5 try 16MB 8GB on 1.1 1000 100 64 64 4 off .",
    ("pgtune", "c"): "100 8GB 24GB 40329kB 2GB . try 16MB 4GB lz4 4 2 100 4 4 2 off .",
    ("pgtune", "d"): "100 6GB 18GB 58254kB 1536MB . try 16MB 8GB lz4 1.1 200 100 . . . off .",
    ("timescaledb-tune", "a"): "200 16GB 48GB 64MB 2047MB 10 . 16MB 1GB . 1.1 256 100 23 4 2 off 1024",
    ("timescaledb-tune", "b"): "448 64GB 192GB 7314kB 2047MB 10 . 16MB 1GB . 1.1 256 100 83 64 32 off 1024",
    ("timescaledb-tune", "c"): "100 8GB 24GB 64MB 2047MB 10 . 16MB 1GB . 1.1 256 100 23 4 2 off 1024",
    ("timescaledb-tune", "d"): "100 6GB 18GB 96MB 2047MB 10 . 16MB 1GB . 1.1 256 100 21 2 1 off 512",
    ("pgconfig", "a"): "200 16GB 48GB 115MB 3GB . . -1 3GB . 1.1 300 . 8 2 2 . .",
    ("pgconfig", "b"): "448 64GB 192GB 205MB 13GB . . -1 3GB . 1.1 200 . 8 2 2 . .",
    ("pgconfig", "c"): "100 4GB 12GB 33MB 819MB . . -1 3GB . 4 2 . 8 2 2 . .",
    ("pgconfig", "d"): "100 6GB 18GB 86MB 1GB . . -1 3GB . 1.1 200 . 8 2 2 . .",
}
"""The values in the order of NAMES; a dot where it sets none."""


@pytest.mark.parametrize(("peer", "host"), sorted(GIVEN))
def test_a_generator_would_set_what_it_set_when_it_was_run(peer: str, host: str) -> None:
    result = PEER_RULES[peer](MACHINES[host])
    assert " ".join(result.get(name, ".") for name in NAMES) == GIVEN[peer, host]


@pytest.mark.parametrize(
    ("compared_machine", "expected"),
    [
        (machine(16, 12, 100, major=V13), {"max_worker_processes": "12", "max_parallel_workers": "12"}),
        (
            machine(16, 12, 100, major=V13),
            {"max_parallel_workers_per_gather": "4", "max_parallel_maintenance_workers": "4"},
        ),
        (machine(16, 31, 100, major=V10), {"max_parallel_workers": "31"}),
        (
            machine(16, 31, 40, workload="analytics"),
            {"max_parallel_workers_per_gather": "16", "max_parallel_maintenance_workers": "4"},
        ),
        (machine(256, 4, 200, workload="read_mostly"), {"maintenance_work_mem": "8GB"}),
        (machine(16, 4, 200, workload="read_mostly"), {"maintenance_work_mem": "1GB"}),
        (machine(4, 4, 9999, workload="read_mostly"), {"work_mem": "4MB"}),
        (machine(64, 4, 40, workload="analytics"), {"random_page_cost": "4"}),
        (machine(64, 4, 40, workload="analytics", database=10), {"random_page_cost": "1.1"}),
        (machine(64, 4, 40, storage="hdd", database=10), {"random_page_cost": "1.1"}),
        (machine(64, 4, 40, major=V18), {"io_method": "io_uring"}),
    ],
)
def test_pgtune_by_its_own_test_vectors(compared_machine: PeerMachine, expected: dict[str, str]) -> None:
    result = PEER_RULES["pgtune"](compared_machine)
    assert {name: result.get(name) for name in expected} == expected


@pytest.mark.parametrize(("database", "factor"), [(10, 1.3), (96, 1.0), (64, 1.0), (192, 1.0), (193, 0.9)])
def test_pgtune_minds_how_large_the_database_is_beside_memory(database: int, factor: float) -> None:
    usual = (64 - 16) * 1024 * 1024 // ((200 + 8) * 3)
    result = PEER_RULES["pgtune"](machine(64, 2, 200, database=database))
    assert result["work_mem"] == f"{int(usual * factor)}kB"


@pytest.mark.parametrize(
    ("memory", "connections", "processors", "expected"),
    [
        (10, 100, 4, ("2560MB", "7680MB", "1280MB", "20MB")),
        (12, 50, 5, ("3GB", "9GB", "1536MB", "32MB")),
        (32, 50, 1, ("8GB", "24GB", "2047MB", "256MB")),
        (32, 50, 9000, ("8GB", "24GB", "2047MB", "64kB")),
    ],
)
def test_timescaledb_tune_by_its_own_test_vectors(
    memory: int, connections: int, processors: int, expected: tuple[str, ...]
) -> None:
    result = PEER_RULES["timescaledb-tune"](machine(memory, processors, connections))
    names = ("shared_buffers", "effective_cache_size", "maintenance_work_mem", "work_mem")
    assert tuple(result[name] for name in names) == expected


def test_timescaledb_tune_says_nothing_of_parallelism_on_one_processor() -> None:
    assert not {name for name in PEER_RULES["timescaledb-tune"](machine(8, 1, 100)) if "worker_p" in name}


def sweep(peer: str) -> set[str]:
    """All that a generator sets on any machine."""
    kinds: tuple[WorkloadKind, ...] = ("oltp", "read_mostly", "mixed", "analytics")
    stored: tuple[StorageKind, ...] = ("hdd", "ssd", "nvme", "san")
    machines = (
        machine(gigabytes, processors, 100, workload=workload, storage=storage, major=major)
        for gigabytes in (1, 64)
        for processors in (1, 4, 64)
        for workload in kinds
        for storage in stored
        for major in SUPPORTED
    )
    return {name for peer_machine in machines for name in PEER_RULES[peer](peer_machine)}


@pytest.mark.parametrize("peer", peer_names())
def test_every_setting_of_a_generator_has_its_rule_in_words_and_no_rule_is_idle(peer: str) -> None:
    assert set(load_peer(peer).rules) == sweep(peer)


@pytest.mark.parametrize("peer", peer_names())
def test_a_generator_names_its_version_its_place_and_its_licence(peer: str) -> None:
    said = load_peer(peer)
    assert said.name == peer
    assert said.version
    assert said.url.startswith("https://")
    assert "none of its code is used" in said.licence


def test_sizes_below_a_megabyte_are_written_too() -> None:
    tiny = dataclasses.replace(machine(1, 1, 100), memory=Bytes(300 * MIB))
    assert PEER_RULES["timescaledb-tune"](tiny)["wal_buffers"] == "2303kB"
    assert PEER_RULES["pgconfig"](tiny)["maintenance_work_mem"] == "15MB"
