"""What the files gave before a change is recorded as PostgreSQL itself reads them."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from real_postgres import Cluster
from server_in_root import bundle_for, machine_of

pytestmark = pytest.mark.postgres

WANTED = {"pg.work_mem": "24MB", "pg.random_page_cost": "1.1", "pg.effective_cache_size": "6GB"}
NAMES = ("work_mem", "random_page_cost", "effective_cache_size")


Running = dict[str, str]
"""What the server has, where that is not the default."""


def add(database: Cluster, lines: str) -> None:
    """Lines of a file that is read before ours."""
    (database.data_directory / "conf.d" / "10-site.conf").write_text(lines)


def reload(database: Cluster) -> None:
    database.query("SELECT pg_reload_conf()", "SELECT pg_sleep(0.1)")


def nothing(_database: Cluster) -> Running:
    return {}


def a_line(database: Cluster) -> Running:
    add(database, "work_mem = 12MB\n")
    reload(database)
    return {"work_mem": "12MB"}


def another_unit_and_case(database: Cluster) -> Running:
    add(database, "WORK_MEM = '12288 kB'\nRandom_Page_Cost 3.50 # slow\n")
    reload(database)
    return {"work_mem": "12MB", "random_page_cost": "3.5"}


def the_last_of_several(database: Cluster) -> Running:
    add(database, "work_mem = 12MB\nrandom_page_cost = 2\nWork_Mem = 13MB\n")
    reload(database)
    return {"work_mem": "13MB", "random_page_cost": "2"}


def not_read_yet(database: Cluster) -> Running:
    add(database, "work_mem = 15MB\neffective_cache_size = 1GB\n")
    return {}


def taken_out_and_not_read_yet(database: Cluster) -> Running:
    running = a_line(database)
    add(database, "")
    return running


def the_former_name(database: Cluster) -> Running:
    add(database, "sort_mem = 16MB\n")
    return {}


def of_the_role(database: Cluster) -> Running:
    add(database, "work_mem = 14MB\n")
    reload(database)
    database.query(f"ALTER ROLE {database.os_user} SET work_mem = '99MB'")
    return {"work_mem": "14MB"}


def the_planned_value(database: Cluster) -> Running:
    add(database, "work_mem = 24MB\n")
    return {}


@pytest.mark.parametrize(
    "given",
    [
        nothing,
        a_line,
        another_unit_and_case,
        the_last_of_several,
        not_read_yet,
        taken_out_and_not_read_yet,
        the_former_name,
        of_the_role,
        the_planned_value,
    ],
)
def test_what_the_files_gave_is_recorded_as_postgresql_reads_them(
    given: Callable[[Cluster], Running], database: Cluster, tmp_path: Path
) -> None:
    running = given(database)
    expected = configured(database)
    bundle, machine = (
        bundle_for(database, tmp_path / "bundle", WANTED, **running),
        machine_of(database, tmp_path / "state"),
    )
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 0, ran.said
    assert recorded(machine.state) == expected
    assert machine.run(bundle / "rollback.sh").status == 0
    assert configured(database) == expected


REALS = {"pg.random_page_cost": "1000000", "pg.cpu_tuple_cost": "0.123456789", "pg.seq_page_cost": "0.00001"}


def test_numbers_that_the_server_shows_with_an_exponent_or_fewer_digits_are_as_planned(
    database: Cluster, tmp_path: Path
) -> None:
    bundle, machine = (
        bundle_for(database, tmp_path / "bundle", REALS),
        machine_of(database, tmp_path / "state"),
    )
    for script in ("apply.sh", "verify.sh", "rollback.sh"):
        ran = machine.run(bundle / script)
        assert ran.status == 0, ran.said
        if script != "rollback.sh":
            assert database.query("SHOW random_page_cost") == "1e+06"
    assert database.query("SHOW random_page_cost") == "4"


def configured(database: Cluster) -> Mapping[str, str]:
    """What the next start would have."""
    postgres = database.programs.bin_directory / "postgres"
    return {name: database.run(postgres, "-D", database.data_directory, "-C", name).strip() for name in NAMES}


def recorded(state: Path) -> Mapping[str, str]:
    """What the bundle wrote down of the files."""
    (kept,) = state.glob("*/kept/settings")
    rows = (line.split("\x1f") for line in kept.read_text().splitlines())
    return {name: in_files.removeprefix("=") for name, _running, in_files, _shown in rows}
