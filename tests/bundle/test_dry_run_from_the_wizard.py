"""The dry run of a written bundle as the wizard runs it: what is started, from where, and how it ends."""

import os
import time
from pathlib import Path

import pytest

from small_bundles import small_bundle
from tunewiz.bundle.dry_run import MOST, dry_run
from tunewiz.core.values.errors import BundleError

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="gives files to another user")
SOMEBODY = 65534


def never() -> bool:
    return False


def script(directory: Path, text: str) -> Path:
    """A directory with this apply.sh."""
    directory.mkdir(mode=0o755)
    (directory / "apply.sh").write_text(f"#!/bin/sh\n{text}\n")
    (directory / "apply.sh").chmod(0o755)
    return directory


def test_what_it_says_on_both_streams_is_told_in_order_with_its_status(tmp_path: Path) -> None:
    bundle = script(tmp_path / "bundle", 'echo "$0 $*"; echo refused >&2; echo last; exit 4')
    result = dry_run(bundle, never)
    assert result.status == 4
    assert result.lines == (f"{bundle.resolve()}/apply.sh --dry-run", "refused", "last")


def test_nothing_else_of_the_environment_reaches_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "elsewhere")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("TUNEWIZ_STATE_DIR", "/nowhere/state")
    result = dry_run(script(tmp_path / "bundle", "env | sort; pwd"), never)
    names = {line.partition("=")[0] for line in result.lines if "=" in line}
    assert names <= {
        "LC_ALL",
        "PATH",
        "PWD",
        "OLDPWD",
        "SHLVL",
        "_",
        "SUDO_UID",
        "TUNEWIZ_ROOT",
        "TUNEWIZ_STATE_DIR",
    }
    assert "TUNEWIZ_STATE_DIR=/nowhere/state" in result.lines
    assert not any(str(tmp_path) in line for line in result.lines if line.startswith("PATH="))
    assert result.lines[-1] == str((tmp_path / "bundle").resolve())


def test_a_bundle_for_another_machine_says_so_and_changes_nothing(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / "bundle")
    before = {path: path.read_bytes() for path in bundle.rglob("*") if path.is_file()}
    result = dry_run(bundle, never)
    expected = (4, "planned for") if os.geteuid() == 0 else (2, "must be run as root")
    assert result.status == expected[0]
    assert expected[1] in "\n".join(result.lines)
    assert {path: path.read_bytes() for path in bundle.rglob("*") if path.is_file()} == before


def test_it_gets_no_input(tmp_path: Path) -> None:
    assert dry_run(script(tmp_path / "bundle", "cat; echo done"), never).lines == ("done",)


def test_it_is_stopped_with_everything_that_it_started(tmp_path: Path) -> None:
    bundle = script(tmp_path / "bundle", f"sleep 300 & echo $! >{tmp_path}/child; wait")
    with pytest.raises(BundleError, match="was stopped"):
        dry_run(bundle, (tmp_path / "child").exists)
    child = int((tmp_path / "child").read_text())
    end = time.monotonic() + 10
    while _is_alive(child):
        assert time.monotonic() < end
        time.sleep(0.01)


def _is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_endless_words_are_cut(tmp_path: Path) -> None:
    result = dry_run(script(tmp_path / "bundle", f"head -c {3 * MOST} /dev/zero | tr '\\0' x"), never)
    assert len(result.lines[0]) == MOST
    assert result.lines[1:] == ("…",)


def test_a_bundle_that_is_gone_is_a_message(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="cannot be opened"):
        dry_run(tmp_path / "gone", never)


def test_a_bundle_without_its_script_is_a_message(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(BundleError, match="cannot be looked at"):
        dry_run(tmp_path / "empty", never)


@pytest.mark.parametrize("which", ["", "apply.sh", ".."])
@pytest.mark.parametrize("mode", [0o775, 0o757])
def test_what_others_may_write_to_is_never_started(tmp_path: Path, which: str, mode: int) -> None:
    place = tmp_path / "place"
    place.mkdir(mode=0o755)
    bundle = script(place / "bundle", f"touch {tmp_path}/started")
    (bundle / which).chmod(mode)
    with pytest.raises(BundleError, match="others may write to it"):
        dry_run(bundle, never)
    assert not (tmp_path / "started").exists()


@AS_ROOT
@pytest.mark.parametrize("which", ["", "apply.sh", ".."])
def test_what_belongs_to_someone_else_is_never_started(tmp_path: Path, which: str) -> None:
    place = tmp_path / "place"
    place.mkdir(mode=0o755)
    bundle = script(place / "bundle", f"touch {tmp_path}/started")
    os.chown(bundle / which, SOMEBODY, SOMEBODY)
    with pytest.raises(BundleError, match="belongs to someone else"):
        dry_run(bundle, never)
    assert not (tmp_path / "started").exists()


@AS_ROOT
def test_what_belongs_to_the_user_who_called_sudo_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = script(tmp_path / "bundle", "echo started")
    os.chown(bundle, SOMEBODY, SOMEBODY)
    monkeypatch.setenv("SUDO_UID", str(SOMEBODY))
    assert dry_run(bundle, never).lines == ("started",)


def test_a_link_is_followed_to_a_place_that_is_checked(tmp_path: Path) -> None:
    place = tmp_path / "open"
    place.mkdir()
    bundle = script(place / "bundle", "echo started")
    place.chmod(0o777)
    (tmp_path / "link").symlink_to(bundle)
    with pytest.raises(BundleError, match="open: others may write to it"):
        dry_run(tmp_path / "link", never)
