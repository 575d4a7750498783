"""Tools of the machine that tests run beside the program: a test whose tool is missing is left out aloud."""

import shutil
from pathlib import Path

import pytest

PACKAGES = {
    "ansible-inventory": "ansible-core",
    "ansible-playbook": "ansible-core",
    "bash": "bash",
    "busybox": "busybox",
    "chattr": "e2fsprogs",
    "dash": "dash",
    "dirname": "coreutils",
    "etcd": "etcd-server",
    "etcdctl": "etcd-client",
    "fallocate": "util-linux",
    "fish": "fish",
    "git": "git",
    "id": "coreutils",
    "ionice": "util-linux",
    "ip": "iproute2",
    "kill": "procps",
    "ksh93": "ksh93u+m",
    "losetup": "mount",
    "make": "make",
    "mkfs.btrfs": "btrfs-progs",
    "mkfs.ext4": "e2fsprogs",
    "mkfs.xfs": "xfsprogs",
    "mksh": "mksh",
    "mount": "mount",
    "nsenter": "util-linux",
    "openssl": "openssl",
    "pg_createcluster": "postgresql-common",
    "posh": "posh",
    "ps": "procps",
    "psql": "postgresql-client",
    "readlink": "coreutils",
    "runuser": "util-linux",
    "script": "bsdutils",
    "setfacl": "acl",
    "setpriv": "util-linux",
    "setsid": "util-linux",
    "sort": "coreutils",
    "ssh": "openssh-client",
    "ssh-keygen": "openssh-client",
    "sshd": "openssh-server",
    "strace": "strace",
    "sudo": "sudo",
    "swapoff": "mount",
    "swapon": "mount",
    "sysctl": "procps",
    "systemd-analyze": "systemd",
    "systemd-run": "systemd",
    "tail": "coreutils",
    "tmux": "tmux",
    "umount": "mount",
    "unshare": "util-linux",
    "useradd": "passwd",
    "yash": "yash",
    "zsh": "zsh",
}
"""Debian's packages of the tools that are not on every Linux."""


def missing(*programs: str) -> str:
    """Which of these are not installed here, and what to install; empty where all are."""
    # Each is looked up, so that one without a package fails where it is installed too.
    packages_of = {program: PACKAGES[program] for program in programs}
    gone = [program for program in programs if shutil.which(program) is None]
    if not gone:
        return ""
    packages = sorted({packages_of[program] for program in gone})
    return f"not installed here: {', '.join(gone)} (Debian: apt-get install {' '.join(packages)})"


def needs(*programs: str) -> pytest.MarkDecorator:
    """On a test, or as `pytestmark` on a module's: leaves it out aloud where one of these is missing."""
    return pytest.mark.skipif(bool(why := missing(*programs)), reason=why)


def need(*programs: str) -> None:
    """In a test or fixture: the same, where only it knows what it takes."""
    if why := missing(*programs):
        pytest.skip(why)


def path_of(program: str) -> str:
    """Where a program is; without it the test is left out aloud."""
    need(program)
    which = shutil.which(program)
    assert which is not None
    return which


def machine_id_here() -> str:
    """Its identity; a machine that was never booted has none, and the tests of real scripts are left out."""
    file = Path("/etc/machine-id")
    text = file.read_text().strip() if file.exists() else ""
    if not text:
        pytest.skip(f"this machine has no identity in {file}: scripts refuse to change it")
    return text
