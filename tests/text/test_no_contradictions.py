"""What is said of the storage agrees between the plan's warnings and the pages, on every example machine."""

from __future__ import annotations

import dataclasses
from typing import get_args

import pytest

from every_page import journey_of
from tunewiz.core.answers.answers import Posture, WorkloadKind
from tunewiz.core.facts.storage_kind import StorageKind
from tunewiz.knowledge.profiles import demo_names
from tunewiz.text.server_choice import storages
from tunewiz.wizard.journey import Journey


def storage_warnings(journey: Journey) -> list[str]:
    return [warning.text for warning in journey.plan.warnings if warning.code == "storage_unknown"]


@pytest.mark.parametrize("posture", get_args(Posture))
@pytest.mark.parametrize("kind", get_args(WorkloadKind))
@pytest.mark.parametrize("machine", demo_names())
def test_the_storage_is_unknown_on_the_page_where_the_plan_warns_of_it_and_nowhere_else(
    machine: str, kind: WorkloadKind, posture: Posture
) -> None:
    journey = journey_of(machine, kind, posture)
    storage = next(iter(storages(journey)))
    warned = storage_warnings(journey)
    assert (storage.title == "Not known") == bool(warned)
    assert storage.about.startswith("the kernel says") == (storage.title == "As found")
    assert all(storage.about in text for text in warned)


@pytest.mark.parametrize("storage", get_args(StorageKind))
@pytest.mark.parametrize("machine", demo_names())
def test_an_answer_settles_the_storage_for_the_plan_and_leaves_what_was_found_as_it_was(
    machine: str, storage: StorageKind
) -> None:
    before = journey_of(machine, "oltp", "balanced")
    server = dataclasses.replace(before.answers.server, storage=storage)
    after = before.with_answers(dataclasses.replace(before.answers, server=server))
    assert storage_warnings(after) == []
    assert next(iter(storages(after))) == next(iter(storages(before)))


def test_both_kinds_of_machine_are_among_the_examples() -> None:
    titles = {
        next(iter(storages(journey_of(demo_name, "oltp", "balanced")))).title for demo_name in demo_names()
    }
    assert titles == {"Not known", "As found"}
