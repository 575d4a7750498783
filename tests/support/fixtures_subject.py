"""Real clusters for bundles, each with the layout and the way in that a test asks for."""

from pathlib import Path

import pytest

from fixtures_postgres import MakeCluster
from real_postgres import Cluster, Layout
from real_subject import MakeSubject, Subject, Way


@pytest.fixture
def make_subject(make_cluster: MakeCluster, tmp_path: Path) -> MakeSubject:
    def make(layout: Layout = "plain", *, way: Way = "drop-in") -> Subject:
        cluster = make_cluster(layout)
        included = cluster.config_file.parent / "conf.d" if way == "drop-in" else None
        if included is not None and layout == "plain":
            cluster.run("mkdir", included)
            with cluster.config_file.open("a") as config:
                config.write("include_dir = 'conf.d'\n")
        (tmp_path / "bundles").mkdir()
        cluster.start()
        return Subject(
            cluster=cluster, included=included, state=tmp_path / "state", bundles=tmp_path / "bundles"
        )

    return make


@pytest.fixture
def database(make_cluster: MakeCluster) -> Cluster:
    """A running server that includes a directory, conf.d in its own."""
    made = make_cluster()
    made.run("mkdir", made.data_directory / "conf.d")
    with made.config_file.open("a") as config:
        config.write("include_dir = 'conf.d'\n")
    made.start()
    return made
