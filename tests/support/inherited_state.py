"""What a process has from whoever started it, as the kernel tells it; and servers that were started oddly."""

import os
import pwd
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from real_postgres import SECONDS_TO_START, Cluster
from tools_here import need
from waiting import MOST_SECONDS

STATUS = (
    "Umask",
    "Uid",
    "Gid",
    "Groups",
    "Cpus_allowed_list",
    "Mems_allowed_list",
    "CapInh",
    "CapBnd",
    "CapAmb",
    "NoNewPrivs",
    "Seccomp",
    "SigIgn",
    "SigBlk",
    "THP_enabled",
)
FILES = ("oom_score_adj", "coredump_filter", "timerslack_ns", "personality", "limits", "cgroup", "cmdline")
LINKS = ("cwd", "root", "fd/0", "fd/1", "fd/2")
SET_ON_THE_WAY = ("PG_GRANDPARENT_PID=", "PWD=", "OLDPWD=", "SHLVL=", "_=")
"""Variables that pg_ctl and the shell that it starts write themselves."""


def postmaster(cluster: Cluster) -> int:
    """The number of the server's first process."""
    return int((cluster.data_directory / "postmaster.pid").read_text().split()[0])


def inherited(number: int) -> Mapping[str, str]:
    """Everything that a process has from its parents and keeps over a fork."""
    need("ionice")
    process = Path("/proc") / str(number)
    status = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines())
    stat = (process / "stat").read_text().rpartition(") ")[2].split()
    environ = (process / "environ").read_bytes().decode(errors="replace").split("\0")
    ionice = subprocess.run(("ionice", "-p", str(number)), capture_output=True, text=True, check=True)
    return {
        **{name: status[name] for name in STATUS if name in status},
        **{name: (process / name).read_text() for name in FILES},
        **{name: str((process / name).readlink()) for name in LINKS},
        "nice": stat[16],
        "policy": stat[38],
        "ionice": ionice.stdout,
        "environ": "\n".join(
            sorted(text for text in environ if text and not text.startswith(SET_ON_THE_WAY))
        ),
        "open files": "\n".join(sorted(set(descriptors(process)))),
    }


def descriptors(process: Path) -> list[str]:
    """Where the descriptors lead that a server has not opened itself in whatever number."""
    result = [str(path.readlink()) for path in (process / "fd").iterdir()]
    return [text for text in result if not text.startswith(("socket:", "anon_inode:", "pipe:"))]


def account(cluster: Cluster) -> pwd.struct_passwd:
    return pwd.getpwnam(cluster.os_user)


def start_oddly(
    cluster: Cluster,
    *before: str,
    environment: Mapping[str, str] | None = None,
    output: int | None = None,
    options: str = "",
) -> int:
    """Starts the server by pg_ctl behind other programs (nice, taskset); the number of its first process."""
    need("setpriv")
    user = f"--reuid={account(cluster).pw_uid}", f"--regid={account(cluster).pw_gid}"
    pg_ctl = (cluster.programs.bin_directory / "pg_ctl", "-w", "-t", str(SECONDS_TO_START))
    command = ("setpriv", *user, "--init-groups", "--", *pg_ctl, "-D", cluster.data_directory)
    with cluster.log_file.open("ab") as log:
        subprocess.run(
            (*before, *command, *(("-o", options) if options else ()), "start"),
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **(environment or {})},
            cwd=cluster.directory,
            stdin=subprocess.DEVNULL,
            stdout=log if output is None else output,
            stderr=subprocess.STDOUT,
            check=True,
        )
    return postmaster(cluster)


def wait_until(true: Callable[[], bool], seconds: float = MOST_SECONDS) -> None:
    """Waits for a condition that is asked again and again."""
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "waited in vain"
        time.sleep(0.1)
