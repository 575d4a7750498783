"""Under SELinux a trial's directory has the label of the server's; where it cannot, a denial proves nothing.

No SELinux is needed: its file under /sys and chcon are stand-ins in a mount namespace, and a stand-in for the
server is denied what it wants to do in a directory without the label.
"""

import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fixtures_attacks import ONLY_ROOT_HAS_RIGHTS_TO_LOSE
from own_namespaces import entering, held, start_inside
from real_subject import MakeSubject, Subject
from start_faults import FAULTS
from tools_here import need
from trial_programs import DENIED, trials, when_tried, with_own_programs
from tunewiz.bundle.scripts import __file__ as scripts

pytestmark = [ONLY_ROOT_HAS_RIGHTS_TO_LOSE, pytest.mark.slow]

SCRIPTS = Path(scripts)
DONE, REFUSED = 0, 4
TRIALS_OF_BOTH = 4
"""Before anything is changed and before the stop, by apply and by rollback."""
WANTED = {"pg.shared_buffers": "192MB"}
NEEDS_THE_LABEL = (
    f"""[ "$(cat "$trial/.label" 2>/dev/null)" = {{data}} ] || {{{{ echo '{DENIED}'; exit 1; }}}}"""
)
GIVES = '[ -z "$(ls -A "$2")" ] && [ "$(id -u)" != 0 ] && echo "${1#--reference=}" >"$2/.label"'
"""A label goes to what is made later in the directory; whoever owns that gives it."""
CHCON = shutil.which("chcon") or "/usr/bin/chcon"
REFUSES = "echo 'chcon: failed to change context: Operation not supported' >&2; exit 1"
"""A file system without labels, say."""
NOT_TRIED = (
    "whether the server would start again was not tried: SELinux's label of {data} could not be given to the"
    " directory of a trial (chcon: failed to change context: Operation not supported), in which PostgreSQL"
    " was denied:"
)
PROOF = [
    'FATAL:  could not open file "/srv/own/pg_hba.conf": Permission denied',
    f'{DENIED}\nFATAL:  could not load library "/srv/own/library.so": Permission denied',
    "timeout: failed to run command '/srv/own/postgres': Permission denied",
    'FATAL:  could not create lock file "postmaster.pid": No space left on device',
]
"""What a directory without a label does not explain."""


@contextmanager
def under_selinux(subject: Subject, chcon: str, *, enforce: bool = True) -> Generator[tuple[str, ...]]:
    """Starts the server where SELinux and such a chcon are found; what comes before a command there."""
    need("mount")
    directory = subject.cluster.directory
    program, told = directory / "chcon", directory / "chcon.told"
    program.write_text(f'#!/bin/sh\necho "$*" >>{told}\n{chcon}\n')
    program.chmod(0o755)
    told.touch()
    told.chmod(0o666)
    (directory / "cgroup").mkdir()
    mounts = f"""mount --make-rprivate /
mount --bind {program} {CHCON}
mount --rbind /sys/fs/cgroup {directory}/cgroup
mount -t tmpfs tmpfs /sys/fs
mkdir /sys/fs/cgroup /sys/fs/selinux
mount --rbind {directory}/cgroup /sys/fs/cgroup
{"echo 1 >/sys/fs/selinux/enforce" if enforce else ":"}"""
    with held("mount", mounts) as process:
        inside = entering("mount", process)
        subject.cluster.stop()
        start_inside(subject.cluster, inside)
        yield inside


def labels(subject: Subject) -> list[str]:
    """What chcon was asked for."""
    return (subject.cluster.directory / "chcon.told").read_text().splitlines()


@pytest.fixture
def subject(make_subject: MakeSubject) -> Subject:
    result = with_own_programs(make_subject())
    when_tried(result, NEEDS_THE_LABEL.format(data=result.cluster.data_directory))
    return result


