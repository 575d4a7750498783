"""A Power9 partition behind four paths to one disk: one disk, no figure of another processor, stolen time."""

import dataclasses

import pytest

from sick_servers import finding_of, plan_of_case
from tunewiz.catalogue import recommendations
from tunewiz.core.recommendation.verdicts import Advice, Declined
from tunewiz.core.values.known import Known

RULES = {rule.id: rule for rule in recommendations()}


def test_four_paths_to_one_disk_are_one_disk() -> None:
    verdict = finding_of(plan_of_case("72-power9"), "storage.wal_disk").verdict
    assert isinstance(verdict, Advice)
    assert verdict.because.startswith("data and WAL share mpatha: ")


def test_four_disks_without_paths_stay_four() -> None:
    situation = plan_of_case("72-power9").start
    (storage,) = situation.facts.storage
    bare = dataclasses.replace(storage, layers=Known((), "test"))
    facts = dataclasses.replace(situation.facts, storage=(bare,))
    verdict = RULES["storage.wal_disk"].decide(dataclasses.replace(situation, facts=facts))
    assert isinstance(verdict, Declined)
    assert "spread over 4 disks" in verdict.because


@pytest.mark.parametrize(
    ("model", "advised"),
    [("POWER9 (architected)", False), ("POWER8", False), ("POWER10 (architected)", True), ("", False)],
)
def test_more_threads_are_advised_where_they_were_measured_alone(model: str, *, advised: bool) -> None:
    situation = plan_of_case("72-power9").start
    cpu = dataclasses.replace(situation.facts.cpu, model=Known(model, "test"), steal=Known(0.0, "test"))
    facts = dataclasses.replace(situation.facts, cpu=cpu)
    verdict = RULES["host.smt"].decide(dataclasses.replace(situation, facts=facts))
    assert isinstance(verdict, Advice) is advised


@pytest.mark.parametrize(("stolen", "words"), [(0.22, "22 % of"), (0.05, "5 % of"), (0.01, "under ")])
def test_stolen_time_is_told_where_it_is_much(stolen: float, words: str) -> None:
    situation = plan_of_case("72-power9").start
    cpu = dataclasses.replace(situation.facts.cpu, steal=Known(stolen, "test"))
    facts = dataclasses.replace(situation.facts, cpu=cpu)
    verdict = RULES["host.hypervisor"].decide(dataclasses.replace(situation, facts=facts))
    assert isinstance(verdict, Advice)
    assert verdict.because.startswith(words)
