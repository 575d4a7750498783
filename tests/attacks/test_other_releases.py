"""The oldest and the newest server that there are bundles for, under the worst of the attacks."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from fixtures_postgres import (
    Initialized,
    configure,
    copy_into,
    crash,
    describe,
    directory_of,
    unprivileged_user,
)
from inherited_state import postmaster
from real_postgres import Cluster, Programs
from real_subject import Subject, Way
from tunewiz.core.values.versions import NEWEST_RUN, SUPPORTED

pytestmark = pytest.mark.slow

DONE, REFUSED, FAILED = 0, 4, 5
ENDS: Final = (str(SUPPORTED[0]), str(NEWEST_RUN))
WAL_LEVEL: Final = "hot_standby"
"""The word of 9.5, which later ones still take."""
WITH_EXCLUSIVE_BACKUPS: Final = ("9.5", "14")
"""The first and the last of the supported ones: PostgreSQL 15 took them out."""
WAYS: Final[tuple[Way, ...]] = ("drop-in", "ALTER SYSTEM")
BUFFERS: Final = {"pg.shared_buffers": "192MB"}
FORMER: Final = {"shared_buffers": "128MB", "work_mem": "4MB", "random_page_cost": "4"}
PLANNED: Final = {"shared_buffers": "192MB", "work_mem": "24MB", "random_page_cost": "1.1"}


@pytest.fixture
def cluster(
    major: str,
    server_of_major: Callable[[str], Programs | str],
    initialized: Initialized,
    next_port: Callable[[], int],
) -> Iterator[Cluster]:
    """Of that release, stopped; it includes conf.d at the end of its configuration."""
    programs = server_of_major(major)
    if isinstance(programs, str):
        pytest.skip(programs)
    user = unprivileged_user()
    with directory_of(user) as directory:
        made = describe("plain", programs, user, directory, next_port())
        copy_into(made, initialized(programs))
        made.run("mkdir", made.socket_directory, made.data_directory / "conf.d")
        configure(made, {"fsync": "off", "include_dir": "conf.d", "wal_level": WAL_LEVEL})
        yield made
        crash(made)


@pytest.fixture
def make(cluster: Cluster, tmp_path: Path) -> Callable[[Way], Subject]:
    """What bundles are made for, its server running."""

    def made(way: Way) -> Subject:
        (tmp_path / "bundles").mkdir()
        cluster.start()
        included = cluster.data_directory / "conf.d" if way == "drop-in" else None
        return Subject(
            cluster=cluster, included=included, state=tmp_path / "state", bundles=tmp_path / "bundles"
        )

    return made


ends = pytest.mark.parametrize("major", ENDS)


@ends
@pytest.mark.parametrize("way", WAYS)
def test_what_was_there_comes_back_to_the_byte(way: Way, make: Callable[[Way], Subject]) -> None:
    subject = make(way)
    before, bundle = subject.configuration(), subject.bundle()
    assert subject.run(bundle / "apply.sh").status == DONE
    assert subject.show() == PLANNED
    assert subject.run(bundle / "verify.sh").status == DONE
    assert subject.run(bundle / "rollback.sh").status == DONE
    assert (subject.configuration(), subject.show()) == (before, FORMER)


@ends
@pytest.mark.parametrize("way", WAYS)
def test_a_broken_file_of_someone_elses_keeps_it_from_being_called_restored(
    way: Way, make: Callable[[Way], Subject]
) -> None:
    subject = make(way)
    bundle, config = subject.bundle(), subject.cluster.config_file
    assert subject.run(bundle / "apply.sh").status == DONE
    sound = config.read_text()
    config.write_text(f"{sound}no_such_setting = 1\n")
    for _ in range(2):
        ran = subject.run(bundle / "rollback.sh")
        assert ran.status in {REFUSED, FAILED}, ran.said
        assert "as it was before" not in ran.said
        assert subject.show() == PLANNED
    config.write_text(sound)
    assert subject.run(bundle / "rollback.sh").status == DONE
    assert subject.show() == FORMER


@ends
def test_a_value_of_the_role_that_asks_is_not_taken_for_the_servers(
    make: Callable[[Way], Subject],
) -> None:
    subject = make("drop-in")
    user = subject.cluster.os_user
    subject.cluster.query(f"ALTER ROLE {user} SET work_mem = '7MB'")
    bundle = subject.bundle()
    assert subject.run(bundle / "apply.sh").status == DONE
    assert subject.run(bundle / "verify.sh").status == DONE
    assert subject.run(bundle / "rollback.sh").status == DONE
    subject.cluster.query(f"ALTER ROLE {user} RESET work_mem")
    assert subject.show() == FORMER


@pytest.mark.parametrize("major", WITH_EXCLUSIVE_BACKUPS)
def test_case_113_nor_is_a_base_backup_ended_that_no_session_holds(make: Callable[[Way], Subject]) -> None:
    subject = make("drop-in")
    bundle = subject.bundle(BUFFERS)
    subject.cluster.query("SELECT pg_start_backup('exclusive', true)")
    number, before = postmaster(subject.cluster), subject.configuration()
    ran = subject.run(bundle / "apply.sh")
    assert (ran.status, "a restart would interrupt an exclusive base backup" in ran.err) == (REFUSED, True), (
        ran.said
    )
    assert (postmaster(subject.cluster), subject.configuration()) == (number, before)
    subject.cluster.query("SELECT pg_stop_backup()")
    assert subject.run(bundle / "apply.sh").status == DONE
    assert subject.show()["shared_buffers"] == "192MB"
