"""What a bundle's scripts cost on a real server: processes, and time beside a bare `pg_ctl reload`.

    PYTHONPATH=tests/support .venv/bin/python benchmarks/scripts.py [RUNS]

A plan of 14 settings that need a reload alone, RUNS times (default 5), in turn with the bare reload, which
meets the same machine. Processes are counted by strace, in a round of its own. The medians are printed.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from downtime import machine_of, served

from pretend_root import PretendRoot
from real_postgres import Cluster
from small_plans import small_answers, small_facts, small_plan
from tunewiz.bundle import write_bundle
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known
from tunewiz.formats.records import answers_to_toml, facts_to_json

WANTED = {
    "pg.autovacuum_naptime": "15s",
    "pg.autovacuum_vacuum_cost_limit": "2000",
    "pg.autovacuum_vacuum_scale_factor": "0.05",
    "pg.checkpoint_completion_target": "0.8",
    "pg.checkpoint_timeout": "15min",
    "pg.default_statistics_target": "200",
    "pg.effective_cache_size": "6GB",
    "pg.effective_io_concurrency": "200",
    "pg.maintenance_work_mem": "512MB",
    "pg.max_wal_size": "4GB",
    "pg.min_wal_size": "1GB",
    "pg.random_page_cost": "1.1",
    "pg.max_parallel_workers_per_gather": "4",
    "pg.work_mem": "24MB",
}
STEPS = (
    ("dry run", "apply.sh", "--dry-run"),
    ("apply", "apply.sh"),
    ("verify", "verify.sh"),
    ("rollback", "rollback.sh"),
)


def written(cluster: Cluster, directory: Path) -> Path:
    """A bundle that a reload puts in force."""
    facts = small_facts(
        Given(major=cluster.programs.major, settings={}),
        data_directory=Known("/data", "here"),
        config_file=Known("/data/postgresql.conf", "here"),
        include_directory=Known("/data/conf.d", "here"),
    )
    write_bundle(small_plan(facts, WANTED), directory, facts_to_json(facts), answers_to_toml(small_answers()))
    return directory


def run(machine: PretendRoot, bundle: Path, script: str, *arguments: str) -> None:
    """A script, which has to succeed."""
    ran = machine.run(bundle / script, *arguments)
    if ran.status != 0:
        sys.exit(ran.said)


def processes(machine: PretendRoot, bundle: Path, script: str, *arguments: str) -> int:
    """How many processes a script starts, those of its programs too."""
    with tempfile.NamedTemporaryFile() as trace:
        environment = {"TUNEWIZ_ROOT": str(machine.root), "TUNEWIZ_STATE_DIR": str(machine.state)}
        traced = ["strace", "-f", "-qq", "-e", "trace=clone,clone3,fork,vfork", "-o", trace.name]
        ran = subprocess.run(
            [*traced, "sh", str(bundle / script), *arguments],
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode != 0:
            sys.exit(ran.stdout + ran.stderr)
        # An unfinished call is told twice: as begun, and as resumed with its result.
        return sum(" = " in line and "= -1" not in line for line in Path(trace.name).read_text().splitlines())


def seconds(act: Callable[[], object]) -> float:
    """How long something takes."""
    began = time.monotonic()
    act()
    return time.monotonic() - began


def main() -> None:
    """Makes a server, measures, removes it."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with served() as cluster, tempfile.TemporaryDirectory() as beside:
        machine = machine_of(cluster, Path(beside))
        bundle = written(cluster, Path(beside) / "bundle")
        pg_ctl = cluster.programs.bin_directory / "pg_ctl"
        started = {name: processes(machine, bundle, *step) for name, *step in STEPS}
        taken: dict[str, list[float]] = {name: [] for name, *_ in STEPS}
        bare: list[float] = []
        for _ in range(runs):
            bare.append(seconds(lambda: cluster.run(pg_ctl, "reload", "-D", cluster.data_directory)))
            for name, *step in STEPS:
                taken[name].append(seconds(lambda step=step: run(machine, bundle, *step)))
    print(f"pg_ctl reload  {1000 * statistics.median(bare):6.0f} ms  over {runs} runs")
    for name, *_ in STEPS:
        median = statistics.median(taken[name])
        ratio = median / statistics.median(bare)
        print(f"{name:14} {1000 * median:6.0f} ms  {ratio:5.0f} x  {started[name]:4} processes")


if __name__ == "__main__":
    main()
