"""Kernel arguments in words: the commands of the distribution, and huge pages that only a boot finds."""

import dataclasses

import pytest

from tunewiz.core.facts.machine import HugePool, MemoryNode
from tunewiz.core.kernel.boot_entry import allows_second_entry, commands_to_add, commands_to_remove
from tunewiz.core.kernel.huge_pages_at_boot import arguments_for, reserved_pages, why_at_boot
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.shared_memory import HugePages, huge_pages_needed
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import Bytes
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import example_situation

KNOWLEDGE = load_knowledge()
ARGUMENT = "clocksource=tsc"
LARGE = {"shared_buffers": "16GB", "huge_page_size": "1GB"}


def situation_for(given: Given) -> Situation:
    return example_situation(given, KNOWLEDGE)


WAYS = {
    ("Red Hat Enterprise Linux 9.5 (Plow)", "x86_64"): ("grubby --update-kernel=DEFAULT", "--remove-args"),
    ("Rocky Linux 8.10", "s390x"): ("zipl", "zipl"),
    ("Debian GNU/Linux 12 (bookworm)", "x86_64"): ("update-grub", "rm /etc/default/grub.d/90-tunewiz.cfg"),
    ("Ubuntu 24.04 LTS", "s390x"): ("/etc/zipl.conf", "Take clocksource=tsc out again"),
    ("SUSE Linux Enterprise Server 15 SP6", "ppc64le"): (
        "update-bootloader --refresh",
        "restart the machine",
    ),
    ("", "aarch64"): ("the boot loader's line for the kernel", "restart the machine"),
}


@pytest.mark.parametrize("case", WAYS)
def test_each_distribution_is_told_its_own_commands(case: tuple[str, str]) -> None:
    machine = situation_for(Given(distribution=case[0], architecture=case[1]))
    give, take = WAYS[case]
    assert give in "\n".join(commands_to_add(machine, ARGUMENT))
    assert ARGUMENT in "\n".join(commands_to_add(machine, ARGUMENT))
    assert take in "\n".join(commands_to_remove(machine, ARGUMENT))


def test_a_loader_takes_an_entry_only_where_that_is_known_and_no_container_is_around() -> None:
    assert allows_second_entry(situation_for(Given(loader="grub")))
    assert not allows_second_entry(situation_for(Given()))
    assert not allows_second_entry(situation_for(Given(loader="grub", container="podman")))


@pytest.mark.parametrize(
    ("size", "word"), [("1GB", "1G"), ("16GB", "16G"), ("512MB", "512M"), ("2MB", "2M"), ("1MB", "1M")]
)
def test_sizes_of_pages_are_written_as_the_kernel_reads_them(size: str, word: str) -> None:
    need = HugePages(count=3, size=Bytes.parse(size), computed="")
    assert arguments_for(need) == (f"hugepagesz={word}", "hugepages=3")


def test_pages_that_were_reserved_on_the_nodes_are_not_asked_for_again() -> None:
    machine = situation_for(Given(more_huge_page_sizes=("1GB",), settings=LARGE))
    need = huge_pages_needed(machine)
    assert why_at_boot(need, machine)
    nodes = tuple(
        MemoryNode(
            node=node,
            total=Bytes.parse("32GB"),
            online=2,
            huge_pages=(
                HugePool(size=Bytes.parse("1GB"), pages=9),
                HugePool(size=Bytes.parse("2MB"), pages=5),
            ),
        )
        for node in range(2)
    )
    memory = dataclasses.replace(machine.facts.memory, nodes=Known(nodes, "test"))
    reserved = dataclasses.replace(machine, facts=dataclasses.replace(machine.facts, memory=memory))
    assert reserved_pages(need, reserved) == 18
    assert why_at_boot(need, reserved) == ""
