"""A data directory on NFS with root squashed: root may not look into it, the server's owner may."""

from collections.abc import Iterator

import pytest

from fixtures_attacks import ONLY_ROOT_HAS_RIGHTS_TO_LOSE
from own_namespaces import start_inside
from real_subject import SHOWN, WAYS, MakeSubject, Subject, Way
from squashed_root import squash, squashing
from start_faults import FAULTS
from tunewiz.core.facts.server import Setting

pytestmark = [ONLY_ROOT_HAS_RIGHTS_TO_LOSE, pytest.mark.slow]

DONE, DIFFERS, NOTHING_TO_DO, REFUSED, UNDONE = 0, 1, 3, 4, 5
STARTED_AND_UNDONE = 2
CLOSED = "may not be read by root (NFS with root_squash?)"


@pytest.fixture
def inside() -> Iterator[tuple[str, ...]]:
    with squashing() as words:
        yield words


def squashed(subject: Subject, inside: tuple[str, ...], *, running: bool = True) -> None:
    """Closes the data directory to root; the server is started in the same namespace as the scripts."""
    subject.cluster.stop()
    subject.cluster.directory.chmod(0o755)
    squash(subject.cluster.data_directory)
    if running:
        start_inside(subject.cluster, inside)


@pytest.mark.parametrize("way", WAYS)
def test_case_145_a_bundle_is_applied_and_taken_back_where_root_may_not_look_into_the_data_directory(
    way: Way, make_subject: MakeSubject, inside: tuple[str, ...]
) -> None:
    subject = make_subject(way=way)
    bundle = subject.bundle()
    squashed(subject, inside)
    before, files = subject.show(), subject.configuration()
    for script, status, shown in (
        ("apply.sh", DONE, SHOWN),
        ("verify.sh", DONE, SHOWN),
        ("apply.sh", NOTHING_TO_DO, SHOWN),
        ("rollback.sh", DONE, before),
        ("verify.sh", DIFFERS, before),
        ("rollback.sh", NOTHING_TO_DO, before),
    ):
        ran = subject.run(bundle / script, before=inside)
        assert (ran.status, subject.show()) == (status, shown), f"{script}: {ran.said}"
    assert subject.configuration() == files


@pytest.mark.parametrize("way", WAYS)
def test_case_145_so_it_is_where_the_server_is_down(
    way: Way, make_subject: MakeSubject, inside: tuple[str, ...]
) -> None:
    subject = make_subject(way=way)
    squashed(subject, inside, running=False)
    bundle, files = subject.bundle(), subject.configuration()
    for script, status in (
        ("apply.sh", DONE),
        ("verify.sh", DONE),
        ("rollback.sh", DONE),
        ("verify.sh", DIFFERS),
    ):
        ran = subject.run(bundle / script, before=inside)
        assert ran.status == status, f"{script}: {ran.said}"
    assert subject.configuration() == files


def test_case_145_a_line_that_includes_ours_comes_and_goes(
    make_subject: MakeSubject, inside: tuple[str, ...]
) -> None:
    subject = make_subject(way="ALTER SYSTEM")
    off = Setting(value="off", source="configuration file")
    bundle = subject.bundle({"pg.work_mem": "24MB"}, allow_alter_system=off)
    assert "include|" in (bundle / "steps.txt").read_text()
    squashed(subject, inside)
    before, files = subject.show(), subject.configuration()
    for script, work_mem in (("apply.sh", "24MB"), ("rollback.sh", "4MB")):
        ran = subject.run(bundle / script, before=inside)
        assert (ran.status, subject.show()["work_mem"]) == (DONE, work_mem), ran.said
    assert (subject.show(), subject.configuration()) == (before, files)


@pytest.mark.parametrize("way", WAYS)
def test_case_145_what_others_have_changed_is_left_and_named(
    way: Way, make_subject: MakeSubject, inside: tuple[str, ...]
) -> None:
    subject = make_subject(way=way)
    bundle = subject.bundle()
    squashed(subject, inside)
    assert subject.run(bundle / "apply.sh", before=inside).status == DONE
    if subject.included is None:
        subject.cluster.query("ALTER SYSTEM SET work_mem = '31MB'")
    else:
        with (subject.included / "zz-tunewiz.conf").open("a") as file:
            file.write("work_mem = '31MB'\n")
    subject.cluster.query("SELECT pg_reload_conf()")
    ran = subject.run(bundle / "rollback.sh", before=inside)
    assert (ran.status, "left alone, changed by someone else since" in ran.err) == (REFUSED, True), ran.said
    assert subject.show()["work_mem"] == "31MB"


