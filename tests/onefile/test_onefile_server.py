"""The one file asks a running server with the host's libpq, through psycopg's Python part that it carries."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import Ended
from real_postgres import Cluster

pytestmark = [pytest.mark.slow, pytest.mark.postgres]
PROBE = "import ctypes.util, sys; sys.exit(not ctypes.util.find_library('pq'))"


@pytest.fixture
def bare_python(tmp_path: Path) -> Path:
    """A Python without any package: psycopg can only come out of the one file."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "bare"], check=True)
    python = tmp_path / "bare" / "bin" / "python"
    assert subprocess.run([python, "-c", "import psycopg"], capture_output=True, check=False).returncode != 0
    if subprocess.run([python, "-c", PROBE], check=False).returncode != 0:
        pytest.skip("libpq is missing (Debian: apt-get install libpq5)")
    return python


def server_as_seen(python: Path, one_file: Path, cluster: Cluster, folder: Path) -> dict[str, object]:
    """By `facts`, among whatever else runs on this machine."""
    facts = folder / "facts.json"
    done = subprocess.run(
        [python, one_file, "facts", "-o", facts], capture_output=True, text=True, check=False
    )
    assert Ended(status=done.returncode, out=done.stdout, err=done.stderr).status == 0, done.stderr
    written = json.loads(facts.read_text())
    server: dict[str, object]
    (server,) = [value for value in written["postgres"] if str(cluster.data_directory) in json.dumps(value)]
    return server


def test_settings_come_from_the_running_server(
    bare_python: Path, one_file: Path, running_cluster: Cluster, tmp_path: Path
) -> None:
    running_cluster.query("alter system set work_mem = '7321kB'")
    running_cluster.query("select pg_reload_conf()")
    server = server_as_seen(bare_python, one_file, running_cluster, tmp_path)
    assert "pg_settings" in (tmp_path / "facts.json").read_text()
    assert "7321" in json.dumps(server)


def test_the_hosts_own_psycopg_comes_first(
    bare_python: Path, one_file: Path, running_cluster: Cluster, tmp_path: Path
) -> None:
    (packages,) = (bare_python.parent.parent / "lib").glob("python3*/site-packages")
    (packages / "psycopg.py").write_text("raise ImportError('this is the host speaking')\n")
    server = server_as_seen(bare_python, one_file, running_cluster, tmp_path)
    assert server["running"] is True
    assert "this is the host speaking" in (tmp_path / "facts.json").read_text()
