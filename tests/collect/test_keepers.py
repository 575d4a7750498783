"""Who else keeps settings: tuned, Patroni, operators, tools for many hosts, and files that win over ours."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorded_machines import machine
from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.owners.keepers import read_owners
from tunewiz.collect.postgres.files import read_owner
from tunewiz.collect.postgres.servers import find_servers
from tunewiz.collect.system import ReadError
from tunewiz.core.facts.owners import Managed, Owners, Rival
from tunewiz.core.values.known import Absent, Known, Unknown

PROFILE = "usr/lib/tuned/throughput-performance/tuned.conf"
DATA = "var/lib/pgsql/16/data"


def owners_of(files: Mapping[str, str], links: Mapping[str, str] | None = None) -> Owners:
    system = machine(files, links)
    return read_owners(system, find_servers(system))


def rivals_of(files: Mapping[str, str], links: Mapping[str, str] | None = None) -> dict[str, tuple[str, str]]:
    rivals = owners_of(files, links).rivals
    assert isinstance(rivals, Known)
    return {rival.name: (rival.value, rival.place) for rival in rivals.value}


def test_a_machine_without_any_of_them_says_where_it_looked() -> None:
    owners = owners_of({"proc/version": "Linux version 6.1.0"})
    assert isinstance(owners.tuned, Absent)
    assert isinstance(owners.operator, Absent)
    assert owners.rivals == Known((), "sysctl.d, tmpfiles.d and tuned's profile")
    assert owners.managed == Known((), "comments in sysctl.d, tmpfiles.d and the servers' configuration")


def test_a_file_that_is_read_after_ours_wins_and_is_named_with_its_line() -> None:
    rivals = rivals_of({"etc/sysctl.d/99-local.conf": "# ours\n\nvm.swappiness = 10\n"})
    assert rivals == {"vm.swappiness": ("10", "/etc/sysctl.d/99-local.conf:3")}


@pytest.mark.parametrize("name", ["10-first.conf", "90-a.conf", "90-tunewiz.conf", "99-not-read.cnf"])
def test_a_file_that_is_read_before_ours_or_not_at_all_is_no_rival(name: str) -> None:
    assert rivals_of({f"etc/sysctl.d/{name}": "vm.swappiness = 10\n"}) == {}


def test_names_are_compared_over_all_directories_and_by_their_bytes() -> None:
    rivals = rivals_of(
        {"usr/lib/sysctl.d/zz.conf": "vm.swappiness=10\n", "etc/sysctl.d/Z.conf": "vm.swappiness=20\n"}
    )
    assert rivals == {"vm.swappiness": ("10", "/usr/lib/sysctl.d/zz.conf:1")}


def test_of_files_with_one_name_the_first_directory_s_is_read() -> None:
    both = {"run/sysctl.d/99.conf": "vm.swappiness=10\n", "usr/lib/sysctl.d/99.conf": "vm.dirty_ratio=5\n"}
    assert rivals_of(both) == {"vm.swappiness": ("10", "/run/sysctl.d/99.conf:1")}


def test_a_link_to_dev_null_masks_the_file_of_that_name() -> None:
    below = {"usr/lib/sysctl.d/99.conf": "vm.swappiness=10\n"}
    assert rivals_of(below, {"etc/sysctl.d/99.conf": "/dev/null"}) == {}


def test_the_last_line_counts_and_sysctl_conf_comes_after_all() -> None:
    files = {
        "etc/sysctl.d/99.conf": "vm.swappiness=10\nvm.swappiness=11\n",
        "etc/sysctl.conf": "vm/dirty_ratio = 7\n",
    }
    assert rivals_of(files) == {
        "vm.swappiness": ("11", "/etc/sysctl.d/99.conf:2"),
        "vm.dirty_ratio": ("7", "/etc/sysctl.conf:1"),
    }


def test_patterns_other_settings_and_comments_are_passed_by() -> None:
    text = "; vm.swappiness=1\nvm.dirty_*=1\nnet.ipv4.ip_forward=1\n-kernel.numa_balancing=0\nvm.swappiness\n"
    assert rivals_of({"etc/sysctl.d/99.conf": text}) == {
        "kernel.numa_balancing": ("0", "/etc/sysctl.d/99.conf:4")
    }


def test_a_tmpfiles_line_that_is_read_before_ours_wins() -> None:
    path = "/sys/kernel/mm/transparent_hugepage/enabled"
    files = {
        "etc/tmpfiles.d/a.conf": f"w {path} - - - - madvise\n",
        "etc/tmpfiles.d/b.conf": f"w! {path} - - - - always\nw /proc/sys/vm/swappiness - - - - 5\nd /run/x\n",
        "etc/tmpfiles.d/z.conf": f"w {path} - - - - never\n",
    }
    assert rivals_of(files) == {
        path: ("madvise", "/etc/tmpfiles.d/a.conf:1"),
        "vm.swappiness": ("5", "/etc/tmpfiles.d/b.conf:2"),
    }


class LockedSystem(RecordedSystem):
    """May not read one file."""

    def read_bytes(self, path: str) -> bytes:
        """Refuses the file."""
        if path == "/etc/sysctl.d/99.conf":
            raise ReadError(path, "denied")
        return super().read_bytes(path)


def test_a_file_that_may_not_be_read_leaves_the_rivals_unknown() -> None:
    rivals = read_owners(LockedSystem({"etc/sysctl.d/99.conf": b"vm.swappiness=1\n"})).rivals
    assert rivals == Unknown("permission denied: /etc/sysctl.d/99.conf, and 99.conf is read after ours")


def tuned(profile: str = "throughput-performance", **more: str) -> dict[str, str]:
    return {
        "etc/tuned/active_profile": f"{profile}\n",
        PROFILE: "[main]\nsummary=x\n\n[vm]\ndirty_bytes=40%\n[sysctl]\nvm.swappiness=10\n",
        **more,
    }


def test_the_active_profile_of_tuned_is_named() -> None:
    assert owners_of(tuned()).tuned == Known("throughput-performance", "/etc/tuned/active_profile")


def test_what_the_vm_section_writes_wins_and_what_the_sysctl_section_writes_does_not() -> None:
    assert rivals_of(tuned()) == {"vm.dirty_bytes": ("40%", f"/{PROFILE}:5")}


def test_without_reapplying_the_sysctl_section_wins_too() -> None:
    rivals = rivals_of({**tuned(), "etc/tuned/tuned-main.conf": "reapply_sysctl = 0\n"})
    assert rivals["vm.swappiness"] == ("10", f"/{PROFILE}:7")


def test_a_profile_s_own_options_count_more_than_those_that_it_includes() -> None:
    own = "etc/tuned/profiles/pg/tuned.conf"
    memory = "[memory]\ntype=vm\ntransparent_hugepages=never\ndirty_bytes=5%\n"
    text = f"[main]\ninclude=throughput-performance\n{memory}"
    rivals = rivals_of({**tuned("pg"), own: text})
    assert rivals == {
        "/sys/kernel/mm/transparent_hugepage/enabled": ("never", f"/{own}:5"),
        "vm.dirty_bytes": ("5%", f"/{own}:6"),
    }


def test_profiles_that_include_each_other_come_to_an_end() -> None:
    files = {f"etc/tuned/{one}/tuned.conf": f"[main]\ninclude={other}\n" for one, other in ("ab", "ba")}
    assert rivals_of({**tuned("a b"), **files}) == {}


def test_tuned_that_neither_runs_nor_starts_is_off() -> None:
    booted = {"run/systemd/system/x": ""}
    assert owners_of({**tuned(), **booted}).tuned == Absent("tuned neither runs nor starts at boot")
    assert isinstance(owners_of({**tuned(), **booted, "run/tuned/tuned.pid": "7"}).tuned, Known)


def test_tuned_without_a_profile_is_off_and_noise_is_no_profile() -> None:
    assert isinstance(owners_of(tuned("")).tuned, Absent)
    assert isinstance(owners_of(tuned("../../etc/shadow")).tuned, Unknown)


@pytest.mark.parametrize(
    ("mark", "name"),
    [
        ("controller/manager", "CloudNativePG"),
        ("etc/patroni/~postgres-operator_cluster.yaml", "Crunchy Postgres for Kubernetes"),
        ("scripts/configure_spilo.py", "Zalando Postgres Operator"),
        ("templates/start-patroni.sh", "StackGres"),
        ("kb-scripts/generate_patroni_yaml.py", "KubeBlocks"),
    ],
)
def test_an_operator_is_known_by_what_it_puts_into_the_pod(mark: str, name: str) -> None:
    pod = {"var/run/secrets/kubernetes.io/serviceaccount/namespace": "x"}
    assert owners_of({mark: "", **pod}).operator == Known(name, f"/{mark}")


def test_kubeblocks_is_not_taken_for_the_operator_whose_image_it_runs() -> None:
    files = {
        "var/run/secrets/kubernetes.io/serviceaccount/namespace": "x",
        "scripts/configure_spilo.py": "",
        "kb-scripts/generate_patroni_yaml.py": "",
    }
    assert owners_of(files).operator == Known("KubeBlocks", "/kb-scripts/generate_patroni_yaml.py")


def test_the_image_alone_makes_no_operator() -> None:
    assert isinstance(owners_of({"scripts/configure_spilo.py": ""}).operator, Absent)
    assert isinstance(owners_of({"templates/start-patroni.sh": ""}).operator, Absent)


def test_cloudnativepg_is_known_by_its_setting_too() -> None:
    files = {f"{DATA}/PG_VERSION": "16\n", f"{DATA}/custom.conf": "cnpg.config_sha256 = 'abc'\n"}
    operator = owners_of(files).operator
    assert operator == Known("CloudNativePG", f"/{DATA}/custom.conf: cnpg.config_sha256")


def test_files_that_other_tools_call_their_own_are_named() -> None:
    files = {
        f"{DATA}/PG_VERSION": "16\n",
        f"{DATA}/postgresql.conf": "# Ansible managed: do not touch\nwork_mem = 4MB\ninclude_dir 'conf.d'\n",
        f"{DATA}/conf.d/tune.conf": "# This file is managed by Puppet.\njit = off\n",
        "etc/sysctl.d/50-own.conf": "vm.swappiness = 1\n",
        "etc/sysctl.d/60-ci.conf": "# Created by cloud-init on boot\n",
        "etc/sysctl.conf": "vm.swappiness=1\n# BEGIN ANSIBLE MANAGED BLOCK\n",
    }
    fact = owners_of(files).managed
    assert isinstance(fact, Known)
    assert fact.value == (
        Managed(path="/etc/sysctl.conf", by="Ansible"),
        Managed(path="/etc/sysctl.d/60-ci.conf", by="cloud-init"),
        Managed(path=f"/{DATA}/postgresql.conf", by="Ansible"),
        Managed(path=f"/{DATA}/conf.d/tune.conf", by="Puppet"),
    )


def test_a_value_that_names_a_tool_is_no_mark() -> None:
    assert owners_of({"etc/sysctl.conf": "kernel.core_pattern = ansible managed\n"}).managed == Known(
        (), "comments in sysctl.d, tmpfiles.d and the servers' configuration"
    )


@pytest.mark.parametrize(
    "files",
    [
        {f"{DATA}/patroni.dynamic.json": "{}"},
        {f"{DATA}/postgresql.conf": "# Do not edit this file!\n# It will be overwritten by Patroni!\n"},
        {"etc/patroni/16-main.yml": f"scope: x\npostgresql:\n  data_dir: /{DATA}/\n"},
        {"etc/patroni.yml": f'postgresql:\n  data_dir: "/{DATA}"\n'},
    ],
)
def test_patroni_is_known_by_its_files(files: dict[str, str]) -> None:
    assert read_owner(machine(files), f"/{DATA}", f"/{DATA}/postgresql.conf", "") == "patroni"


def test_patroni_of_another_cluster_does_not_own_this_one() -> None:
    files = {"etc/patroni/other.yml": "postgresql:\n  data_dir: /srv/other\n"}
    assert read_owner(machine(files), f"/{DATA}", f"/{DATA}/postgresql.conf", "") == "rpm"


FILES = (
    "etc/sysctl.d/99.conf",
    "etc/tmpfiles.d/a.conf",
    "etc/tuned/active_profile",
    PROFILE,
    "etc/patroni.yml",
)


@given(st.dictionaries(st.sampled_from(FILES), st.binary(max_size=80)))
def test_whatever_stands_in_the_files_nothing_breaks(files: dict[str, bytes]) -> None:
    owners = read_owners(RecordedSystem(files, complete=True))
    assert isinstance(owners.rivals, Known)
    assert all(isinstance(rival, Rival) for rival in owners.rivals.value)
