"""The server's owner races root in its own directories, and wins nothing."""

import dataclasses
import hashlib
import os
import pwd
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from faulty_calls import cannot_trace
from fixtures_attacks import ONLY_ROOT_HAS_RIGHTS_TO_LOSE, Attack, Treasure
from fixtures_postgres import directory_of, unprivileged_user
from pretend_root import DATA, FILES, PretendRoot, make_root
from real_subject import MakeSubject, Subject
from small_bundles import small_bundle
from small_plans import small_facts, with_settings
from tools_here import need
from tunewiz.bundle.dropins import HEADER
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import Setting
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Absent

pytestmark = [ONLY_ROOT_HAS_RIGHTS_TO_LOSE, pytest.mark.slow]

OF_THE_CALLER_ALONE = "for-the-caller-alone"
WORK_MEM = {"pg.work_mem": "24MB"}
FAILED_OR_DONE = {0, 4, 5}
SLOWLY = ("strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=fchmodat,fchownat:delay_enter=300000")
"""Before a file's mode or owner is changed by its name, the attacker has all the time it needs."""
ROUNDS = [*range(1), *(pytest.param(number, marks=pytest.mark.slow) for number in range(1, 10))]


def forbidding() -> Facts:
    """A server of 17 that takes no ALTER SYSTEM and includes no directory."""
    without = Absent("no include_dir")
    (server,) = small_facts(Given(major="17"), include_directory=without).postgres
    off = with_settings(server, allow_alter_system=Setting(value="off", source="configuration file"))
    return small_facts(Given(major="17"), include_directory=without, settings=off.settings)


def stopped(subject: Subject) -> Path:
    """A bundle for the server, which is down from then on: files are written without its help."""
    subject.cluster.stop()
    return subject.bundle(WORK_MEM)


@pytest.mark.parametrize("number", ROUNDS)
def test_case_73_a_link_in_the_place_of_a_new_drop_in_gives_nothing_away(
    number: int, make_subject: MakeSubject, attack: Attack, treasure: Treasure
) -> None:
    subject = make_subject()
    bundle, directory = subject.bundle(WORK_MEM), subject.cluster.data_directory / "conf.d"
    with attack("link", directory / ".zz-tunewiz.conf.tunewiz-new", treasure.file):
        ran = subject.run(bundle / "apply.sh", before=() if cannot_trace() else SLOWLY)
    assert treasure.is_untouched(), f"round {number}: {ran.said}"
    assert ran.status in FAILED_OR_DONE, ran.said


@pytest.mark.parametrize("number", ROUNDS)
def test_case_73_a_link_in_the_place_of_a_new_auto_conf_gives_nothing_away(
    number: int, make_subject: MakeSubject, attack: Attack, treasure: Treasure
) -> None:
    subject = make_subject(way="ALTER SYSTEM")
    bundle, directory = stopped(subject), subject.cluster.data_directory
    with attack("link", directory / ".postgresql.auto.conf.tunewiz-new", treasure.file):
        ran = subject.run(bundle / "apply.sh", before=() if cannot_trace() else SLOWLY)
    assert treasure.is_untouched(), f"round {number}: {ran.said}"
    assert ran.status in FAILED_OR_DONE, ran.said


@pytest.mark.parametrize("number", ROUNDS)
def test_case_73_a_link_in_the_place_of_a_file_that_is_put_back_gives_nothing_away(
    number: int, make_subject: MakeSubject, attack: Attack, treasure: Treasure
) -> None:
    subject = make_subject(way="ALTER SYSTEM")
    bundle, directory = stopped(subject), subject.cluster.data_directory
    assert subject.run(bundle / "apply.sh").status == 0
    with attack("link", directory / ".postgresql.auto.conf.tunewiz-new", treasure.file):
        ran = subject.run(bundle / "rollback.sh")
    assert treasure.is_untouched(), f"round {number}: {ran.said}"
    assert ran.status in FAILED_OR_DONE, ran.said


@pytest.mark.parametrize("number", ROUNDS)
def test_case_73_a_directory_that_changes_places_with_roots_own_gives_nothing_away(
    number: int, make_subject: MakeSubject, attack: Attack, treasure: Treasure
) -> None:
    subject = make_subject()
    bundle, directory = subject.bundle(WORK_MEM), subject.cluster.data_directory / "conf.d"
    other = directory.with_name("other")
    other.symlink_to(treasure.file.parent)
    with attack("exchange", directory, other):
        for script in ("apply.sh", "rollback.sh"):
            subject.run(bundle / script)
    assert treasure.is_untouched(), f"round {number}"


