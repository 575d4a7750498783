"""What keeps a PostgreSQL server from starting again, or makes another one of it, unnoticed while it runs."""

import contextlib
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

from real_postgres import Cluster


@dataclass(frozen=True, kw_only=True, slots=True)
class StartFault:
    """Something that only a start would meet."""

    made: Callable[[Cluster], contextlib.AbstractContextManager[None]]
    reason: str
    """What a refusal has to say."""


@contextlib.contextmanager
def _content(file: Path, text: str) -> Generator[None]:
    """The file with something else in it; written in place, so that its owner stays."""
    before = file.read_text()
    file.write_text(text)
    yield
    file.write_text(before)


@contextlib.contextmanager
def _mode(path: Path, mode: int) -> Generator[None]:
    before = path.stat().st_mode
    path.chmod(mode)
    yield
    path.chmod(before)


def _hba(text: str) -> Callable[[Cluster], contextlib.AbstractContextManager[None]]:
    return lambda cluster: _content(cluster.data_directory / "pg_hba.conf", text)


@contextlib.contextmanager
def _gone(cluster: Cluster) -> Generator[None]:
    hba = cluster.data_directory / "pg_hba.conf"
    hba.rename(hba.with_suffix(".away"))
    yield
    hba.with_suffix(".away").rename(hba)


def _there(name: str) -> Callable[[Cluster], contextlib.AbstractContextManager[None]]:
    @contextlib.contextmanager
    def made(cluster: Cluster) -> Generator[None]:
        cluster.run("touch", cluster.data_directory / name)
        yield
        (cluster.data_directory / name).unlink()

    return made


def _altered(setting: str) -> Callable[[Cluster], contextlib.AbstractContextManager[None]]:
    @contextlib.contextmanager
    def made(cluster: Cluster) -> Generator[None]:
        cluster.query(f"ALTER SYSTEM SET {setting}")
        yield
        cluster.query(f"ALTER SYSTEM RESET {setting.split(' = ', maxsplit=1)[0]}")

    return made


SIGNAL_FILES = ("standby.signal", "recovery.signal")

FAULTS = {
    "pg_hba.conf has a line that cannot be read": StartFault(
        made=_hba("local all all no_such_method\n"), reason="invalid authentication method"
    ),
    "pg_hba.conf is gone": StartFault(made=_gone, reason="pg_hba.conf"),
    "pg_hba.conf reads a file that is not there": StartFault(
        made=_hba("local all @no_such_file trust\n"), reason="no_such_file"
    ),
    "the data directory is open to others": StartFault(
        made=lambda cluster: _mode(cluster.data_directory, 0o755), reason="its mode is 755"
    ),
    "backup_label": StartFault(made=_there("backup_label"), reason="backup_label: is there"),
    "recovery.conf": StartFault(made=_there("recovery.conf"), reason="recovery.conf: is there"),
    **{
        name: StartFault(made=_there(name), reason="would not start as the primary that it is")
        for name in SIGNAL_FILES
    },
    "the SSL key is open to others": StartFault(
        made=lambda cluster: _mode(cluster.data_directory / "server.key", 0o644),
        reason="has group or world access",
    ),
    "the SSL key is another certificate's": StartFault(
        made=lambda cluster: _content(
            cluster.data_directory / "server.key", (cluster.data_directory / "other.key").read_text()
        ),
        reason="key values mismatch",
    ),
    "a library that is gone": StartFault(
        made=lambda cluster: _mode(cluster.directory / "library", 0o000), reason="could not"
    ),
    "one of our settings, too large to start with": StartFault(
        made=_altered("shared_buffers = '900GB'"), reason="what others have changed: shared_buffers"
    ),
    "one of our settings, with which it would start": StartFault(
        made=_altered("shared_buffers = '96MB'"), reason="what others have changed: shared_buffers"
    ),
    "a setting of others": StartFault(
        made=_altered("shared_preload_libraries = 'no_such_library'"), reason="shared_preload_libraries"
    ),
}
"""By what someone has done."""


def prepare(cluster: Cluster) -> None:
    """What the faults need of a running server: SSL, and a library of its own; it is restarted with them."""
    certificate = ("openssl", "req", "-new", "-x509", "-nodes", "-subj", "/CN=test", "-newkey", "ec")
    curve = ("-pkeyopt", "ec_paramgen_curve:prime256v1")
    for name in ("server", "other"):
        key, public = (cluster.data_directory / f"{name}.{end}" for end in ("key", "crt"))
        cluster.run(*certificate, *curve, "-keyout", key, "-out", public)
        key.chmod(0o600)
    library = cluster.directory / "library"
    packaged = cluster.query("SELECT setting FROM pg_config WHERE name = 'PKGLIBDIR'")
    cluster.run("mkdir", library)
    cluster.run("cp", f"{packaged}/auto_explain.so", library)
    with cluster.config_file.open("a") as config:
        config.write(f"ssl = on\nshared_preload_libraries = '{library}/auto_explain.so'\n")
    cluster.restart()
