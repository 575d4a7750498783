"""The server that a restart starts is the server that ran, with all that it had from whoever started it."""

import os
import socket
import subprocess
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from faulty_programs import shim
from inherited_state import inherited, postmaster, start_oddly, wait_until
from pretend_root import Ran
from real_postgres import Layout
from real_subject import MakeSubject, Subject
from server_in_root import bundle_for, machine_of

pytestmark = pytest.mark.slow

REFUSED, FAILED = 4, 5
BUFFERS = {"pg.shared_buffers": "192MB"}
ODD = (
    *("nice", "-n", "5"),
    *("taskset", "-c", "0"),
    *(
        "prlimit",
        "--nofile=2000:3000",
        "--core=0:0",
        "--memlock=32768:32768",
        "--fsize=1000000000:1000000000",
    ),
    *("ionice", "-c", "2", "-n", "7"),
    *("chrt", "--batch", "0"),
    *(
        "sh",
        "-c",
        'umask 0; echo 300 >/proc/self/oom_score_adj; echo 0x13 >/proc/self/coredump_filter; exec "$@"',
    ),
    "sh",
)
"""Programs that a server is started behind, and that leave it something."""
VARIABLES = {"ARCHIVE_TO": "a place\nin two lines", "EMPTY": "", "QUOTED": 'it\'s "$HOME" \\'}
CALLER = (*("taskset", "-c", "1"), *("nice", "-n", "1"), *("prlimit", "--core=0:", "--stack=4000000:"))
"""How whoever runs the bundle differs from both."""


