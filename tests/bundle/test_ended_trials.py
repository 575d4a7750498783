"""A start that is only tried and does not come to its end is ended once, and said to have been."""

import time

import pytest

from real_subject import MakeSubject, Subject
from trial_programs import end_trials_after, trials, when_tried, with_own_programs

pytestmark = pytest.mark.slow

DONE, REFUSED = 0, 4
TAKEN = "FATAL:  could not create any TCP/IP sockets"
WANTED = {"pg.shared_buffers": "192MB"}


@pytest.fixture
def subject(make_subject: MakeSubject) -> Subject:
    return with_own_programs(make_subject())


@pytest.mark.parametrize(
    "hangs", ["exec sleep 60", "trap '' TERM; sleep 60; sleep 60"], ids=["hangs", "stays"]
)
def test_a_trial_that_was_ended_by_its_limit_is_not_tried_again_and_told_as_that(
    hangs: str, subject: Subject
) -> None:
    bundle, since = subject.bundle(WANTED), subject.started()
    end_trials_after(bundle, 1)
    when_tried(subject, f"echo 'WARNING:  a library waits'; {hangs}")
    began = time.monotonic()
    ran = subject.run(bundle / "apply.sh")
    assert (ran.status, trials(subject)) == (REFUSED, 1), ran.said
    assert "whether the server would start again is not known" in ran.err
    assert "was ended after 1 s; PostgreSQL said until then:\n    WARNING:  a library waits\n" in ran.err
    assert "would not start again" not in ran.err
    assert time.monotonic() - began < 20
    assert subject.started() == since


def test_a_trial_that_says_nothing_until_it_is_ended_is_told_to_have_said_nothing(subject: Subject) -> None:
    bundle = subject.bundle(WANTED)
    end_trials_after(bundle, 1)
    when_tried(subject, "exec sleep 60")
    ran = subject.run(bundle / "apply.sh", "--dry-run")
    assert (ran.status, trials(subject)) == (REFUSED, 1), ran.said
    assert "was ended after 1 s; PostgreSQL said until then:\n    nothing\n" in ran.err


def test_a_trial_that_failed_by_itself_is_tried_on_another_port(subject: Subject) -> None:
    bundle = subject.bundle(WANTED)
    when_tried(subject, f"[ $trials -gt 1 ] || {{ echo '{TAKEN}'; exit 1; }}")
    ran = subject.run(bundle / "apply.sh", "--dry-run")
    assert (ran.status, ran.err, trials(subject)) == (DONE, "", 2)


@pytest.mark.parametrize("status", [1, 2, 125, 134])
def test_a_trial_that_failed_twice_is_no_trial_that_was_ended(status: int, subject: Subject) -> None:
    bundle = subject.bundle(WANTED)
    when_tried(subject, f"echo '{TAKEN}'; exit {status}")
    ran = subject.run(bundle / "apply.sh", "--dry-run")
    assert (ran.status, trials(subject)) == (REFUSED, 2), ran.said
    assert f"would not start again; PostgreSQL says when a start is tried:\n    {TAKEN}\n" in ran.err
    assert "was ended" not in ran.err


def test_a_trial_that_has_come_far_enough_and_is_ended_then_is_as_good_as_any(subject: Subject) -> None:
    bundle = subject.bundle(WANTED)
    end_trials_after(bundle, 1)
    when_tried(subject, "echo 'LOG:  startup process (PID 7) exited with exit code 1'; exec sleep 60")
    ran = subject.run(bundle / "apply.sh", "--dry-run")
    assert (ran.status, ran.err, trials(subject)) == (DONE, "", 1)
