"""Root runs patronictl with the rights of whoever may change Patroni's file."""

import os
import pwd
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixtures_attacks import ONLY_ROOT_HAS_RIGHTS_TO_LOSE
from fixtures_postgres import directory_of, unprivileged_user
from small_plans import MACHINE_ID, small_answers, small_facts, small_plan
from tools_here import need
from tunewiz.bundle.keepers.keeper_bundle import Texts, kept_plan, write_kept_bundle
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.knowledge.keepers import load_rulebook

PATRONICTL = "#!/bin/sh\nid -u >>{told}/patronictl\nexit 1\n"
TEXT = "scope: demo\n"
SEVERAL = "patroni.yml: several users may change it"
TOO_LONG = "patroni.yml: found more than 1048576 bytes, expected a Patroni configuration"


@pytest.fixture
def directory() -> Iterator[Path]:
    """With a pretend root in it, where Patroni's directory is root's and empty."""
    need("psql")
    with directory_of(unprivileged_user()) as path:
        (path / "told").mkdir()
        (path / "told").chmod(0o1777)
        for inside in ("etc/patroni", "usr/bin"):
            (path / "root" / inside).mkdir(parents=True)
        (path / "root/etc/machine-id").write_text(f"{MACHINE_ID}\n")
        program = path / "root/usr/bin/patronictl"
        program.write_text(PATRONICTL.format(told=path / "told"))
        program.chmod(0o755)
        yield path


def users_of_patronictl(directory: Path, bundles: Path) -> tuple[set[str], str]:
    """As whom patronictl ran while a bundle was tried, and what that said."""
    facts = small_facts(owner="patroni")
    plan, bundle = small_plan(facts, {"pg.work_mem": "24MB"}), bundles / "bundle"
    texts = Texts(facts_json=facts_to_json(facts), answers_toml=answers_to_toml(small_answers()))
    write_kept_bundle(plan, kept_plan(plan, "patroni", load_rulebook("patroni")), bundle, texts)
    done = subprocess.run(
        ["sh", bundle / "apply.sh"],
        env={
            "PATH": os.environ["PATH"],
            "TUNEWIZ_ROOT": str(directory / "root"),
            "TUNEWIZ_STATE_DIR": str(bundles / "state"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4, done.stdout + done.stderr
    path = directory / "told" / "patronictl"
    return set(path.read_text().split()) if path.exists() else set(), done.stderr


@ONLY_ROOT_HAS_RIGHTS_TO_LOSE
def test_patronictl_runs_as_the_owner_of_its_file(directory: Path, tmp_path: Path) -> None:
    file, owner = directory / "root/etc/patroni/patroni.yml", pwd.getpwnam(unprivileged_user()).pw_uid
    file.write_text(TEXT)
    os.chown(file, owner, -1)
    assert users_of_patronictl(directory, tmp_path)[0] == {str(owner)}


@ONLY_ROOT_HAS_RIGHTS_TO_LOSE
def test_a_file_that_is_roots_alone_is_read_as_root(directory: Path, tmp_path: Path) -> None:
    (directory / "root/etc/patroni/patroni.yml").write_text(TEXT)
    assert users_of_patronictl(directory, tmp_path)[0] == {"0"}


@ONLY_ROOT_HAS_RIGHTS_TO_LOSE
@pytest.mark.parametrize("way", ["a link", "a file"])
def test_a_file_of_roots_in_a_directory_of_the_owners_is_the_owners(
    directory: Path, tmp_path: Path, way: str
) -> None:
    file, owner = directory / "root/etc/patroni/patroni.yml", pwd.getpwnam(unprivileged_user()).pw_uid
    real = directory / "root/etc/roots.yml" if way == "a link" else file
    real.write_text(TEXT)
    if way == "a link":
        file.symlink_to(real)
    os.chown(file.parent, owner, -1)
    assert users_of_patronictl(directory, tmp_path)[0] == {str(owner)}


@ONLY_ROOT_HAS_RIGHTS_TO_LOSE
@pytest.mark.parametrize(("inside", "mode"), [("patroni.yml", 0o664), ("patroni.yml", 0o646), (".", 0o775)])
def test_a_file_of_roots_that_others_may_change_is_refused(
    directory: Path, tmp_path: Path, inside: str, mode: int
) -> None:
    (directory / "root/etc/patroni/patroni.yml").write_text(TEXT)
    (directory / "root/etc/patroni" / inside).chmod(mode)
    users, said = users_of_patronictl(directory, tmp_path)
    assert users == set()
    assert SEVERAL in said


@ONLY_ROOT_HAS_RIGHTS_TO_LOSE
@pytest.mark.parametrize("length", [1 << 20, (1 << 20) + 1, 1 << 34], ids=["just fits", "too long", "16 GiB"])
def test_a_file_is_read_up_to_a_bound(directory: Path, tmp_path: Path, length: int) -> None:
    file, owner = directory / "root/etc/patroni/patroni.yml", pwd.getpwnam(unprivileged_user()).pw_uid
    with file.open("wb") as stream:
        stream.write(TEXT.encode() + b"#" * ((1 << 20) + 1 - len(TEXT)))
        stream.truncate(length)
    os.chown(file, owner, -1)
    users, said = users_of_patronictl(directory, tmp_path)
    assert (users, TOO_LONG in said) == (({str(owner)}, False) if length == 1 << 20 else (set(), True))
