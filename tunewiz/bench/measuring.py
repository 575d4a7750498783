"""Measures one arm: the same data, the same warm-up, a checkpoint, then full speed, then a fixed rate."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tunewiz.bench.errors import RunError
from tunewiz.bench.owner import Watch, must
from tunewiz.bench.pgbench_output import busy_ticks, latencies_of, percentile, seconds_of, summary
from tunewiz.bench.run import BenchRun
from tunewiz.bench.server import Server
from tunewiz.collect.system import regular_content
from tunewiz.core.proof.metrics import MetricName
from tunewiz.core.proof.proof import Arm
from tunewiz.core.values.identifiers import identifier

LOGGED = 500_000
"""Transactions of a fixed-rate run to log; of more than this, a sample is logged."""
MOST_THREADS = 64
WITH_STRATEGY = 15
"""The first release that can copy a database by WAL instead of by files (PostgreSQL release notes, 15)."""
SHARE_OF_PEAK = 0.7
"""Share of the peak: below it, so that queues stay finite; near it, so that they form at all."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Bench:
    """A run, its server, and what may end a program early."""

    run: BenchRun
    server: Server
    watch: Watch

    @property
    def logs(self) -> Path:
        """Where pgbench writes its logs, as the server's owner."""
        return Path(self.run.work) / "logs"

    @property
    def data(self) -> str:
        """The database that both sides start from."""
        return f"{self.run.database}_data"

    @property
    def copy(self) -> str:
        """The database of one arm."""
        return f"{self.run.database}_run"

    def prepare(self) -> None:
        """Make the data that every arm starts from; raises RunError."""
        self.server.drop(self.copy)
        self.server.drop(self.data)
        self.server.ask(create_database(self.data, self.run.template), watch=self.watch)
        if not self.run.template:
            self._pgbench(self.data, "-i", "-q", "-s", str(self.run.scale))

    def arm(self, rate: float, seed: int) -> Arm:
        """Measure the server as it is now.

        Args:
            rate: Transactions a second of the run at a fixed rate; 0 leaves it out.
            seed: Of pgbench's random numbers.

        Raises:
            RunError: The server or pgbench failed.
        """
        self._same_data()
        self._workload(self.run.lengths.warm_up, seed, ())
        self.server.ask("CHECKPOINT", watch=self.watch)
        figures, series = self._full_speed(seed + 1)
        if rate > 0 and self.run.lengths.fixed_rate:
            figures |= self._fixed_rate(rate, seed + 2)
        self.server.drop(self.copy)
        return Arm(figures=MappingProxyType(figures), series=series)

    def peak(self, seed: int) -> float:
        """Transactions a second, measured over the length of the warm-up."""
        self._same_data()
        self._workload(self.run.lengths.warm_up, seed, ())
        speed = summary(self._workload(self.run.lengths.warm_up, seed + 1, ())).speed
        self.server.drop(self.copy)
        return speed

    def rehearse(self, seed: int) -> float:
        """Seconds that a run takes besides its transactions, after a warm-up that wrote; raises RunError."""
        began = time.monotonic()
        self._same_data()
        self._workload(self.run.lengths.warm_up, seed, ())
        self.server.ask("CHECKPOINT", watch=self.watch)
        self.server.drop(self.copy)
        return max(0.0, time.monotonic() - began - self.run.lengths.warm_up)

    def _same_data(self) -> None:
        self.server.drop(self.copy)
        statement = create_database(self.copy, self.data)
        self.server.ask(f"{statement}{how_to_copy(self.run.server.major)}", watch=self.watch)

    def _full_speed(self, seed: int) -> tuple[dict[MetricName, float], tuple[int, ...]]:
        wal, ticks = self.server.wal_bytes(), busy_ticks(_processors())
        pgbench_summary = summary(
            self._workload(self.run.lengths.full_speed, seed, ("--log", "--aggregate-interval=1"))
        )
        ticks, wal = busy_ticks(_processors()) - ticks, self.server.wal_bytes() - wal
        series = seconds_of(self._taken_logs())
        if not pgbench_summary.transactions or not pgbench_summary.speed:
            raise RunError("pgbench completed no transaction")
        figures: dict[MetricName, float] = {
            "throughput": pgbench_summary.speed,
            "wal_per_transaction": wal / pgbench_summary.transactions,
            "cpu_per_transaction": ticks * 1_000 / os.sysconf("SC_CLK_TCK") / pgbench_summary.transactions,
        }
        if series:
            figures["worst_second"] = float(min(series))
        return figures, series

    def _fixed_rate(self, rate: float, seed: int) -> dict[MetricName, float]:
        share = min(1.0, LOGGED / max(1.0, rate * self.run.lengths.fixed_rate))
        sampled = () if share >= 1 else (f"--sampling-rate={share:.4f}",)
        self._workload(self.run.lengths.fixed_rate, seed, (f"--rate={rate:.3f}", "--log", *sampled))
        latencies = latencies_of(self._taken_logs())
        if not latencies:
            raise RunError("pgbench logged no transaction of the run at a fixed rate")
        return {
            "latency_95": percentile(latencies, 0.95) / 1_000,
            "latency_99": percentile(latencies, 0.99) / 1_000,
        }

    def _workload(self, seconds: int, seed: int, options: tuple[str, ...]) -> str:
        threads = min(self.run.clients, self.run.host.processors or 1, MOST_THREADS)
        return self._pgbench(
            self.copy,
            *("-n", "-c", str(self.run.clients), "-j", str(threads), "-T", str(seconds)),
            *(f"--random-seed={seed}", *options, *self._scripts()),
        )

    def _scripts(self) -> tuple[str, ...]:
        kind = "-b" if self.run.source == "builtin" else "-f"
        folder = "" if kind == "-b" else f"{self.run.work}/"
        return tuple(
            word for script in self.run.scripts for word in (kind, f"{folder}{script.name}@{script.weight}")
        )

    def _pgbench(self, database: str, *options: str) -> str:
        command = (self.server.program("pgbench"), *options, *self.server.where(database))
        done = self.server.run(command, directory=self.logs, watch=self.watch, session=self.run.session)
        return must(done, "pgbench")

    def _taken_logs(self) -> tuple[str, ...]:
        """What pgbench logged; the files are removed. Links are not followed: the owner may make some."""
        files = sorted(self.logs.glob("pgbench_log.*"))
        try:
            return tuple(regular_content(str(file), os.O_NOFOLLOW).decode(errors="replace") for file in files)
        except OSError as error:
            raise RunError(f"{self.logs}: cannot be read: {error.strerror}") from error
        finally:
            for file in files:
                file.unlink(missing_ok=True)


def create_database(name: str, template: str) -> str:
    """The statement that makes a database of ours: empty, or a copy of one that may have any name.

    Empty as initdb made it: in template1 others may have left functions of theirs.
    """
    return f"CREATE DATABASE {identifier(name)} TEMPLATE {identifier(template or 'template0')}"


def how_to_copy(major: str) -> str:
    """The clause that copies files, as releases before 15 always do.

    By WAL, the copy takes as long as shared_buffers allow: the changes would decide how long a run waits.
    """
    return " STRATEGY file_copy" if int(major.split(".", maxsplit=1)[0]) >= WITH_STRATEGY else ""


def _processors() -> str:
    return Path("/proc/stat").read_text(encoding="ascii")
