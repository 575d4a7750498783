"""What a bundle refuses on a real server, before anything is changed."""

import dataclasses

from real_subject import WANTED, MakeSubject
from small_plans import small_answers, small_plan
from tunewiz.bundle import write_bundle
from tunewiz.core.values.known import Known
from tunewiz.formats.records import answers_to_toml, facts_to_json


def test_a_value_that_the_server_refuses_never_reaches_a_restart(make_subject: MakeSubject) -> None:
    subject = make_subject()
    with subject.cluster.config_file.open("a") as config:
        config.write("work_mem = '4MB'\n")
    bundle, before, started = subject.bundle(), subject.configuration(), subject.started()
    ran = subject.run(bundle / "apply.sh")
    assert ran.status == 5
    assert "another line overrides ours" in ran.err
    assert (subject.configuration(), subject.started()) == (before, started)


def test_a_setting_that_someone_changed_since_is_refused_by_name(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle = subject.bundle()
    subject.cluster.query("ALTER SYSTEM SET work_mem = '8MB'")
    subject.cluster.query("SELECT pg_reload_conf()")
    before, started = subject.configuration(), subject.started()
    ran = subject.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "work_mem: 4MB when planned, found 8MB" in ran.err
    assert (subject.configuration(), subject.started()) == (before, started)


def test_case_49_another_cluster_in_the_same_place_is_refused(make_subject: MakeSubject) -> None:
    subject = make_subject()
    facts = subject.facts()
    (server,) = facts.postgres
    other = dataclasses.replace(server, system_identifier=Known("1234567890123456789", "test"))
    facts = dataclasses.replace(facts, postgres=(other,))
    bundle = subject.bundles / "other"
    write_bundle(small_plan(facts, WANTED), bundle, facts_to_json(facts), answers_to_toml(small_answers()))
    ran = subject.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "system identifier" in ran.err


def test_case_42_a_setting_on_the_command_line_is_refused(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle, cluster = subject.bundle({"pg.work_mem": "24MB"}), subject.cluster
    cluster.stop()
    pg_ctl = cluster.programs.bin_directory / "pg_ctl"
    log = ("-w", "-l", cluster.log_file)
    cluster.run(pg_ctl, "-D", cluster.data_directory, *log, "-o", "-c work_mem=4MB", "start")
    ran = subject.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "command line" in ran.err


def test_case_61_a_restart_that_would_put_the_changes_of_others_in_force_is_refused(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject()
    bundle = subject.bundle()
    with subject.cluster.config_file.open("a") as config:
        config.write("max_connections = '50'\n")
    subject.cluster.query("SELECT pg_reload_conf()")
    ran = subject.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "max_connections" in ran.err
    assert subject.run(bundle / "apply.sh", "--no-restart").status == 0


def test_case_60_files_that_are_broken_already_are_refused_before_anything_is_changed(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject()
    bundle = subject.bundle()
    with subject.cluster.config_file.open("a") as config:
        config.write("no_such_setting = 1\n")
    before = subject.configuration()
    ran = subject.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "no_such_setting" in ran.err
    assert subject.configuration() == before
