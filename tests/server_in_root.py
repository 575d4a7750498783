"""A real server in a pretend root: the machine is made of files, the data directory is its /data."""

from pathlib import Path

from pretend_root import FILES, PretendRoot
from real_postgres import Cluster
from small_plans import small_answers, small_facts, small_plan
from tunewiz.bundle import write_bundle
from tunewiz.core.examples import Given
from tunewiz.core.known import Known
from tunewiz.records import answers_to_toml, facts_to_json

DROP_IN = "conf.d/zz-tunewiz.conf"
"""Below the data directory."""


def machine_of(cluster: Cluster, state: Path) -> PretendRoot:
    """A pretend root around the cluster."""
    machine = PretendRoot(root=cluster.directory, state=state)
    for path, content in FILES.items():
        if not path.startswith("/var/lib"):
            machine.write(path, content)
    return machine


def bundle_for(cluster: Cluster, directory: Path, wanted: dict[str, str], **settings: str) -> Path:
    """A bundle of settings for it; what the server has is named where it is not the default."""
    facts = small_facts(
        Given(major=cluster.programs.major, settings={"shared_buffers": "128MB", **settings}),
        data_directory=Known("/data", "test"),
        config_file=Known("/data/postgresql.conf", "test"),
        include_directory=Known("/data/conf.d", "test"),
    )
    write_bundle(small_plan(facts, wanted), directory, facts_to_json(facts), answers_to_toml(small_answers()))
    return directory
