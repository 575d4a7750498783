"""Directories that serve others too: on the way to the data, and where records were to be kept."""

import dataclasses
import os
import pwd
import stat
from pathlib import Path

import pytest

from pretend_root import PretendRoot
from real_subject import MakeSubject, Subject
from small_bundles import small_bundle

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a directory to a group")

WORK_MEM = {"pg.work_mem": "24MB"}


def open_to_the_group(subject: Subject) -> Path:
    """The directory above the data: root's, and the server's group may write there."""
    above = subject.cluster.data_directory.parent
    os.chown(above, 0, pwd.getpwnam(subject.cluster.os_user).pw_gid)
    above.chmod(0o775)
    return above


@pytest.mark.postgres
def test_case_77_a_server_below_a_directory_of_its_group_is_changed_and_put_back(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject()
    bundle, before = subject.bundle(WORK_MEM), subject.configuration()
    open_to_the_group(subject)
    for script in ("apply.sh", "verify.sh", "rollback.sh"):
        ran = subject.run(bundle / script)
        assert (ran.status, ran.err) == (0, ""), (script, ran.said)
    assert subject.configuration() == before


@pytest.mark.postgres
def test_case_77_a_directory_that_was_opened_since_makes_nothing_of_ours_foreign(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject()
    bundle, before = subject.bundle(WORK_MEM), subject.configuration()
    assert subject.run(bundle / "apply.sh").status == 0
    open_to_the_group(subject)
    for script in ("verify.sh", "rollback.sh"):
        ran = subject.run(bundle / script)
        assert (ran.status, ran.err) == (0, ""), (script, ran.said)
    assert subject.configuration() == before


@pytest.mark.parametrize("other", ["notes.txt", ".profile", "0123456789abcdef0", "locked"])
def test_case_77_a_directory_that_holds_something_else_is_not_closed_for_our_records(
    other: str, machine: PretendRoot, tmp_path: Path
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    (shared / other).write_text("of others\n")
    machine = dataclasses.replace(machine, state=shared)
    bundle, before = small_bundle(tmp_path / "bundle", WORK_MEM), machine.tree()
    for script in ("apply.sh", "verify.sh", "rollback.sh"):
        ran = machine.run(bundle / script)
        assert (ran.status, f"{other} is there" in ran.err) == (2, True), ran.said
    assert (machine.tree(), stat.S_IMODE(shared.stat().st_mode)) == (before, 0o755)
    assert [file.name for file in shared.iterdir()] == [other]


def test_a_directory_of_our_own_records_that_was_opened_is_closed_again(
    machine: PretendRoot, tmp_path: Path
) -> None:
    bundle, before = small_bundle(tmp_path / "bundle", WORK_MEM), machine.tree()
    assert machine.run(bundle / "apply.sh").status == 0
    machine.state.chmod(0o755)
    ran = machine.run(bundle / "rollback.sh")
    assert (ran.status, machine.tree()) == (0, before), ran.said
    assert stat.S_IMODE(machine.state.stat().st_mode) == 0o700
