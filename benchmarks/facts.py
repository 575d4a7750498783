"""Time and memory of `tunewiz facts` against the number of processors, on made-up captures.

    .venv/bin/python benchmarks/facts.py [RUNS]

Each capture is a server with two threads a core, 64 processors a socket and node, four kinds of caches, a
disk for every eight processors, and a /proc/cpuinfo with the lines that x86 has. The fastest of RUNS
(default 5) is printed: what other programs take from this machine at the time is not ours.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

PROCESSORS = (64, 128, 256, 512, 1024)
MAX_SECONDS = 0.5
MAX_MEGABYTES = 100
"""What the largest capture may take."""
SLACK = 1.15
"""Twice the processors may take this much more than twice the time above the start, for noise."""

CACHES = ((1, "Data", 2), (1, "Instruction", 2), (2, "Unified", 2), (3, "Unified", 16))
"""Level, type, processors that share one."""
A_SOCKET = 64
CPU = "sys/devices/system/cpu"
FLAGS = " ".join(f"flag{number}" for number in range(140))
NAMES = "model name cpu_MHz microcode bugs clflush_size cache_alignment address_sizes fpu wp cpuid_level"
REST = "".join(f"{name}\t: some words of usual length 0x2b000461\n" for name in NAMES.split())


@dataclass(frozen=True, kw_only=True, slots=True)
class Cost:
    """What one capture took."""

    seconds: float
    """On the clock."""
    processor: float
    """Seconds of a processor, in the program and in the kernel for it."""
    megabytes: float
    """The most memory that was resident."""


def write(root: Path, processors: int) -> None:
    """A captured root."""
    for name, content in files(processors):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="ascii")


def files(processors: int) -> Iterator[tuple[str, str]]:
    """All files by path."""
    yield f"{CPU}/online", f"0-{processors - 1}\n"
    yield f"{CPU}/present", f"0-{processors - 1}\n"
    yield "proc/cpuinfo", "".join(stanza(cpu) for cpu in range(processors))
    yield "proc/meminfo", "MemTotal: 1073741824 kB\nSwapTotal: 0 kB\nHugepagesize: 2048 kB\n"
    yield "proc/stat", "".join(f"cpu{cpu} 1 2 3 4 5 6 7 8 9 0\n" for cpu in range(processors))
    for cpu in range(processors):
        yield from of_processor(cpu)
    for node in range(processors // A_SOCKET):
        folder = f"sys/devices/system/node/node{node}"
        yield f"{folder}/cpulist", f"{node * A_SOCKET}-{(node + 1) * A_SOCKET - 1}\n"
        yield f"{folder}/meminfo", f"Node {node} MemTotal: 67108864 kB\n"
        yield f"{folder}/hugepages/hugepages-2048kB/nr_hugepages", "0\n"
    mounts = ["25 1 8:0 / / rw - ext4 /dev/disk0 rw\n"]
    for disk in range(processors // 8):
        queue = f"sys/block/disk{disk}/queue"
        yield f"sys/block/disk{disk}/dev", f"8:{disk}\n"
        yield f"{queue}/rotational", "0\n"
        yield f"{queue}/scheduler", "[none] mq-deadline\n"
        yield f"{queue}/read_ahead_kb", "128\n"
        mounts.append(f"26 25 8:{disk} / /data{disk} rw - xfs /dev/disk{disk} rw\n")
    yield "proc/self/mountinfo", "".join(mounts)


def of_processor(cpu: int) -> Iterator[tuple[str, str]]:
    """Topology and caches of one processor."""
    first = cpu // 2 * 2
    place = f"{CPU}/cpu{cpu}/topology"
    yield f"{place}/thread_siblings_list", f"{first},{first + 1}\n"
    yield f"{place}/physical_package_id", f"{cpu // A_SOCKET}\n"
    yield f"{place}/core_id", f"{cpu // 2}\n"
    for index, (level, kind, sharing) in enumerate(CACHES):
        cache, start = f"{CPU}/cpu{cpu}/cache/index{index}", cpu // sharing * sharing
        yield f"{cache}/level", f"{level}\n"
        yield f"{cache}/type", f"{kind}\n"
        yield f"{cache}/size", "64K\n"
        yield f"{cache}/shared_cpu_list", f"{start}-{start + sharing - 1}\n"


def stanza(cpu: int) -> str:
    """One processor in /proc/cpuinfo."""
    ids = f"physical id\t: {cpu // A_SOCKET}\ncore id\t: {cpu // 2}\n"
    return f"processor\t: {cpu}\nvendor_id\t: GenuineIntel\n{ids}{REST}flags\t\t: {FLAGS}\n\n"


def once(root: Path, out: Path) -> Cost:
    """Read the capture by the command, as a person does."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "tunewiz", "facts", "--root", str(root), "-o", str(out)]
    with subprocess.Popen(command) as running:
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - begun
    if running.returncode:
        sys.exit(f"{' '.join(command)} ended with {running.returncode}")
    return Cost(seconds=seconds, processor=used.ru_utime + used.ru_stime, megabytes=used.ru_maxrss / 1024)


def measured(processors: int, runs: int) -> Cost:
    """The least of several runs; the first, which fills caches, does not count."""
    with tempfile.TemporaryDirectory() as directory:
        root, out = Path(directory) / "root", Path(directory) / "facts.json"
        write(root, processors)
        costs = [once(root, out) for _ in range(runs + 1)][1:]
        load = json.loads(out.read_text(encoding="ascii"))["cpu"]["cores"]
    if load != processors // 2:
        sys.exit(f"{processors} processors: found {load} cores")
    return Cost(
        seconds=min(cost.seconds for cost in costs),
        processor=min(cost.processor for cost in costs),
        megabytes=max(cost.megabytes for cost in costs),
    )


def main() -> int:
    """Measure and print; 1 where a limit is exceeded."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    costs = {processors: measured(processors, runs) for processors in PROCESSORS}
    print("processors  on the clock  of a processor  most memory")
    for processors, cost in costs.items():
        print(f"{processors:10}  {cost.seconds:10.3f} s  {cost.processor:12.3f} s  {cost.megabytes:8.1f} MB")
    largest = costs[PROCESSORS[-1]]
    # The start of the program costs the same on every machine: only what grows is compared.
    grown = [(high - low) for low, high in pairwise(cost.processor for cost in costs.values())]
    linear = grown[-1] <= 2 * SLACK * max(grown[-2], 0.01)
    print(f"from 256 to 512 processors {grown[-2]:+.3f} s, from 512 to 1024 {grown[-1]:+.3f} s")
    small = largest.seconds < MAX_SECONDS and largest.megabytes < MAX_MEGABYTES
    print(f"limits at {PROCESSORS[-1]}: {MAX_SECONDS} s, {MAX_MEGABYTES} MB, no faster than linear growth")
    return 0 if small and linear else 1


if __name__ == "__main__":
    sys.exit(main())
