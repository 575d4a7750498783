"""The advice on the frequency governor names tuned where tuned is at work, and cpupower elsewhere."""

import dataclasses

import pytest

from situations import situation
from tunewiz.catalogue.host_cpu_governor import decide
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Advice
from tunewiz.core.values.known import Absent, Known, MaybeFact

HELD = Given(governor="powersave", frequency_driver="acpi-cpufreq")


@pytest.mark.parametrize(
    ("tuned", "does", "undoes"),
    [
        (
            Known("balanced", "tuned"),
            "In a tuned profile of your own: include=throughput-performance",
            "tuned-adm profile balanced",
        ),
        (Absent("no tuned"), "cpupower frequency-set -g schedutil", "cpupower frequency-set -g powersave"),
    ],
)
def test_whoever_keeps_the_governor_is_named(tuned: MaybeFact[str], does: str, undoes: str) -> None:
    result = situation(HELD)
    owners = dataclasses.replace(result.facts.owners, tuned=tuned)
    verdict = decide(dataclasses.replace(result, facts=dataclasses.replace(result.facts, owners=owners)))
    assert isinstance(verdict, Advice)
    assert verdict.steps[0].startswith(does)
    assert verdict.undo == (undoes,)


def test_in_a_container_the_hosts_owner_is_asked() -> None:
    verdict = decide(situation(dataclasses.replace(HELD, container="docker")))
    assert isinstance(verdict, Advice)
    assert verdict.steps[0].startswith("Not inside the container")