@pytest.mark.parametrize(
    "looks", [3, *(pytest.param(looks, marks=pytest.mark.slow) for looks in (1, 2, 4, 5, 6))]
)
def test_case_74_lines_of_a_file_of_roots_do_not_get_into_the_servers(
    looks: int, make_subject: MakeSubject, attack: Attack, treasure: Treasure
) -> None:
    subject = make_subject()
    bundle, directory = subject.bundle(WORK_MEM), subject.cluster.data_directory / "conf.d"
    drop_in, other = directory / "zz-tunewiz.conf", directory / "other"
    subject.cluster.run("sh", "-c", f"echo '{HEADER}' >{drop_in}")
    other.symlink_to(treasure.file)
    with attack("after", drop_in, other, str(looks)):
        ran = subject.run(bundle / "apply.sh")
    written = "".join(
        path.read_text() for path in directory.iterdir() if not path.is_symlink() and path.is_file()
    )
    assert "for root alone" not in written, ran.said
    assert treasure.is_untouched()


@pytest.mark.parametrize(
    "name", ["postmaster.opts", "PG_VERSION", "global/pg_control", "postmaster.pid", "conf.d/zz-tunewiz.conf"]
)
def test_case_75_a_pipe_in_the_place_of_a_file_keeps_nobody_waiting(
    name: str, make_subject: MakeSubject
) -> None:
    subject = make_subject()
    bundle = stopped(subject)
    file = subject.cluster.data_directory / name
    file.unlink(missing_ok=True)
    subject.cluster.run("mkfifo", file)
    for script in ("apply.sh", "verify.sh", "rollback.sh"):
        # It has a limit of its own and fails where that is reached.
        ran = subject.run(bundle / script)
        assert ran.status in {0, 1, 3, 4, 5}, ran.said
    file.unlink()


def test_case_76_a_program_of_the_owners_gets_neither_terminal_nor_open_files_nor_variables(
    make_subject: MakeSubject, treasure: Treasure
) -> None:
    need("script")
    subject = make_subject()
    bundle, directory = stopped(subject), subject.cluster.directory
    bait = f"""#!/bin/sh
for fd in /proc/self/fd/*; do cat "$fd" 2>/dev/null; done >{directory}/loot
true </dev/tty && echo terminal >>{directory}/loot
env | grep -F '{OF_THE_CALLER_ALONE}' >>{directory}/loot
exec {subject.cluster.programs.bin_directory}/postgres "$@"
"""
    (directory / "bin").mkdir()
    (directory / "bin" / "postgres").write_text(bait)
    (directory / "bin" / "postgres").chmod(0o755)
    opts = subject.cluster.data_directory / "postmaster.opts"
    opts.write_text(f'{directory}/bin/postgres "-D" "data"\n')
    with treasure.file.open() as held:
        subprocess.run(
            ["script", "-qec", f"sh {bundle}/verify.sh 200<&{held.fileno()}", "/dev/null"],
            env={
                "PATH": os.environ["PATH"],
                "TUNEWIZ_STATE_DIR": str(subject.state),
                "SHELL": "/bin/bash",
                "PGPASSWORD": OF_THE_CALLER_ALONE,
                "OF_THE_CALLER": OF_THE_CALLER_ALONE,
            },
            pass_fds=[held.fileno()],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=100,
        )
    assert (directory / "loot").read_text() == ""


@pytest.fixture
def machine_of_the_owner(tmp_path: Path) -> Iterator[PretendRoot]:
    """A pretend root whose data directory is the owner's; its configuration reads no drop-in yet."""
    files = {**FILES, f"{DATA}/PG_VERSION": "17\n", f"{DATA}/postgresql.conf": "port = 5433\n"}
    account = pwd.getpwnam(unprivileged_user())
    with directory_of(unprivileged_user()) as directory:
        machine = make_root(directory, files)
        data = machine.path(DATA)
        for path in (data, *data.rglob("*")):
            os.chown(path, account.pw_uid, account.pw_gid)
        yield dataclasses.replace(machine, state=tmp_path / "state")


