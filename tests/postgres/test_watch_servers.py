"""Which of several servers `tunewiz watch` is about, and a plan that measures or rests on samples."""

from pathlib import Path

import pytest

from command_line import ANSWERS, Ended, tunewiz
from fixtures_postgres import MakeCluster
from live_servers import let_in
from real_postgres import Cluster
from small_rings import ring_of
from tunewiz.core.server.sample_place import server_name
from tunewiz.core.values.known import Known
from tunewiz.formats.records import facts_from_json


def where(cluster: Cluster) -> tuple[str, ...]:
    return ("--host", str(cluster.socket_directory), "--port", str(cluster.port))


def kept(cluster: Cluster, state: Path) -> Path:
    """Samples of it in the place of a user's own."""
    directory = str(cluster.data_directory)
    return ring_of(state / "tunewiz/watch" / server_name(directory) / "ring", directory)


def show(state: Path, *named: str) -> Ended:
    return tunewiz("watch", "--show", *named, environment={"XDG_STATE_HOME": str(state)})


def test_the_only_server_with_samples_is_shown_and_of_two_the_named_one(
    make_cluster: MakeCluster, running_cluster: Cluster, tmp_path: Path
) -> None:
    other = make_cluster()
    other.start()
    kept(running_cluster, tmp_path)
    only = show(tmp_path)
    assert (only.status, only.err) == (0, "")
    assert only.out.startswith(f"{running_cluster.data_directory}, ")
    kept(other, tmp_path)
    both = show(tmp_path)
    assert both.status == 2
    for entry in (running_cluster, other):
        assert f"port {entry.port} in {entry.data_directory}" in both.err
    assert "Name it with --port, --host or --service; a stopped one with --pgdata." in both.err
    other.stop()
    for named in (where(running_cluster), ("--pgdata", str(running_cluster.data_directory))):
        assert show(tmp_path, *named).out.startswith(f"{running_cluster.data_directory}, ")
    assert show(tmp_path, "-D", str(other.data_directory)).out.startswith(f"{other.data_directory}, ")


def test_of_several_running_servers_none_is_sampled_unnamed(
    make_cluster: MakeCluster, running_cluster: Cluster, tmp_path: Path
) -> None:
    other = make_cluster()
    other.start()
    ended = tunewiz("watch", "--ring", tmp_path / "ring")
    assert ended.status == 2
    assert f"port {running_cluster.port} in {running_cluster.data_directory}" in ended.err
    assert f"port {other.port} in {other.data_directory}" in ended.err
    assert not (tmp_path / "ring").exists()


@pytest.mark.slow
def test_a_bundle_of_this_host_rests_on_a_probe_and_on_named_samples(
    running_cluster: Cluster, tmp_path: Path
) -> None:
    let_in(running_cluster, "local all all trust")
    (tmp_path / "answers.toml").write_text(ANSWERS)
    ring = ring_of(tmp_path / "ring", str(running_cluster.data_directory))
    learned = ("--probe", "5s", "--watched", str(ring))
    out = ("--answers", str(tmp_path / "answers.toml"), "--out", str(tmp_path / "out"))
    ended = tunewiz("bundle", *learned, *out, *where(running_cluster))
    assert (ended.status, ended.err) == (0, "")
    server = facts_from_json((tmp_path / "out/facts.json").read_text(), "the bundle").postgres[0]
    assert isinstance(server.probe, Known)
    assert isinstance(server.window, Known)
    assert str(ring) in server.window.how


def test_samples_of_another_server_of_this_host_are_refused(running_cluster: Cluster, tmp_path: Path) -> None:
    let_in(running_cluster, "local all all trust")
    ring = ring_of(tmp_path / "ring", "/srv/elsewhere")
    ended = tunewiz("plan", "--watched", ring, *where(running_cluster))
    assert ended.status == 2
    assert f"found samples of the server in /srv/elsewhere, expected {running_cluster.data_directory}" in (
        ended.one_message
    )