def test_case_144_under_selinux_a_trial_has_the_label_of_the_data_directory(subject: Subject) -> None:
    bundle, data = subject.bundle(WANTED), subject.cluster.data_directory
    with under_selinux(subject, GIVES) as inside:
        for script, value in (("apply.sh", "192MB"), ("rollback.sh", "128MB")):
            ran = subject.run(bundle / script, before=inside)
            assert (ran.status, ran.err, subject.show()["shared_buffers"]) == (DONE, "", value), ran.said
    assert all(label.startswith(f"--reference={data} /tmp/tunewiz-start.") for label in labels(subject))
    assert len(labels(subject)) == trials(subject) == TRIALS_OF_BOTH


def test_case_144_a_denial_where_no_label_can_be_given_is_told_and_no_reason_to_refuse(
    subject: Subject,
) -> None:
    bundle, data = subject.bundle(WANTED), subject.cluster.data_directory
    with under_selinux(subject, REFUSES) as inside:
        ran = subject.run(bundle / "apply.sh", "--dry-run", before=inside)
        assert (ran.status, ran.err) == (DONE, f"  {NOT_TRIED.format(data=data)}\n    {DENIED}\n")
        ran = subject.run(bundle / "apply.sh", before=inside)
        assert (ran.status, subject.show()["shared_buffers"]) == (DONE, "192MB"), ran.said


def test_case_144_without_a_label_a_trial_that_is_not_denied_is_a_trial(subject: Subject) -> None:
    when_tried(subject, ":")
    bundle, fault = subject.bundle(WANTED), FAULTS["pg_hba.conf has a line that cannot be read"]
    with under_selinux(subject, REFUSES) as inside:
        with fault.made(subject.cluster):
            ran = subject.run(bundle / "apply.sh", "--dry-run", before=inside)
        assert (ran.status, fault.reason in ran.err) == (REFUSED, True), ran.said
        ran = subject.run(bundle / "apply.sh", "--dry-run", before=inside)
        assert (ran.status, ran.err) == (DONE, "")


@pytest.mark.parametrize("said", PROOF)
def test_case_144_what_is_denied_elsewhere_or_fails_otherwise_is_proof_without_a_label_too(
    said: str, subject: Subject
) -> None:
    when_tried(subject, f"cat <<\\END\n{said}\nEND\nexit 1")
    bundle = subject.bundle(WANTED)
    with under_selinux(subject, REFUSES) as inside:
        ran = subject.run(bundle / "apply.sh", "--dry-run", before=inside)
    assert (ran.status, said.splitlines()[-1] in ran.err) == (REFUSED, True), ran.said
    assert "the server would not start again" in ran.err


def test_case_144_without_selinux_no_label_is_asked_for_and_a_denial_is_proof(subject: Subject) -> None:
    bundle = subject.bundle(WANTED)
    with under_selinux(subject, GIVES, enforce=False) as inside:
        ran = subject.run(bundle / "apply.sh", before=inside)
    assert (ran.status, labels(subject)) == (REFUSED, []), ran.said
    refusal = "the server would not start again; PostgreSQL says when a start is tried:"
    assert f"{refusal}\n    {DENIED}\n" in ran.err


@pytest.mark.parametrize("enforce", [True, False], ids=["SELinux", "no SELinux"])
def test_case_144_the_directory_in_which_pages_are_counted_has_the_label_too(
    *, enforce: bool, subject: Subject
) -> None:
    cluster, counting = subject.cluster, SCRIPTS.parents[2] / "kinds" / "sysctl" / "counted.sh"
    program = cluster.directory / "says"
    program.write_text('#!/bin/sh\ncat "$2/.label" 2>/dev/null || echo none\n')
    program.chmod(0o755)
    become = f"setpriv --reuid={cluster.os_user} --regid={cluster.os_user} --clear-groups"
    command = f'. {counting}; cd /; {become} sh -c "$COUNT_PAGES" sh {cluster.data_directory} {program}'
    with under_selinux(subject, GIVES, enforce=enforce) as inside:
        said = subprocess.check_output((*inside, "sh", "-c", command), text=True)
    assert said == (f"{cluster.data_directory}\n" if enforce else "none\n")
