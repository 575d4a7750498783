"""How long a server takes no connections while a bundle is applied with one restart, against a bare restart.

    PYTHONPATH=tests/support .venv/bin/python benchmarks/downtime.py [RUNS]

Both on the same server, in turn, RUNS times (default 10). The medians and their ratio are printed, and the
size of the scripts. Connections are tried without pause: the longest time between two that came to be counts.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from fixtures_postgres import (
    configure,
    crash,
    describe,
    directory_of,
    initialize,
    installed_programs,
    unprivileged_user,
)
from pretend_root import FILES, PretendRoot
from real_postgres import Cluster
from small_plans import small_answers, small_facts, small_plan
from tunewiz.bundle import write_bundle
from tunewiz.bundle.parts import parts, scripts
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known
from tunewiz.formats.records import answers_to_toml, facts_to_json

PORT = 54990


def downtime(cluster: Cluster, act: Callable[[], object]) -> float:
    """The longest time without a connection while something is done, in seconds."""
    connected: list[float] = []
    over = threading.Event()
    where = f"host={cluster.socket_directory} port={cluster.port} user={cluster.os_user} dbname=postgres"

    def try_on() -> None:
        while not over.is_set():
            try:
                psycopg.connect(where).close()
            except psycopg.OperationalError:
                time.sleep(0.001)
            else:
                connected.append(time.monotonic())

    prober = threading.Thread(target=try_on)
    prober.start()
    time.sleep(0.2)
    act()
    time.sleep(0.2)
    over.set()
    prober.join()
    return max(later - earlier for earlier, later in itertools.pairwise(connected))


def machine_of(cluster: Cluster, directory: Path) -> PretendRoot:
    """A pretend root around the cluster, which keeps its records in a directory."""
    machine = PretendRoot(root=cluster.directory, state=directory / "state")
    for path, content in FILES.items():
        if not path.startswith("/var/lib"):
            machine.write(path, content)
    return machine


def prepared(cluster: Cluster, directory: Path) -> tuple[PretendRoot, Path]:
    """A machine around the cluster and a bundle that needs one restart."""
    machine = machine_of(cluster, directory)
    facts = small_facts(
        Given(major=cluster.programs.major, settings={"shared_buffers": "128MB"}),
        data_directory=Known("/data", "here"),
        config_file=Known("/data/postgresql.conf", "here"),
        include_directory=Known("/data/conf.d", "here"),
    )
    plan = small_plan(facts, {"pg.shared_buffers": "192MB", "pg.work_mem": "24MB"})
    write_bundle(plan, directory / "bundle", facts_to_json(facts), answers_to_toml(small_answers()))
    return machine, directory / "bundle"


def measure(cluster: Cluster, runs: int, directory: Path) -> None:
    """In turn, so that what the machine does besides meets both."""
    machine, bundle = prepared(cluster, directory)
    pg_ctl = cluster.programs.bin_directory / "pg_ctl"

    def restart() -> None:
        cluster.run(
            pg_ctl, "restart", "-w", "-m", "fast", "-D", cluster.data_directory, "-l", cluster.log_file
        )

    def run(script: str) -> None:
        ran = machine.run(bundle / script)
        if ran.status != 0:
            sys.exit(ran.said)

    bare: list[float] = []
    applied: list[float] = []
    for _ in range(runs):
        bare.append(downtime(cluster, restart))
        applied.append(downtime(cluster, lambda: run("apply.sh")))
        run("rollback.sh")
    for name, seconds in (("bare restart", bare), ("apply.sh", applied)):
        print(f"{name:14} {statistics.median(seconds):.3f} s  ({min(seconds):.3f} to {max(seconds):.3f})")
    ratios = [one / other for one, other in zip(applied, bare, strict=True)]
    print(f"ratio          {statistics.median(ratios):.2f}  over {runs} runs")


def tell_sizes() -> None:
    """Lines and bytes of the scripts that every bundle carries."""
    texts = [file.read_text() for file in (*scripts().values(), *parts().values())]
    lines = sum(text.count("\n") for text in texts)
    print(f"scripts        {len(texts)} files, {lines} lines, {sum(map(len, texts))} bytes")


@contextmanager
def served(port: int = PORT, **settings: str) -> Generator[Cluster]:
    """A running server that includes a directory, conf.d in its own; the rest are PostgreSQL's defaults."""
    programs = installed_programs()
    if isinstance(programs, str):
        sys.exit(programs)
    user = unprivileged_user()
    with directory_of(user) as directory:
        cluster = describe("plain", programs, user, directory, port)
        initialize(programs, user, cluster.data_directory)
        cluster.run("mkdir", cluster.socket_directory, cluster.data_directory / "conf.d")
        configure(cluster, settings)
        with cluster.config_file.open("a") as config:
            config.write("include_dir = 'conf.d'\n")
        cluster.start()
        try:
            yield cluster
        finally:
            crash(cluster)


def main() -> None:
    """Makes a server, measures, removes it."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    tell_sizes()
    with served() as cluster, tempfile.TemporaryDirectory() as beside:
        measure(cluster, runs, Path(beside))


if __name__ == "__main__":
    main()
