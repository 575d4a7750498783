"""The packages are installed, run and removed in a root of their own, and leave it as it was."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from command_line import ANSWERS
from tunewiz import __version__

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("packages")]
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
NEVER_OURS = ("./proc", "./sys", "./dev", "./tmp")
INSTALLED = (
    "./usr/bin/tunewiz",
    "./usr/share/man/man1/tunewiz.1.gz",
    "./usr/share/bash-completion/completions/tunewiz",
    "./usr/share/fish/vendor_completions.d/tunewiz.fish",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Root:
    """A small Debian."""

    path: Path

    def run(self, *command: str) -> str:
        """As root in there, without anything of this machine's environment; what it printed."""
        done = subprocess.run(
            ["chroot", self.path, *command],
            env={"PATH": PATH, "HOME": "/root", "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def files(self) -> set[str]:
        """Kind, mode, owner and path of everything; of files that are there before, not what they hold."""
        pruned = " -o ".join(f"-path {path}" for path in NEVER_OURS).split()
        listed = subprocess.run(
            ["find", ".", "-xdev", "(", *pruned, ")", "-prune", "-o", "-printf", "%y %m %u %g %p %l\\n"],
            cwd=self.path,
            capture_output=True,
            text=True,
            check=True,
        )
        return set(listed.stdout.splitlines())


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Root]:
    archive = archive_of_root()
    if os.geteuid() != 0:
        pytest.skip("a root of its own for the packages takes root")
    if not archive.exists():
        pytest.skip(f"{archive} is missing: .ci/debian_root.sh makes it, or says why it cannot")
    path = tmp_path_factory.mktemp("root")
    subprocess.run(["tar", "-x", "-f", archive, "-C", path, "--exclude=./dev/*"], check=True)
    made = Root(path=path)
    (path / "dev" / "null").touch()
    # What any package with a man page leaves: caches, and a line in the log.
    made.run("mandb", "-q")
    (path / "var" / "log" / "dpkg.log").touch()
    yield made
    shutil.rmtree(path)


def archive_of_root() -> Path:
    """Where .ci/debian_root.sh puts it."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(os.environ.get("TUNEWIZ_DEBIAN_ROOT") or f"{cache}/tunewiz/debian.tar")


def works(root: Root) -> None:
    """All that was installed, as a user would try it; nothing new lies about after that."""
    installed = root.files()
    paths = {line.split(" ")[4] for line in installed}
    assert paths >= set(INSTALLED)
    assert any(path.endswith("/_tunewiz") for path in paths)
    assert any(
        re.fullmatch(r"\./usr/lib/tunewiz/tunewiz/__pycache__/cli\.cpython-.*\.pyc", path) for path in paths
    )
    assert root.run("tunewiz", "--version") == f"tunewiz {__version__}\n"
    assert root.run("tunewiz", "plan", "--demo", "z13-lpar").startswith("z13-lpar: s390x, 4 cores")
    assert root.run("tunewiz", "facts").startswith("{")
    (root.path / "tmp" / "answers.toml").write_text(ANSWERS)
    root.run("sh", "-c", "cd /tmp && tunewiz bundle --demo small-vm --answers answers.toml -o bundle")
    shutil.rmtree(root.path / "tmp" / "bundle")
    assert root.run("man", "-w", "tunewiz") == "/usr/share/man/man1/tunewiz.1.gz\n"
    assert sorted(root.files() ^ installed) == []


def test_a_deb_is_installed_run_and_removed_and_nothing_is_left(root: Root, package_folder: Path) -> None:
    (package,) = package_folder.glob("*.deb")
    before = root.files()
    shutil.copy(package, root.path / "tmp" / "tunewiz.deb")
    root.run("dpkg", "-i", "/tmp/tunewiz.deb")  # noqa: S108 - in the root
    works(root)
    # As with a newer Python, whose files root's own runs compile.
    (root.path / "usr/lib/tunewiz/tunewiz/__pycache__/cli.cpython-399.pyc").write_bytes(b"")
    root.run("dpkg", "-i", "/tmp/tunewiz.deb")  # noqa: S108 - the same again, as an upgrade
    works(root)
    root.run("dpkg", "-r", "tunewiz")
    assert sorted(root.files() ^ before) == []


def test_an_rpm_is_installed_run_and_removed_and_nothing_is_left(root: Root, package_folder: Path) -> None:
    rpm = shutil.which("rpm")
    if rpm is None:
        pytest.skip("rpm is missing (Debian: apt-get install rpm)")
    (package,) = package_folder.glob("*.rpm")
    # Debian's packages are in no database of rpm's: what it depends on is looked at below.
    # Debian's rpm keeps its database in a home otherwise.
    database = (rpm, "--root", str(root.path), "--dbpath", "/var/lib/rpm")
    in_root = (*database, "--nodeps")
    subprocess.run([*database, "--initdb"], check=True, capture_output=True)
    before = root.files()
    try:
        subprocess.run([*in_root, "-i", package], check=True, capture_output=True)
        works(root)
        subprocess.run([*in_root, "-U", "--force", package], check=True, capture_output=True)
        works(root)
        verified = subprocess.run([*in_root, "-V", "tunewiz"], capture_output=True, text=True, check=False)
        assert verified.stdout == ""
        subprocess.run([*in_root, "-e", "tunewiz"], check=True, capture_output=True)
        assert sorted(root.files() ^ before) == []
    finally:
        shutil.rmtree(root.path / "var" / "lib" / "rpm")


def fields(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_deb_names_what_it_needs(package_folder: Path) -> None:
    if shutil.which("dpkg-deb") is None:
        pytest.skip("dpkg-deb is missing: this is not Debian")
    (package,) = package_folder.glob("*.deb")
    text = fields(["dpkg-deb", "--field", str(package), "Architecture", "Depends", "Recommends"])
    assert text == (
        "Architecture: all\nDepends: python3 (>= 3.11)\nRecommends: libpq5, python3-psycopg, python3-psutil\n"
    )


def test_the_rpm_names_what_it_needs(package_folder: Path) -> None:
    if shutil.which("rpm") is None:
        pytest.skip("rpm is missing (Debian: apt-get install rpm)")
    (package,) = package_folder.glob("*.rpm")
    query = [
        "rpm",
        "-qp",
        "--queryformat",
        "%{ARCH}\n[%{REQUIRENAME} %{REQUIREVERSION}\n][%{RECOMMENDNAME}\n]",
    ]
    result = fields([*query, str(package)]).splitlines()
    assert result[0] == "noarch"
    assert {"python(abi) 3.11", "/usr/bin/python3 "} <= set(result)
    assert {"libpq", "python3-psycopg3", "python3-psutil"} <= set(result)
