"""What others changed and a restart would put in force is looked at on the way back too."""

import pytest

from real_subject import MakeSubject, Subject

pytestmark = pytest.mark.slow

DONE, REFUSED, NOT_RESTORED = 0, 4, 5
WANTED = {"pg.shared_buffers": "192MB", "pg.work_mem": "24MB"}
BREAKS_THE_START = "ALTER SYSTEM SET shared_preload_libraries = 'nosuchlib'"


def by_alter_system(subject: Subject) -> None:
    subject.cluster.query(BREAKS_THE_START)
    subject.cluster.query("SELECT pg_reload_conf()")


def not_read_by_the_server_yet(subject: Subject) -> None:
    subject.cluster.query(BREAKS_THE_START)


def in_the_configuration_file(subject: Subject) -> None:
    with subject.cluster.config_file.open("a") as config:
        config.write("max_connections = '50'\n")


def one_of_ours(subject: Subject) -> None:
    subject.cluster.query("ALTER SYSTEM SET shared_buffers = '160MB'")


def takes_it_out(subject: Subject) -> None:
    subject.cluster.query("ALTER SYSTEM RESET ALL")
    lines = subject.cluster.config_file.read_text()
    subject.cluster.config_file.write_text(lines.replace("max_connections = '50'\n", ""))


OTHERS = (by_alter_system, not_read_by_the_server_yet, in_the_configuration_file, one_of_ours)


@pytest.mark.parametrize("other", OTHERS)
def test_case_90_a_rollback_by_hand_is_refused_and_one_at_a_deadline_leaves_the_restart(
    other: object, make_subject: MakeSubject
) -> None:
    assert callable(other)
    subject = make_subject()
    bundle, before = subject.bundle(WANTED), subject.configuration()
    assert subject.run(bundle / "apply.sh").status == DONE
    since = subject.started()
    other(subject)
    applied = subject.configuration()

    refused = subject.run(bundle / "rollback.sh")
    assert (refused.status, "what others have changed" in refused.err) == (REFUSED, True), refused.said
    assert (subject.configuration(), subject.started()) == (applied, since)

    fired = subject.run(bundle / "rollback.sh", "--unless-confirmed")
    assert (fired.status, "as it was before" in fired.said) == (NOT_RESTORED, False), fired.said
    assert "Waiting for its restart: shared_buffers" in fired.err
    assert subject.started() == since
    assert subject.cluster.query("SHOW work_mem") == "4MB"
    assert subject.cluster.query("SHOW shared_buffers") == "192MB"

    takes_it_out(subject)
    finished = subject.run(bundle / "rollback.sh")
    assert (finished.status, finished.err) == (DONE, "")
    assert subject.cluster.query("SHOW shared_buffers") == "128MB"
    assert {path.rpartition("/")[2] for path in subject.configuration()} == {
        path.rpartition("/")[2] for path in before
    }


@pytest.mark.parametrize("other", OTHERS)
def test_case_90_without_a_restart_all_else_is_taken_back(other: object, make_subject: MakeSubject) -> None:
    assert callable(other)
    subject = make_subject()
    bundle = subject.bundle(WANTED)
    assert subject.run(bundle / "apply.sh").status == DONE
    since = subject.started()
    other(subject)
    ran = subject.run(bundle / "rollback.sh", "--no-restart")
    assert (ran.status, "as it was before" in ran.said) == (DONE, False), ran.said
    assert (subject.started(), subject.show()["work_mem"]) == (since, "4MB")


def test_a_rollback_that_needs_no_restart_does_not_ask_what_others_changed(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle = subject.bundle({"pg.work_mem": "24MB"})
    assert subject.run(bundle / "apply.sh").status == DONE
    by_alter_system(subject)
    since = subject.started()
    ran = subject.run(bundle / "rollback.sh")
    assert (ran.status, ran.err) == (DONE, "")
    assert (subject.started(), subject.show()["work_mem"]) == (since, "4MB")


def test_case_91_files_that_someone_broke_since_are_found_before_the_server_is_stopped(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject()
    bundle = subject.bundle(WANTED)
    assert subject.run(bundle / "apply.sh").status == DONE
    since, sound = subject.started(), subject.cluster.config_file.read_text()
    subject.cluster.config_file.write_text(f"{sound}no_such_setting = 1\n")
    for options in ((), ("--unless-confirmed",)):
        ran = subject.run(bundle / "rollback.sh", *options)
        assert (ran.status in {REFUSED, NOT_RESTORED}, "as it was before" in ran.said) == (True, False), (
            ran.said
        )
        assert subject.started() == since
    subject.cluster.config_file.write_text(sound)
    assert subject.run(bundle / "rollback.sh").status == DONE
    assert subject.cluster.query("SHOW shared_buffers") == "128MB"


def test_case_92_a_setting_that_someone_else_sets_by_now_is_named_and_left(make_subject: MakeSubject) -> None:
    subject = make_subject()
    for value in ("7MB", "24MB"):
        bundle = subject.bundle({"pg.work_mem": "24MB"})
        assert subject.run(bundle / "apply.sh").status == DONE
        subject.cluster.query(f"ALTER SYSTEM SET work_mem = '{value}'")
        subject.cluster.query("SELECT pg_reload_conf()")
        ran = subject.run(bundle / "rollback.sh")
        assert (ran.status, "as it was before" in ran.said) == (REFUSED, False), ran.said
        assert f"left alone, changed by someone else since: work_mem: the server has {value}" in ran.err
        assert subject.show()["work_mem"] == value
        subject.cluster.query("ALTER SYSTEM RESET work_mem")
        assert subject.run(bundle / "rollback.sh").status == DONE
        assert subject.show()["work_mem"] == "4MB"


def test_case_92_in_the_file_of_alter_system_ours_go_and_theirs_stay(make_subject: MakeSubject) -> None:
    subject = make_subject(way="ALTER SYSTEM")
    bundle = subject.bundle({"pg.work_mem": "24MB", "pg.random_page_cost": "1.1"})
    assert subject.run(bundle / "apply.sh").status == DONE
    subject.cluster.query("ALTER SYSTEM SET work_mem = '7MB'")
    subject.cluster.query("SELECT pg_reload_conf()")
    for _ in range(2):
        ran = subject.run(bundle / "rollback.sh")
        assert (ran.status, "work_mem" in ran.err) == (REFUSED, True), ran.said
        assert (subject.show()["work_mem"], subject.show()["random_page_cost"]) == ("7MB", "4")
