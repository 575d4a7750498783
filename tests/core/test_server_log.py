"""What the server's own log told moves the values that it speaks of, and is named with them."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situations import situation
from tunewiz.core.facts.log import LogSeen, SizeClass
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.server.recovery import replay_rate
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import GIB, KIB, MIB, Bytes
from tunewiz.knowledge.loading import load_knowledge

KNOWLEDGE = load_knowledge()
MACHINE = Given(memory="512GB", available="480GB", connections=40, workload="mixed", disk="ssd")
FEW = settings(max_examples=60, database=None, derandomize=True, deadline=None)


def with_log(machine: Given, **observation: object) -> Situation:
    result = situation(machine)
    assert isinstance(result.server, PostgresServer)
    log = dataclasses.replace(LogSeen(files=1, size=Bytes(GIB), damaged=0), **observation)  # type: ignore[arg-type]
    server = dataclasses.replace(result.server, log=Known(log, "/var/log/pg"))
    return dataclasses.replace(
        result, server=server, facts=dataclasses.replace(result.facts, postgres=(server,))
    )


def finding(entry: Situation, name: str) -> Finding:
    findings = plan_of(KNOWLEDGE.catalogue, entry).findings
    return next(item for item in findings if item.recommendation.id == name)


def computed(entry: Finding) -> str:
    assert isinstance(entry.verdict, Proposal)
    return entry.verdict.computed


def sizes(**files: int) -> tuple[SizeClass, ...]:
    return tuple(
        SizeClass(at_most=Bytes.parse(name.lstrip("_")), files=count) for name, count in files.items()
    )


def test_work_mem_holds_nearly_all_of_the_temporary_files_in_the_log() -> None:
    observation = sizes(_16MB=900, _64MB=60, _8GB=40)
    result = finding(with_log(MACHINE, temp_files=observation), "pg.work_mem")
    assert "95 % of 1,000 temporary files in /var/log/pg have 64 MiB or less" in computed(result)
    assert result.sets == "192MB"
    assert finding(situation(MACHINE), "pg.work_mem").sets == "128MB"


@pytest.mark.parametrize("files", [{"_64MB": 99}, {"_1MB": 10_000}, {}])
def test_few_or_small_files_leave_the_workloads_value(files: dict[str, int]) -> None:
    result = finding(with_log(MACHINE, temp_files=sizes(**files)), "pg.work_mem")
    assert result.sets == finding(situation(MACHINE), "pg.work_mem").sets


@pytest.mark.parametrize(("files", "counts"), [(1_000, False), (20_000, True)])
def test_few_files_beyond_maintenance_work_mem_may_come_from_index_builds(
    files: int, *, counts: bool
) -> None:
    result = finding(with_log(MACHINE, temp_files=sizes(_1GB=files)), "pg.work_mem")
    assert ("temporary files in /var/log/pg" in computed(result)) is counts


def test_few_files_within_maintenance_work_mem_come_from_queries() -> None:
    given = dataclasses.replace(MACHINE, settings={"maintenance_work_mem": "2GB"})
    result = finding(with_log(given, temp_files=sizes(_1GB=1_000)), "pg.work_mem")
    assert "1,000 temporary files in /var/log/pg" in computed(result)


def test_recoveries_in_the_log_take_the_place_of_the_assumed_rate() -> None:
    result = with_log(MACHINE, recoveries=2, replayed=Bytes(6 * GIB), replay_seconds=30.0)
    assert replay_rate(result) == Bytes(6 * GIB // 30)
    assert "/s seen in 2 replays in /var/log/pg" in computed(finding(result, "pg.max_wal_size"))


@pytest.mark.parametrize(
    ("replayed", "seconds"), [(MIB, 0.1), (GIB, 0.0), (GIB, 1e-300), (GIB, 1e12), (MIB, 1e12)]
)
def test_replays_too_short_or_without_a_pace_say_nothing(replayed: int, seconds: float) -> None:
    result = with_log(MACHINE, recoveries=1, replayed=Bytes(replayed), replay_seconds=seconds)
    assert replay_rate(result) == replay_rate(situation(MACHINE))
    assert " assumed" in computed(finding(result, "pg.max_wal_size"))


def test_where_the_kind_of_storage_is_not_known_a_seen_rate_is_enough() -> None:
    unknown = dataclasses.replace(
        MACHINE, disk_unknown=True, recovery_time="1min", settings={"max_wal_size": "400GB"}
    )
    observation = with_log(unknown, recoveries=1, replayed=Bytes(GIB), replay_seconds=10.0)
    assert finding(situation(unknown), "pg.max_wal_size").state == "keep"
    assert isinstance(finding(observation, "pg.max_wal_size").verdict, Proposal)


@FEW
@given(st.integers(8, 16_000_000), st.integers(100, 10**6), st.integers(1, 10))
def test_larger_files_never_mean_less_work_mem(kilobytes: int, files: int, times: int) -> None:
    def memory(size: int) -> Bytes:
        observation = (SizeClass(at_most=Bytes(size * KIB), files=files),)
        result = with_log(MACHINE, temp_files=observation)
        return result.settings["work_mem"].size(finding(result, "pg.work_mem").sets)

    assert memory(kilobytes) <= memory(kilobytes * times)


@FEW
@given(st.floats(1, 3600), st.floats(1, 4))
def test_a_faster_recovery_never_means_less_wal(seconds: float, times: float) -> None:
    def wal(taken: float) -> Bytes:
        result = with_log(MACHINE, recoveries=1, replayed=Bytes(8 * GIB), replay_seconds=taken)
        return result.settings["max_wal_size"].size(
            finding(result, "pg.max_wal_size").sets or result.will_be("max_wal_size")
        )

    assert wal(seconds * times) <= wal(seconds)
