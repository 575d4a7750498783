"""Virtual disks of PowerVM: how many requests they take at once, and when that is worth a word.

The disk of QEMU was recorded; those of PowerVM are made up.
"""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorded_machines import OURS, recorded_with, with_file_system
from situations import situation
from tunewiz.catalogue import recommendations
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.machine import Disk
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Advice, Declined, Verdict
from tunewiz.core.values.known import Absent, Known, MaybeFact, MissingFact, Unknown
from tunewiz.text.machine import fact_lines, ways_in_words

(RULE,) = (rule for rule in recommendations() if rule.id == "storage.vscsi_queue")
HOW = "test"


def virtual(name: str, depth: MaybeFact[int], transport: str = "vscsi") -> Disk:
    return Disk(
        name=name,
        rotational=Known(value=True, how=HOW),
        scheduler=Known("mq-deadline", HOW),
        read_ahead_kb=Known(128, HOW),
        transport=Known(transport, HOW),
        adapter=Absent(HOW),
        queue_depth=depth,
    )


def verdict(*disks: Disk, hypervisor: str = "powervm") -> Verdict:
    return RULE.decide(situation(Given(architecture="ppc64le", hypervisor=hypervisor, disks=disks)))


def test_short_queues_are_told_together_and_each_is_put_back() -> None:
    advice = verdict(virtual("sda", Known(16, HOW)), virtual("sdb", Known(8, HOW)))
    assert isinstance(advice, Advice)
    assert "near 24 or above" in advice.steps[0]
    assert advice.undo == (
        "echo 16 > /sys/block/sda/device/queue_depth",
        "echo 8 > /sys/block/sdb/device/queue_depth",
    )


@given(st.lists(st.integers(1, 256), min_size=1, max_size=4))
def test_only_queues_as_delivered_or_shorter_are_spoken_of(depths: list[int]) -> None:
    result = verdict(*(virtual(f"sd{place}", Known(depth, HOW)) for place, depth in enumerate(depths)))
    assert isinstance(result, Advice if min(depths) <= 16 else Declined)
    if isinstance(result, Advice):
        assert len(result.undo) == sum(depth <= 16 for depth in depths)


@pytest.mark.parametrize("transport", ["fc", "nvme", "sas", "virtio"])
def test_disks_on_another_way_are_left_alone(transport: str) -> None:
    result = verdict(virtual("sda", Known(16, HOW), transport))
    assert isinstance(result, Declined)
    assert result.kind == "not_applicable"


@pytest.mark.parametrize("hypervisor", ["kvm", "none", "qemu"])
def test_without_a_virtual_io_server_nobody_is_sent_to_its_administrator(hypervisor: str) -> None:
    assert isinstance(verdict(virtual("sda", Known(16, HOW)), hypervisor=hypervisor), Declined)


def test_a_queue_that_nobody_read_decides_nothing() -> None:
    with pytest.raises(MissingFact, match="the queue of sda"):
        verdict(virtual("sda", Unknown("not captured")))


def test_the_machine_page_tells_how_much_a_virtual_disk_takes() -> None:
    assert ways_in_words(virtual("sda", Known(16, HOW))) == "virtual SCSI, 16 requests at once for each disk"
    assert not ways_in_words(virtual("sda", Unknown("not captured")))
    assert not ways_in_words(virtual("sda", Known(16, HOW), "sas"))


def test_the_disk_of_qemu_is_shown_and_is_no_reason_to_ask_anybody() -> None:
    path = OURS / "qemu-ppc64le-p10-offline.json"
    system = recorded_with(path, with_file_system(path, "sda", "/pg"))
    facts = read_machine(system, {"data": ("/pg",)})
    (line,) = (line for line in fact_lines(facts) if line.key.startswith("ways"))
    assert line.value == "virtual SCSI, 16 requests at once for each disk"
    assert line.how.endswith("queue_depth")
    start = situation(Given(architecture="ppc64le"))
    assert isinstance(RULE.decide(dataclasses.replace(start, facts=facts)), Declined)
