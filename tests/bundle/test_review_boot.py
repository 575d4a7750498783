"""REVIEW.md of a second boot entry: a golden copy that people read, and the step it stands for."""

import dataclasses
from pathlib import Path

from boot_machines import OPTIONS, grub_machine
from fixtures_golden import Golden
from small_bundles import bundle_of
from small_plans import small_answers, small_facts
from tunewiz.catalogue.kernel_huge_pages_at_boot import RECOMMENDATION
from tunewiz.core.answers.answers import Accepted
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import situation_of

LARGE = Given(
    more_huge_page_sizes=("1GB",),
    settings={"shared_buffers": "16GB", "huge_page_size": "1GB"},
    connections=20,
    loader="grub",
    distribution="Red Hat Enterprise Linux 9.5 (Plow)",
)


def boot_plan() -> Plan:
    accepted = {RECOMMENDATION.id: Accepted(note="agreed for the night of maintenance")}
    agreed = dataclasses.replace(small_answers(), decisions=accepted)
    return plan_of((RECOMMENDATION,), situation_of(small_facts(LARGE), agreed, load_knowledge()))


def test_a_boot_entry_reads_as_it_was_reviewed(golden: Golden, tmp_path: Path) -> None:
    made = bundle_of(boot_plan(), tmp_path / "bundle")
    golden("bundle/REVIEW-boot.md", (made / "REVIEW.md").read_bytes())


def test_the_entry_gets_what_was_reviewed(tmp_path: Path) -> None:
    made, booted = bundle_of(boot_plan(), tmp_path / "bundle"), grub_machine(tmp_path)
    assert booted.machine.run(made / "apply.sh").status == 0
    assert f"options {OPTIONS} hugepagesz=1G hugepages=17\n" in booted.machine.read(booted.ours)
