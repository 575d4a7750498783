"""This host as an earlier run of the wizard read it, and as it is today: something of every kind differs."""

import dataclasses
from collections.abc import Mapping

from rehearsal import Stage, a_few
from tunewiz.core.answers.machine_choice import ThisHost
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import Setting
from tunewiz.core.health.since import LastPlan, PlannedValue
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.units import Bytes
from tunewiz.knowledge.loading import demo_facts
from tunewiz.wizard.last_visit import LastVisit

AGE = "12 days ago"
FILE = "/etc/postgresql/15/main/conf.d/90-team.conf:3"
SETTINGS: Mapping[str, tuple[str, str, str | None]] = {
    "work_mem": ("4096", "65536", "kB"),
    "maintenance_work_mem": ("65536", "262144", "kB"),
    "max_connections": ("100", "300", None),
    "checkpoint_timeout": ("300", "900", "s"),
    "random_page_cost": ("4", "1.1", None),
    "max_wal_size": ("1024", "4096", "MB"),
    "effective_cache_size": ("524288", "786432", "8kB"),
    "autovacuum_naptime": ("60", "15", "s"),
    "default_statistics_target": ("100", "500", None),
    "log_min_duration_statement": ("-1", "1000", "ms"),
    "max_parallel_workers": ("8", "2", None),
    "wal_compression": ("off", "lz4", None),
    "full_page_writes": ("on", "off", None),
}
PLAN = LastPlan(
    values=tuple(
        PlannedValue(kind="setting", name=name, fact=name, before=before, value=value)
        for name, before, value in (
            ("max_wal_size", "1024", "4096"),
            ("effective_cache_size", "524288", "655360"),
        )
    )
)


def today() -> Facts:
    """The host now."""
    facts = demo_facts("small-vm")
    return _read(facts, "2026-11-29T14:00:00Z", 1)


def at_the_last_visit() -> Facts:
    """Twelve days before: less memory, an older kernel, no second processor, a disk that was nearly full."""
    facts = demo_facts("small-vm")
    host = dataclasses.replace(facts.host, kernel=Known("6.1.0-25-amd64", "uname"))
    memory = dataclasses.replace(facts.memory, total=Known(Bytes.parse("16GB"), "/proc/meminfo"))
    cpu = dataclasses.replace(facts.cpu, online=Known(1, "/proc/cpuinfo"))
    storage = tuple(
        dataclasses.replace(disk, free=Known(Bytes.parse("64MB"), "statvfs")) for disk in facts.storage
    )
    then = dataclasses.replace(facts, host=host, memory=memory, cpu=cpu, storage=storage)
    return _read(then, "2026-11-17T14:00:00Z", 0)


def _read(facts: Facts, when: str, number: int) -> Facts:
    """At that time, with the first or the second value of each setting."""
    (server,) = facts.postgres
    assert isinstance(server.settings, Known)
    values = {
        name: Setting(value=(before, after)[number], unit=unit, source="configuration file", sourcefile=FILE)
        for name, (before, after, unit) in SETTINGS.items()
    }
    settings = Known({**server.settings.value, **values}, "pg_settings")
    host = dataclasses.replace(facts.host, read_at=Known(when, "the clock"))
    return dataclasses.replace(facts, host=host, postgres=(dataclasses.replace(server, settings=settings),))


def last_visit() -> LastVisit:
    """With the plan that was written then."""
    facts = at_the_last_visit()
    directory = known_or(facts.postgres[0].data_directory, "")
    return LastVisit(
        facts=facts,
        age=AGE,
        name="the wizard's run of 2026-11-17 14:10",
        plan=dataclasses.replace(PLAN, directory=directory),
    )


def visited() -> Stage:
    """The wizard on this host, which an earlier run has read."""
    return Stage(machine=ThisHost(), knowledge=a_few, host=lambda _progress: today(), visit=last_visit())
