"""A real cluster that bundles are made for, applied to and taken back from."""

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import pytest

from pretend_root import Entry, Ran, entry
from real_postgres import Cluster
from small_plans import identity, small_answers, small_facts, small_plan, with_settings
from tools_here import machine_id_here
from tunewiz.bundle import write_bundle
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import Setting
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Absent, Known
from tunewiz.formats.records import answers_to_toml, facts_to_json

WANTED = {"pg.shared_buffers": "192MB", "pg.work_mem": "24MB", "pg.random_page_cost": "1.1"}
SHOWN = {"shared_buffers": "192MB", "work_mem": "24MB", "random_page_cost": "1.1"}

Way = Literal["drop-in", "ALTER SYSTEM"]
WAYS = ("drop-in", pytest.param("ALTER SYSTEM", marks=pytest.mark.slow))


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A cluster, the directory that its configuration includes, and where bundles keep what they found."""

    cluster: Cluster
    included: Path | None
    state: Path
    bundles: Path

    def facts(self, **settings: Setting) -> Facts:
        """As they would be read from the running server."""
        cluster = self.cluster
        machine_id = machine_id_here()
        facts = small_facts(
            Given(major=cluster.programs.major, settings={"shared_buffers": "128MB"}),
            data_directory=Known(str(cluster.data_directory), "test"),
            config_file=Known(str(cluster.config_file), "test"),
            owner="debian" if cluster.layout == "debian" else "source",
            running=cluster.is_running(),
            system_identifier=Known(system_identifier(cluster), "pg_controldata"),
            include_directory=Absent("test") if self.included is None else Known(str(self.included), "test"),
        )
        host = dataclasses.replace(facts.host, identity=Known(identity(machine_id), "/etc/machine-id"))
        servers = tuple(with_settings(server, **settings) for server in facts.postgres)
        return dataclasses.replace(facts, host=host, postgres=servers)

    def bundle(self, wanted: Mapping[str, str] = WANTED, **settings: Setting) -> Path:
        """A bundle for the cluster as it is."""
        facts = self.facts(**settings)
        directory = self.bundles / f"bundle-{len(list(self.bundles.iterdir()))}"
        write_bundle(
            small_plan(facts, wanted), directory, facts_to_json(facts), answers_to_toml(small_answers())
        )
        return directory

    def run(self, script: Path, *arguments: str, before: tuple[str, ...] = ()) -> Ran:
        """Runs a script as root would (or as the owner, where nobody is root)."""
        environment = {"PATH": os.environ["PATH"], "TUNEWIZ_STATE_DIR": str(self.state)}
        done = subprocess.run(
            [*before, "sh", script, *arguments],
            env={**environment, **self.cluster.environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=100,
        )
        return Ran(status=done.returncode, out=done.stdout, err=done.stderr)

    def configuration(self) -> dict[str, Entry]:
        """Every configuration file of the server: content, mode, owner."""
        places = {self.cluster.config_file.parent, self.cluster.data_directory, self.included}
        files = (file for place in places if place for file in place.iterdir())
        return {str(file): entry(file) for file in files if file.suffix in {".conf", ".tunewiz-new"}}

    def started(self) -> str:
        """When the server was started: another time after a restart."""
        return self.cluster.query("SELECT pg_postmaster_start_time()")

    def show(self) -> dict[str, str]:
        """What the running server has."""
        return {name: self.cluster.query(f"SHOW {name}") for name in SHOWN}


def system_identifier(cluster: Cluster) -> str:
    """As pg_controldata tells it, or its file where only what a server needs was fetched."""
    if not (cluster.programs.bin_directory / "pg_controldata").exists():
        head = (cluster.data_directory / "global" / "pg_control").read_bytes()[:8]
        return str(int.from_bytes(head, sys.byteorder))
    run = cluster.run(cluster.programs.bin_directory / "pg_controldata", "-D", cluster.data_directory)
    lines = dict(line.split(":", 1) for line in run.splitlines())
    return lines["Database system identifier"].strip()


MakeSubject = Callable[..., Subject]
