"""The log goes where a person says: what is taken, what is refused and why, and what the bundle then does."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from review_pages import squeezed
from situations import situation
from tunewiz.bundle import write_bundle
from tunewiz.catalogue.storage_wal_disk import RECOMMENDATION
from tunewiz.core.answers.answers import Replaced
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.decisions import takes_value
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.kinds.wal import MoveWal

DATA = "/var/lib/postgresql/data"
ONE_DISK = Given(disk="hdd")


def on_one_disk(given: Given = ONE_DISK, **server: object) -> Situation:
    result = situation(given)
    assert isinstance(result.server, PostgresServer)
    known = {"data_directory": Known(DATA, "test"), "config_file": Known(f"{DATA}/postgresql.conf", "test")}
    postgres_server = dataclasses.replace(result.server, **{**known, **server})  # type: ignore[arg-type]
    facts = dataclasses.replace(result.facts, postgres=(postgres_server,))
    return dataclasses.replace(result, facts=facts, server=postgres_server)


def planned(entry: Situation, place: str) -> Plan:
    answers = dataclasses.replace(entry.answers, decisions={RECOMMENDATION.id: Replaced(value=place)})
    return plan_of((RECOMMENDATION,), dataclasses.replace(entry, answers=answers))


def only(plan: Plan) -> Finding:
    (finding,) = plan.findings
    return finding


def test_without_a_place_it_is_advice_that_takes_one() -> None:
    finding = only(plan_of((RECOMMENDATION,), on_one_disk()))
    assert (finding.state, takes_value(finding)) == ("advise", True)


def test_a_place_has_the_bundle_move_it_with_a_restart() -> None:
    plan = planned(on_one_disk(), "/wal/main")
    assert (only(plan).state, only(plan).takes_effect) == ("change", Effect.RESTART)
    assert plan.actions == (MoveWal(data_directory=DATA, name="pg_wal", target="/wal/main"),)


def test_before_version_10_its_directory_has_the_old_name() -> None:
    plan = planned(on_one_disk(Given(disk="hdd", major="9.6")), "/wal/main")
    assert plan.actions == (MoveWal(data_directory=DATA, name="pg_xlog", target="/wal/main"),)


def test_the_bundle_says_where_it_was_and_where_it_will_be(tmp_path: Path) -> None:
    plan = planned(on_one_disk(), "/wal/main")
    write_bundle(plan, tmp_path / "b", facts_to_json(plan.start.facts), answers_to_toml(plan.start.answers))
    text = squeezed((tmp_path / "b" / "REVIEW.md").read_text())
    assert "| `directory of the WAL` | `in the data directory` | `/wal/main` |" in text
    assert "`directory of the WAL`: takes: restart; " in text
    assert f"wal|{DATA}/pg_wal|/wal/main\n" in (tmp_path / "b" / "steps.txt").read_text()


@pytest.mark.parametrize(
    "place", ["", "wal", "/wal", "/wal/../etc", "/wal/main\nx", "/wal/$(id)", "/wal/ä", "/wal/"]
)
def test_what_is_no_place_below_a_mount_point_is_refused(place: str) -> None:
    with pytest.raises(InputError, match="expected a directory below a mount point"):
        planned(on_one_disk(), place)


REFUSED: dict[str, tuple[Callable[[], Situation], str]] = {
    "a standby": (
        lambda: on_one_disk(Given(disk="hdd", role="standby")),
        "by hand, with its primary in mind",
    ),
    "Patroni's": (lambda: on_one_disk(owner="patroni"), "Patroni manages this server"),
    "already separate": (lambda: on_one_disk(Given(disk="hdd", wal_apart=True)), "of its own already"),
    "in a container on flash": (
        lambda: on_one_disk(Given(disk="nvme", container="docker")),
        "belong to the host",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_where_a_bundle_could_not_move_it_a_place_is_refused_with_the_reason(case: str) -> None:
    make, why = REFUSED[case]
    with pytest.raises(InputError, match=why):
        planned(make(), "/wal/main")


def test_a_place_inside_the_data_directory_is_refused() -> None:
    with pytest.raises(InputError, match="is inside the data directory"):
        planned(on_one_disk(), f"{DATA}/wal")