@pytest.mark.parametrize("number", ROUNDS)
def test_case_73_a_link_in_the_place_of_an_edited_file_has_nothing_written_through_it(
    number: int, machine_of_the_owner: PretendRoot, attack: Attack, treasure: Treasure, tmp_path: Path
) -> None:
    machine = machine_of_the_owner
    bundle = small_bundle(tmp_path / "bundle", WORK_MEM, facts=forbidding())
    with attack("link", machine.path(f"{DATA}/.postgresql.conf.tunewiz-new"), treasure.file):
        ran = machine.run(bundle / "apply.sh")
    assert treasure.is_untouched(), f"round {number}: {ran.said}"
    assert ran.status in FAILED_OR_DONE, ran.said


def test_case_73_a_file_of_roots_in_a_directory_of_the_owners_is_refused(
    machine_of_the_owner: PretendRoot, tmp_path: Path
) -> None:
    machine = machine_of_the_owner
    os.chown(machine.path(f"{DATA}/postgresql.conf"), 0, 0)
    bundle = small_bundle(tmp_path / "bundle", WORK_MEM, facts=forbidding())
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, f"{DATA}/postgresql.conf: does not belong to" in ran.err) == (4, True), ran.said
    assert machine.tree() == before


def test_case_73_what_only_root_may_write_is_given_back_to_the_byte_and_to_whom_it_belonged(
    machine_of_the_owner: PretendRoot, tmp_path: Path
) -> None:
    machine = machine_of_the_owner
    os.chown(machine.path(DATA), 0, 0)
    os.chown(machine.path(f"{DATA}/postgresql.conf"), 0, 0)
    bundle, before = small_bundle(tmp_path / "bundle", WORK_MEM, facts=forbidding()), machine.tree()
    ran = [machine.run(bundle / script) for script in ("apply.sh", "verify.sh", "rollback.sh")]
    assert [entry.status for entry in ran] == [0, 0, 0], ran
    assert machine.tree() == before


def test_case_73_everything_of_the_owners_comes_back_with_all_that_it_was(
    machine_of_the_owner: PretendRoot, tmp_path: Path
) -> None:
    need("setfacl")
    machine = machine_of_the_owner
    conf = machine.path(f"{DATA}/postgresql.conf")
    conf.chmod(0o640)
    os.setxattr(conf, "user.note", b"the DBA's")
    subprocess.run(["setfacl", "-m", "u:daemon:r", conf], check=True)
    bundle, before = small_bundle(tmp_path / "bundle", WORK_MEM, facts=forbidding()), machine.tree()
    times = conf.stat().st_mtime_ns
    ran = [machine.run(bundle / script) for script in ("apply.sh", "rollback.sh")]
    assert [entry.status for entry in ran] == [0, 0], ran
    assert (machine.tree(), conf.stat().st_mtime_ns) == (before, times)


@pytest.mark.parametrize("name", ["lib/base.sh", "lib/place.sh"])
def test_case_77_nothing_of_a_bundle_is_read_that_someone_else_could_have_written(
    name: str, machine_of_the_owner: PretendRoot, tmp_path: Path
) -> None:
    bundle = small_bundle(machine_of_the_owner.root.parent / "bundle", WORK_MEM, facts=forbidding())
    part, sums, proof = bundle / name, bundle / "SHA256SUMS", tmp_path / "was-read"
    was = hashlib.sha256(part.read_bytes()).hexdigest()
    part.write_text(f"touch {proof}\n{part.read_text()}")
    sums.write_text(sums.read_text().replace(was, hashlib.sha256(part.read_bytes()).hexdigest()))
    for script in ("apply.sh", "verify.sh", "rollback.sh"):
        ran = machine_of_the_owner.run(bundle / script)
        assert (ran.status, "someone else could change this bundle" in ran.err) == (2, True), ran.said
    assert not proof.exists()


@pytest.mark.parametrize("mode", [0o755, 0o777], ids=oct)
def test_case_77_records_are_not_kept_where_someone_else_could_replace_them(
    mode: int, machine_of_the_owner: PretendRoot, tmp_path: Path
) -> None:
    place = machine_of_the_owner.root.parent / "records"
    place.mkdir()
    place.chmod(mode)
    machine = dataclasses.replace(machine_of_the_owner, state=place / "state")
    bundle, before = small_bundle(tmp_path / "bundle", WORK_MEM, facts=forbidding()), machine.tree()
    for script in ("apply.sh", "verify.sh", "rollback.sh"):
        ran = machine.run(bundle / script)
        assert (ran.status, "where records are kept" in ran.err) == (2, True), ran.said
    assert (machine.tree(), list(place.iterdir())) == (before, [])
