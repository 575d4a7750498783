"""A real server in a pretend root: the machine is made of files, the data directory is its /data."""

from pathlib import Path

from pretend_root import FILES, PretendRoot
from real_postgres import Cluster
from small_bundles import bundle_of
from small_plans import small_facts, small_plan
from tunewiz.core.facts.facts import Facts
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known

DROP_IN = "conf.d/zz-tunewiz.conf"
"""Below the data directory."""


def machine_of(cluster: Cluster, state: Path) -> PretendRoot:
    """A pretend root around the cluster."""
    machine = PretendRoot(root=cluster.directory, state=state)
    for path, content in FILES.items():
        if not path.startswith("/var/lib"):
            machine.write(path, content)
    return machine


def facts_for(cluster: Cluster, **settings: str) -> Facts:
    """What is known of it; what the server has is named where it is not the default."""
    return small_facts(
        Given(major=cluster.programs.major, settings={"shared_buffers": "128MB", **settings}),
        data_directory=Known("/data", "test"),
        config_file=Known("/data/postgresql.conf", "test"),
        include_directory=Known("/data/conf.d", "test"),
    )


def bundle_for(cluster: Cluster, directory: Path, wanted: dict[str, str], **settings: str) -> Path:
    """A bundle of settings for it."""
    return bundle_of(small_plan(facts_for(cluster, **settings), wanted), directory)


def gone(cluster: Cluster) -> str:
    """A command for a shell that ends the server, and waits until it has ended."""
    lives = f"read -r postmaster <{cluster.data_directory}/postmaster.pid && kill -s"
    return f"while {lives} QUIT $postmaster; do sleep 0.1; done 2>/dev/null"