def different(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    return {name: (before[name], after[name]) for name in before if before[name] != after[name]}


def odd_subject(make_subject: MakeSubject, layout: Layout = "plain", *, options: str = "") -> Subject:
    """A server that was started oddly."""
    if os.geteuid() != 0 or os.cpu_count() == 1:
        pytest.skip(
            "only root can start a server of someone else's in ways of its own, on more than one processor"
        )
    subject = make_subject(layout)
    subject.cluster.stop()
    if layout == "plain":
        start_oddly(subject.cluster, *ODD, environment=VARIABLES, options=options)
    return subject


def test_case_105_a_restart_loses_nothing_that_the_server_was_started_with(make_subject: MakeSubject) -> None:
    subject = odd_subject(make_subject, options="-c work_mem=5MB -c log_line_prefix='%m [%p] '")
    before, bundle = inherited(postmaster(subject.cluster)), subject.bundle(BUFFERS)
    number = list[int]()
    assert (before["nice"], before["Cpus_allowed_list"], before["oom_score_adj"]) == ("5", "0", "300\n")
    for script, buffers in (("apply.sh", "192MB"), ("rollback.sh", "128MB")):
        number.append(postmaster(subject.cluster))
        ran = subject.run(bundle / script, before=CALLER)
        assert (ran.status, ran.err) == (0, "")
        assert postmaster(subject.cluster) != number[-1]
        assert different(before, inherited(postmaster(subject.cluster))) == {}
        assert subject.cluster.query("SHOW shared_buffers") == buffers
        assert subject.cluster.query("SHOW work_mem") == "5MB"


def test_case_105_a_server_that_is_started_again_after_a_crash_has_it_all_too(
    make_subject: MakeSubject,
) -> None:
    subject = odd_subject(make_subject)
    before, bundle = (
        inherited(postmaster(subject.cluster)),
        subject.bundle({**BUFFERS, "pg.shared_preload_libraries": "nosuchlib"}),
    )
    ran = subject.run(bundle / "apply.sh", before=CALLER)
    assert (ran.status, "Everything is as it was before." in ran.err) == (FAILED, True)
    assert different(before, inherited(postmaster(subject.cluster))) == {}


@pytest.mark.slow
def test_case_105_pg_ctlcluster_decides_of_the_environment_and_of_nothing_else(
    make_subject: MakeSubject,
) -> None:
    subject = odd_subject(make_subject, "debian")
    start = (
        "pg_ctlcluster",
        subject.cluster.programs.major,
        subject.cluster.config_file.parent.name,
        "start",
    )
    subprocess.run(
        (*ODD, *start), env={"PATH": os.environ["PATH"], **subject.cluster.environment}, check=True
    )
    before, bundle = inherited(postmaster(subject.cluster)), subject.bundle(BUFFERS)
    for script in ("apply.sh", "rollback.sh"):
        ran = subject.run(bundle / script, before=CALLER)
        assert (ran.status, ran.err) == (0, "")
        assert different(before, inherited(postmaster(subject.cluster))) == {}


CANNOT_BE_CARRIED = {
    "no_new_privs": ("setpriv", "--no-new-privs"),
    "capability bounding set": ("setpriv", "--bounding-set", "-net_raw"),
    "uts namespace": ("unshare", "--uts"),
    "personality": ("setarch", "--addr-no-randomize"),
}


@pytest.mark.parametrize("name", CANNOT_BE_CARRIED)
def test_case_106_what_a_restart_would_lose_is_named_and_nothing_is_changed(
    name: str, make_subject: MakeSubject
) -> None:
    subject = odd_subject(make_subject)
    subject.cluster.stop()
    start_oddly(subject.cluster, *CANNOT_BE_CARRIED[name])
    refused(subject, f"a restart would lose the {name}: ")


WITHOUT_RIGHT = ("setpriv", "--bounding-set", "-sys_resource")
"""Root of a container may lack the right to raise a limit."""


def test_case_106_a_limit_that_may_not_be_raised_is_named_and_nothing_else_is(
    make_subject: MakeSubject,
) -> None:
    subject = odd_subject(make_subject)
    subject.cluster.stop()
    start_oddly(subject.cluster, *WITHOUT_RIGHT, "prlimit", "--core=0:1000000")
    bundle, before = subject.bundle(BUFFERS), subject.configuration()
    ran = subject.run(bundle / "apply.sh", "--dry-run", before=(*WITHOUT_RIGHT, "prlimit", "--core=0:0"))
    lost = [line.strip() for line in ran.err.splitlines() if "a restart would lose" in line]
    assert (ran.status, len(lost)) == (REFUSED, 1), ran.said
    assert lost[0].startswith("a restart would lose the limit of core file size: ")
    assert subject.configuration() == before


def refused(subject: Subject, why: str) -> None:
    """By apply.sh, which leaves files and server alone; without a restart it is not."""
    number, bundle, before = postmaster(subject.cluster), subject.bundle(BUFFERS), subject.configuration()
    for arguments in ((), ("--dry-run",)):
        ran = subject.run(bundle / "apply.sh", *arguments)
        assert (ran.status, why in ran.err) == (REFUSED, True), ran.said
        assert (subject.configuration(), postmaster(subject.cluster)) == (before, number)
    assert not any(subject.state.glob("*/journal"))
    assert subject.run(bundle / "apply.sh", "--no-restart").status == 0
    assert subject.run(bundle / "rollback.sh", "--no-restart").status == 0
    assert (subject.configuration(), postmaster(subject.cluster)) == (before, number)


def test_case_106_an_option_that_pg_ctl_would_lose_is_named(make_subject: MakeSubject) -> None:
    subject = odd_subject(make_subject)
    opts = subject.cluster.data_directory / "postmaster.opts"
    opts.write_text(opts.read_text().replace("\n", ' "-c" "work_mem=7MB"\n'))
    refused(subject, "pg_ctl would start it with the latter")


def test_case_106_an_option_that_a_shell_would_take_for_more_is_named(make_subject: MakeSubject) -> None:
    subject = odd_subject(make_subject)
    subject.cluster.stop()
    start_oddly(subject.cluster, options="-c cluster_name='\\$HOME'")
    refused(subject, "an option that pg_ctl cannot repeat")


@pytest.mark.slow
def test_case_106_an_option_that_pg_ctlcluster_would_not_give_is_named(make_subject: MakeSubject) -> None:
    subject = odd_subject(make_subject, "debian")
    cluster = subject.cluster
    cluster.run(
        "pg_ctlcluster",
        cluster.programs.major,
        cluster.config_file.parent.name,
        "start",
        "-o",
        "-c work_mem=5MB",
    )
    refused(subject, "the server was started with work_mem=5MB, which pg_ctlcluster would not give it")


def log_of(subject: Subject) -> Path:
    return subject.cluster.directory / "piped.log"


def has_started(subject: Subject, times: int) -> bool:
    return log_of(subject).read_text().count("starting PostgreSQL") == times


def start_into_pipe(subject: Subject) -> None:
    """Its owner starts it with a pipe for what it has to say."""
    cluster = subject.cluster
    control = f"{cluster.programs.bin_directory}/pg_ctl -w -D {cluster.data_directory} start"
    cluster.run("sh", "-c", f"{{ {control} 2>&1 | cat >{log_of(subject)}; }} </dev/null >/dev/null 2>&1 &")
    wait_until(lambda: log_of(subject).exists() and "ready to accept" in log_of(subject).read_text())


def test_case_107_a_pipe_that_reads_the_servers_messages_reads_the_next_ones_too(
    make_subject: MakeSubject,
) -> None:
    subject = odd_subject(make_subject)
    subject.cluster.stop()
    start_into_pipe(subject)
    bundle, pipe = subject.bundle(BUFFERS), inherited(postmaster(subject.cluster))["fd/2"]
    for number, script in enumerate(("apply.sh", "rollback.sh"), 2):
        ran = subject.run(bundle / script)
        assert (ran.status, ran.err) == (0, "")
        assert inherited(postmaster(subject.cluster))["fd/2"] == pipe
        wait_until(partial(has_started, subject, number))


def test_case_107_a_pipe_that_the_owner_cannot_open_is_named(
    make_subject: MakeSubject, tmp_path: Path
) -> None:
    subject = odd_subject(make_subject)
    subject.cluster.stop()
    with (
        (tmp_path / "log").open("wb") as log,
        subprocess.Popen(("cat",), stdin=subprocess.PIPE, stdout=log) as reader,
    ):
        assert reader.stdin is not None
        start_oddly(subject.cluster, output=reader.stdin.fileno())
        reader.stdin.close()
        refused(subject, "a restart would lose the server's standard error")
        subject.cluster.stop(mode="immediate")


def test_case_107_a_socket_is_named(make_subject: MakeSubject) -> None:
    subject = odd_subject(make_subject)
    subject.cluster.stop()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        start_oddly(subject.cluster, output=theirs.fileno())
        refused(subject, "which goes to a socket")


def test_case_107_a_pipe_that_nobody_reads_any_more_is_no_loss(make_subject: MakeSubject) -> None:
    subject = odd_subject(make_subject)
    subject.cluster.stop()
    control = f"{subject.cluster.programs.bin_directory}/pg_ctl -w -D {subject.cluster.data_directory} start"
    subject.cluster.run("sh", "-c", f"{control} | true")
    bundle = subject.bundle(BUFFERS)
    assert subject.run(bundle / "apply.sh").status == 0
    assert subject.cluster.query("SHOW shared_buffers") == "192MB"


def test_case_105_a_restart_that_lost_something_all_the_same_is_no_success(
    make_subject: MakeSubject, tmp_path: Path
) -> None:
    subject = odd_subject(make_subject)
    cluster = subject.cluster
    machine = machine_of(cluster, tmp_path / "state")
    bundle = bundle_for(cluster, tmp_path / "bundle", BUFFERS)
    shim(machine, "nice", 'case "$*" in *pg_ctl*) shift 2 && exec "$@" ;; esac\nexec /usr/bin/nice "$@"')
    ran: Ran = machine.run(bundle / "apply.sh")
    assert (ran.status, "the restart changed the niceness: the server has 5, it is 0" in ran.err) == (
        FAILED,
        True,
    ), ran.said
    assert "Everything is as it was before" not in ran.err
    assert "NOT restored: the server" in ran.err
    machine.path("/usr/bin/nice").unlink()