def test_case_145_a_drop_in_of_others_at_our_place_is_not_taken_for_none(
    make_subject: MakeSubject, inside: tuple[str, ...]
) -> None:
    subject = make_subject()
    bundle = subject.bundle()
    squashed(subject, inside)
    assert subject.included is not None
    subject.cluster.run("sh", "-c", f"echo 'work_mem = 5MB' >{subject.included}/zz-tunewiz.conf")
    files = subject.configuration()
    ran = subject.run(bundle / "apply.sh", before=inside)
    assert (ran.status, "found a file that no bundle wrote" in ran.err) == (REFUSED, True), ran.said
    assert subject.configuration() == files


def test_case_145_a_server_that_would_not_start_again_is_still_found(
    make_subject: MakeSubject, inside: tuple[str, ...]
) -> None:
    subject = make_subject()
    bundle = subject.bundle()
    squashed(subject, inside)
    since, fault = subject.started(), FAULTS["pg_hba.conf has a line that cannot be read"]
    with fault.made(subject.cluster):
        ran = subject.run(bundle / "apply.sh", before=inside)
    assert (ran.status, fault.reason in ran.err, subject.started()) == (REFUSED, True, since), ran.said


def test_case_145_the_log_in_the_data_directory_is_shown_where_the_server_does_not_come_up(
    make_subject: MakeSubject, inside: tuple[str, ...]
) -> None:
    subject = make_subject()
    cluster, library = subject.cluster, subject.cluster.directory / "gone.so"
    packaged = cluster.query("SELECT setting FROM pg_config WHERE name = 'PKGLIBDIR'")
    cluster.run("cp", f"{packaged}/auto_explain.so", library)
    with cluster.config_file.open("a") as config:
        config.write(f"archive_mode = on\narchive_command = 'rm -f {library}'\n")
    bundle = subject.bundle({"pg.shared_preload_libraries": str(library)})
    squashed(subject, inside, running=False)
    cluster.run("cp", f"{packaged}/auto_explain.so", library)
    start_inside(cluster, inside)
    ran = subject.run(bundle / "apply.sh", before=inside)
    assert ran.status == UNDONE, ran.said
    assert ("the server did not come up" in ran.err, "NOT restored" in ran.err) == (True, False), ran.said
    assert f'could not access file "{library}"' in ran.err
    assert cluster.query("SHOW shared_preload_libraries") == ""
    log = (cluster.data_directory / "server.log").read_text()
    assert log.count("database system is ready to accept connections") == STARTED_AND_UNDONE


@pytest.mark.parametrize("script", ["apply.sh", "rollback.sh"])
def test_case_145_a_file_that_is_gone_is_told_to_be_gone(
    script: str, make_subject: MakeSubject, inside: tuple[str, ...]
) -> None:
    subject = make_subject()
    bundle = subject.bundle()
    squashed(subject, inside, running=False)
    assert subject.run(bundle / "apply.sh", before=inside).status == DONE
    subject.cluster.config_file.rename(subject.cluster.config_file.with_suffix(".away"))
    ran = subject.run(bundle / script, before=inside)
    assert "the server's configuration file is not there" in ran.err, ran.said
    assert CLOSED not in ran.err


def test_case_145_a_directory_that_is_gone_is_no_directory_that_root_may_not_read(
    make_subject: MakeSubject, inside: tuple[str, ...]
) -> None:
    subject = make_subject()
    bundle = subject.bundle()
    squashed(subject, inside, running=False)
    (subject.cluster.data_directory).rename(subject.cluster.directory / "away")
    ran = subject.run(bundle / "apply.sh", before=inside)
    assert (ran.status, "there is no PostgreSQL data directory" in ran.err) == (REFUSED, True), ran.said
    assert CLOSED not in ran.err


def test_case_145_where_the_way_to_the_data_is_closed_too_that_is_told(
    make_subject: MakeSubject, inside: tuple[str, ...]
) -> None:
    subject = make_subject()
    bundle, data = subject.bundle(), subject.cluster.data_directory
    squashed(subject, inside, running=False)
    subject.cluster.directory.chmod(0o700)
    squash(subject.cluster.directory)
    ran = subject.run(bundle / "apply.sh", before=inside)
    assert (ran.status, f"{data}: {CLOSED}" in ran.err) == (REFUSED, True), ran.said
    assert "there is no PostgreSQL data directory" not in ran.err
