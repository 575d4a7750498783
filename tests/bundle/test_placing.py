"""Every change goes where it will count, and what no bundle can reach is said."""

import dataclasses

import pytest

from pretend_root import DATA, DROP_IN
from small_plans import small_facts, small_plan, with_settings
from tunewiz.bundle.placement import Placement
from tunewiz.bundle.placing import placed
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import Setting
from tunewiz.core.recommendation.cluster import Cluster, NoCluster
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.core.values.errors import BundleError
from tunewiz.core.values.known import Fact, Known, Unknown

WORK_MEM = {"pg.work_mem": "24MB"}
INCLUDED = Known(f"{DATA}/conf.d", "test")


def place(facts: Facts, wanted: dict[str, str] | None = None) -> Placement:
    return placed(small_plan(facts, wanted or WORK_MEM))


def with_work_mem(facts: Facts, setting: Setting) -> Facts:
    servers = tuple(with_settings(server, work_mem=setting) for server in facts.postgres)
    return dataclasses.replace(facts, postgres=servers)


def test_a_drop_in_is_used_where_a_directory_is_included() -> None:
    placement = place(small_facts(include_directory=INCLUDED))
    assert isinstance(placement.cluster, Cluster)
    assert placement.cluster.drop_in == DROP_IN
    assert [setting.where for setting in placement.settings] == ["dropin"]


def test_without_an_included_directory_it_is_alter_system() -> None:
    placement = place(small_facts())
    assert [setting.where for setting in placement.settings] == ["auto"]


def test_a_line_of_alter_system_wins_over_drop_ins_and_is_changed_itself() -> None:
    there = Setting(value="8192", unit="kB", sourcefile=f"{DATA}/postgresql.auto.conf:3")
    placement = place(with_work_mem(small_facts(include_directory=INCLUDED), there))
    assert [(setting.where, setting.before) for setting in placement.settings] == [("auto", "8192")]


@pytest.mark.parametrize(
    ("value", "include", "where"),
    [
        ("pg_stat_statements, pg_prewarm", INCLUDED, ["dropin"]),
        ("pg_stat_statements", INCLUDED, ["dropin"]),
        ("pg_stat_statements", Unknown("none is included"), ["auto"]),
        ("pg_stat_statements, pg_prewarm", Unknown("none is included"), []),
    ],
)
def test_alter_system_gets_no_list_that_it_would_take_for_one_name(
    value: str, include: Fact[str], where: list[str]
) -> None:
    facts = small_facts(include_directory=include)
    placement = place(facts, {"pg.shared_preload_libraries": value})
    assert [setting.where for setting in placement.settings] == where
    assert [
        f"SET shared_preload_libraries = {value};" in unreachable.why
        for unreachable in placement.out_of_reach
    ] == ([] if where else [True])


def test_the_command_line_is_out_of_reach() -> None:
    there = Setting(value="8192", unit="kB", source="command line")
    placement = place(with_work_mem(small_facts(include_directory=INCLUDED), there))
    assert placement.settings == ()
    assert "command line" in placement.out_of_reach[0].why


def test_case_43_patroni_keeps_its_configuration() -> None:
    plan = small_plan(small_facts(owner="patroni"), WORK_MEM)
    placement = placed(plan)
    assert isinstance(placement.cluster, NoCluster)
    assert (placement.settings, placement.out_of_reach) == ((), ())
    assert [finding.recommendation.id for finding in plan.advised] == ["pg.work_mem"]


def test_a_server_whose_files_are_not_known_is_out_of_reach_with_the_reason() -> None:
    placement = place(small_facts(config_file=Unknown("permission denied")))
    assert "configuration file is not known: permission denied" in placement.out_of_reach[0].why


@pytest.mark.parametrize("path", ["/data\nx", "data", "/a/../etc", "/\x1b[2J"])
def test_case_72_a_path_that_no_line_can_name_is_out_of_reach(path: str) -> None:
    assert place(small_facts(data_directory=Known(path, "test"))).settings == ()


def test_values_are_in_the_servers_own_unit() -> None:
    (setting,) = place(small_facts()).settings
    assert (setting.before, setting.value, setting.text) == ("4096", "24576", "24MB")


def test_what_nobody_set_is_the_default_in_the_files() -> None:
    there = Setting(value="512", unit="8kB", source="override")
    facts = small_facts()
    servers = tuple(with_settings(server, wal_buffers=there) for server in facts.postgres)
    facts = dataclasses.replace(facts, postgres=servers)
    (setting,) = place(facts, {"pg.wal_buffers": "32MB"}).settings
    assert (setting.before, setting.before_in_files) == ("512", "-1")


def test_huge_pages_say_how_much_memory_they_take() -> None:
    facts = small_facts(Given(kernel={"vm.nr_hugepages": 100}))
    (pages,) = place(facts, {"kernel.nr_hugepages": "600"}).sysctls
    assert pages.memory == str(-(-500 * 2048 // 1000))


def test_fewer_huge_pages_take_no_memory() -> None:
    facts = small_facts(Given(kernel={"vm.nr_hugepages": 100}))
    (pages,) = place(facts, {"kernel.nr_hugepages": "50"}).sysctls
    assert pages.memory == ""


def test_a_pair_remembers_both_values() -> None:
    (pair,) = place(small_facts(), {"kernel.dirty_bytes": "536870912"}).sysctls
    assert (pair.before, pair.twin, pair.twin_before) == ("0", "vm.dirty_ratio", "20")


def test_a_name_that_no_kernel_has_is_refused() -> None:
    targets = {"kernel.bad": SysctlTarget(name="../../etc/passwd")}
    kernel = {"../../etc/passwd": 0}
    plan = small_plan(small_facts(Given(kernel=kernel)), {"kernel.bad": "1"}, targets=targets)
    with pytest.raises(BundleError, match="expected a kernel setting"):
        placed(plan)
