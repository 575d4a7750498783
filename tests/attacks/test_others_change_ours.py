"""Settings of a bundle that others change too: theirs stay and are named, ours go."""

import os
from pathlib import Path

import pytest

from real_subject import MakeSubject, Subject, Way

pytestmark = pytest.mark.slow

DONE, BUT_FOR_OTHERS, NOT_RESTORED = 0, 4, 5
BOTH_WAYS: tuple[Way, ...] = ("drop-in", "ALTER SYSTEM")


def test_case_126_one_setting_that_others_set_does_not_keep_the_rest_from_going(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject(way="ALTER SYSTEM")
    bundle = subject.bundle()
    assert subject.run(bundle / "apply.sh").status == DONE
    subject.cluster.query("ALTER SYSTEM SET work_mem = '9MB'")
    for _ in range(2):
        ran = subject.run(bundle / "rollback.sh")
        assert (ran.status, "work_mem" in ran.err) == (BUT_FOR_OTHERS, True), ran.said
        assert subject.show() == {"shared_buffers": "128MB", "work_mem": "9MB", "random_page_cost": "4"}


@pytest.mark.parametrize("runs", [True, False], ids=["running", "stopped"])
@pytest.mark.parametrize("way", BOTH_WAYS)
def test_case_127_a_line_of_others_that_ours_has_hidden_is_named(
    way: Way,
    runs: bool,  # noqa: FBT001 - a parameter of the test
    make_subject: MakeSubject,
) -> None:
    subject = make_subject(way=way)
    bundle = subject.bundle()
    assert subject.run(bundle / "apply.sh").status == DONE
    add_line(subject, "shared_buffers = '160MB'")
    if not runs:
        subject.cluster.stop()
    ran = subject.run(bundle / "rollback.sh")
    status = NOT_RESTORED if runs else BUT_FOR_OTHERS
    assert (ran.status, "shared_buffers" in ran.err) == (status, True), ran.said
    assert "as it was before" not in ran.said
    assert subject.cluster.is_running() == runs
    if runs:
        assert subject.show()["shared_buffers"] == "192MB"
        subject.cluster.stop()
    subject.cluster.start()
    if runs:
        assert subject.run(bundle / "rollback.sh").status == BUT_FOR_OTHERS
    assert subject.show()["shared_buffers"] == "160MB"


def test_a_line_of_others_that_says_what_was_before_is_none_of_theirs(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle = subject.bundle()
    assert subject.run(bundle / "apply.sh").status == DONE
    add_line(subject, "shared_buffers = '128MB'")
    subject.cluster.stop()
    ran = subject.run(bundle / "rollback.sh")
    assert (ran.status, ran.err) == (DONE, "")


def add_line(subject: Subject, line: str) -> None:
    """Where ours comes later, in a file of the server's owner."""
    path: Path = subject.cluster.config_file
    if subject.included is not None:
        path = subject.included / "00-others.conf"
    with path.open("a") as file:
        file.write(f"{line}\n")
    about = subject.cluster.data_directory.stat()
    os.chown(path, about.st_uid, about.st_gid)
