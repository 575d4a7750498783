"""A bundle that someone else could change is not run: neither in its place nor in our copy of it."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from bench_seen_cases import run_of
from fixtures_attacks import ONLY_ROOT_HAS_RIGHTS_TO_LOSE
from small_plans import small_answers, small_facts, small_plan
from tunewiz.bench.beginning import lay_out
from tunewiz.bench.bundle import read_bundle
from tunewiz.bench.errors import RefusedError
from tunewiz.bench.run import RunDirectory
from tunewiz.bench.trusted import check_trusted
from tunewiz.bundle.manifest import SUMS, digest_of
from tunewiz.bundle.write import write_bundle
from tunewiz.formats.records import answers_to_toml, facts_to_json


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    facts, directory = small_facts(), tmp_path / "above" / "bundle"
    directory.parent.mkdir()
    plan = small_plan(facts, {"pg.work_mem": "24MB"})
    write_bundle(plan, directory, facts_to_json(facts), answers_to_toml(small_answers()))
    return directory


def test_a_bundle_that_is_ours_alone_is_read(bundle: Path) -> None:
    assert read_bundle(bundle).directory == bundle


@pytest.mark.parametrize("inside", [".", "apply.sh", "lib", "lib/base.sh", ".."])
def test_a_place_that_others_may_write_to_is_refused(bundle: Path, inside: str) -> None:
    place = bundle / inside
    for bit in (stat.S_IWGRP, stat.S_IWOTH):
        mode = place.stat().st_mode
        place.chmod(mode | bit)
        with pytest.raises(RefusedError, match="may write to it"):
            read_bundle(bundle)
        place.chmod(mode)
    assert read_bundle(bundle).directory == bundle


def test_what_is_ours_stays_so_in_a_sticky_directory(bundle: Path) -> None:
    bundle.parent.chmod(0o1777)
    assert read_bundle(bundle).directory == bundle


@ONLY_ROOT_HAS_RIGHTS_TO_LOSE
@pytest.mark.parametrize("inside", [".", "apply.sh", "lib/base.sh", ".."])
def test_what_belongs_to_someone_else_is_refused_unless_that_one_called_sudo(
    bundle: Path, inside: str
) -> None:
    os.chown(bundle / inside, 65_534, -1)
    with pytest.raises(RefusedError):
        read_bundle(bundle)
    check_trusted(bundle, {"SUDO_UID": "65534"})


def link(path: Path) -> None:
    path.symlink_to("/etc/passwd")


@pytest.mark.parametrize("made", [link, os.mkfifo])
def test_what_is_neither_a_file_nor_a_directory_is_refused(
    bundle: Path, made: Callable[[Path], None]
) -> None:
    made(bundle / "more")
    with pytest.raises(RefusedError, match="neither a file nor a directory"):
        read_bundle(bundle)


def test_a_link_to_the_bundle_is_followed_once(bundle: Path, tmp_path: Path) -> None:
    named = tmp_path / "link"
    named.symlink_to(bundle)
    assert read_bundle(named).directory == bundle


def test_a_bundle_that_changes_before_it_is_copied_is_not_run(bundle: Path, tmp_path: Path) -> None:
    read, place, ran = read_bundle(bundle), RunDirectory(tmp_path / "prove"), tmp_path / "ran"
    run = run_of(read.digest)
    place.bundles.mkdir(parents=True)
    changed = f"touch {ran}\n".encode()
    (bundle / "apply.sh").write_bytes(changed)
    with pytest.raises(RefusedError, match="was changed while it was copied"):
        lay_out(place, run, bundle, None)
    sums = (bundle / SUMS).read_text().splitlines(keepends=True)
    fitting = [line if "apply.sh" not in line else f"{digest_of(changed)}  apply.sh\n" for line in sums]
    (bundle / SUMS).write_text("".join(fitting))
    other = RunDirectory(tmp_path / "other")
    other.bundles.mkdir(parents=True)
    with pytest.raises(RefusedError, match="was changed while it was copied"):
        lay_out(other, run, bundle, None)
    assert not ran.exists()
