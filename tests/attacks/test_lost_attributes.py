"""What a file of the server's owner could not be given back is a reason to leave it alone."""

import os
import subprocess
from pathlib import Path

import pytest

from fixtures_attacks import ONLY_ROOT_HAS_RIGHTS_TO_LOSE
from real_subject import MakeSubject
from tools_here import need

pytestmark = [ONLY_ROOT_HAS_RIGHTS_TO_LOSE, pytest.mark.slow]

DONE, REFUSED = 0, 4


def give(file: Path, attribute: str) -> None:
    """The attribute, or the flag of chattr."""
    if len(attribute) == 1:
        need("chattr")
        subprocess.run(["chattr", f"+{attribute}", file], check=True)
    else:
        os.setxattr(file, attribute, b"of others\n")


@pytest.mark.parametrize("attribute", ["trusted.backup", "security.mark", "d"])
def test_case_31_what_its_owner_could_not_restore_is_refused_by_name(
    attribute: str, make_subject: MakeSubject
) -> None:
    subject = make_subject(way="ALTER SYSTEM")
    auto = subject.cluster.data_directory / "postgresql.auto.conf"
    subject.cluster.stop()
    give(auto, attribute)
    before = auto.stat().st_ino
    ran = subject.run(subject.bundle({"pg.work_mem": "24MB"}) / "apply.sh")
    assert (ran.status, f"has the attribute {attribute}" in ran.err) == (REFUSED, True), ran.said
    assert auto.stat().st_ino == before


def test_case_31_what_its_owner_can_restore_is_restored(make_subject: MakeSubject) -> None:
    subject = make_subject(way="ALTER SYSTEM")
    auto = subject.cluster.data_directory / "postgresql.auto.conf"
    subject.cluster.stop()
    give(auto, "user.note")
    bundle = subject.bundle({"pg.work_mem": "24MB"})
    for script in ("apply.sh", "rollback.sh"):
        assert subject.run(bundle / script).status == DONE
    assert os.getxattr(auto, "user.note") == b"of others\n"
