"""Kernel settings: those that this kernel has, and whether they can be written."""

from recorded_machines import facts
from tunewiz.core.values.known import Absent, Known, Unknown


def test_both_twins_of_a_pair_are_read() -> None:
    names = ("dirty_bytes", "dirty_ratio", "dirty_background_bytes", "dirty_background_ratio")
    files = {f"proc/sys/vm/{name}": f"{value}\n" for value, name in enumerate(names)}
    settings = facts(files).kernel.settings
    assert [settings[f"vm.{name}"] for name in names] == [
        Known(value, f"/proc/sys/vm/{name}") for value, name in enumerate(names)
    ]


def test_a_setting_that_this_kernel_lacks_is_left_out() -> None:
    settings = facts({"proc/sys/vm/swappiness": "60\n", "proc/sys/kernel/x": "1\n"}).kernel.settings
    assert "vm.zone_reclaim_mode" not in settings
    assert "kernel.numa_balancing" not in settings
    assert settings["vm.dirty_ratio"] == Unknown("no such file: /proc/sys/vm/dirty_ratio")


def scheduler(files: dict[str, str]) -> dict[str, object]:
    settings = facts(files).kernel.settings
    return {name: fact for name, fact in settings.items() if name.startswith("sched.")}


def test_old_kernels_have_the_schedulers_settings_as_sysctls() -> None:
    old = {
        "proc/sys/kernel/sched_migration_cost_ns": "500000\n",
        "proc/sys/kernel/sched_latency_ns": "24000000\n",
    }
    assert scheduler(old) == {
        "sched.migration_cost_ns": Known(500000, "/proc/sys/kernel/sched_migration_cost_ns"),
        "sched.latency_ns": Known(24000000, "/proc/sys/kernel/sched_latency_ns"),
    }


def test_newer_kernels_have_them_in_debugfs_under_the_names_that_they_have_there() -> None:
    new = {
        "sys/kernel/debug/sched/base_slice_ns": "2800000\n",
        "sys/kernel/debug/sched/migration_cost_ns": "500000\n",
    }
    assert scheduler(new) == {
        "sched.base_slice_ns": Known(2800000, "/sys/kernel/debug/sched/base_slice_ns"),
        "sched.migration_cost_ns": Known(500000, "/sys/kernel/debug/sched/migration_cost_ns"),
    }


def test_debugfs_that_is_not_there_leaves_them_unknown_with_lockdown_named() -> None:
    files = {"sys/kernel/security/lockdown": "none [integrity] confidentiality\n"}
    value = scheduler(files)["sched.base_slice_ns"]
    assert value == Unknown("no such file: /sys/kernel/debug (kernel lockdown: integrity)")
    assert facts(files).kernel.lockdown == Known("integrity", "/sys/kernel/security/lockdown")


def test_a_kernel_without_lockdown_has_none_and_unmounted_securityfs_tells_nothing() -> None:
    assert isinstance(facts({"sys/kernel/security/lsm": "x"}).kernel.lockdown, Absent)
    assert isinstance(facts({}).kernel.lockdown, Unknown)


def writable(mounts: str, **more: str) -> bool | None:
    fact = facts({"proc/self/mountinfo": mounts} | more).kernel.writable
    return fact.value if isinstance(fact, Known) else None


def test_settings_can_be_written_where_proc_sys_is_mounted_for_it() -> None:
    proc = "20 1 0:18 / /proc rw,relatime - proc proc rw\n"
    assert writable(proc) is True
    assert writable(f"{proc}21 20 0:18 /sys /proc/sys ro,relatime - proc proc rw\n") is False
    assert writable("20 1 0:18 / / rw - ext4 /dev/vda rw\n") is None
    assert writable(proc, **{"proc/self/uid_map": "         0     100000      65536\n"}) is False
    assert writable(proc, **{"proc/self/uid_map": "         0          0 4294967295\n"}) is True


def sysfs_writable(mounts: str, **more: str) -> bool | None:
    fact = facts({"proc/self/mountinfo": mounts} | more).kernel.sysfs_writable
    return fact.value if isinstance(fact, Known) else None


def test_knobs_in_sysfs_can_be_written_where_it_is_mounted_for_it() -> None:
    both = "20 1 0:18 / /proc rw - proc proc rw\n21 1 0:19 / /sys {} - sysfs sysfs {}\n"
    assert sysfs_writable(both.format("rw", "rw")) is True
    assert sysfs_writable(both.format("ro,nosuid", "rw")) is False
    assert sysfs_writable(both.format("rw", "ro")) is False
    assert sysfs_writable("20 1 0:18 / / rw - ext4 /dev/vda rw\n") is None
    owned = {"proc/self/uid_map": "         0     100000      65536\n"}
    assert sysfs_writable(both.format("rw", "rw"), **owned) is False
