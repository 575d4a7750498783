"""What probes for root has the rights of the server's owner's login and no others."""

import json
import os
import pwd
import subprocess
from pathlib import Path

import pytest

from fixtures_attacks import ONLY_ROOT_HAS_RIGHTS_TO_LOSE
from fixtures_postgres import directory_of, unprivileged_user
from tunewiz.collect.postgres.client import environment_of
from tunewiz.collect.probe.probing import CHILD
from tunewiz.collect.probe.protocol import ProbeRequest
from tunewiz.collect.system import LiveSystem

pytestmark = ONLY_ROOT_HAS_RIGHTS_TO_LOSE
WITHOUT_LOGIN = 61_234


def rights(directory: Path, uid: int, group: int) -> str:
    """Real, effective and saved user, then all groups, as a program of the owner's finds them."""
    program, data = directory / "pg_test_timing", directory / "data"
    (data / "base").mkdir(parents=True)
    program.write_text(
        "#!/bin/sh\nexec sed -n 's/^\\(Uid\\|Gid\\|Groups\\)://p' /proc/self/status | tr -s '\\n\\t ' ' '\n"
    )
    program.chmod(0o755)
    for path in (directory, data, data / "base"):
        os.chown(path, uid, group)
    request = ProbeRequest(directory=str(data), uid=uid, seconds=5, fsync="", timing=str(program))
    with subprocess.Popen(
        CHILD,
        env=environment_of(LiveSystem()),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as probing:
        assert probing.stdin is not None
        assert probing.stdout is not None
        probing.stdin.write(f"{request.to_json()}\n")
        probing.stdin.flush()
        last = json.loads(probing.stdout.read().splitlines()[-1])
    said: str = last["done"]["why"]["clock"]
    return said


def test_a_login_brings_its_own_groups_and_none_of_its_files() -> None:
    account = pwd.getpwnam(unprivileged_user())
    with directory_of(unprivileged_user()) as directory:
        said = rights(directory, account.pw_uid, 0).split()
    groups = {account.pw_gid, *os.getgrouplist(account.pw_name, account.pw_gid)}
    assert {int(text) for text in said} >= {account.pw_uid, account.pw_gid}
    assert {int(text) for text in said} <= {account.pw_uid, *groups}
    assert "0" not in said


@pytest.mark.parametrize("group", [0, 42])
def test_without_a_login_there_is_no_group_at_all(group: int) -> None:
    with directory_of(unprivileged_user()) as directory:
        said = rights(directory, WITHOUT_LOGIN, group).split()
    assert set(said) == {str(WITHOUT_LOGIN), "65534"}
