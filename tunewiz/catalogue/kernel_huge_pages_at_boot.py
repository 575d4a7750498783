"""Huge pages that are reserved by the kernel's arguments, where a running system no longer finds them."""

from __future__ import annotations

from tunewiz.core.kernel.boot_entry import allows_second_entry, commands_to_add, commands_to_remove
from tunewiz.core.kernel.huge_pages_at_boot import (
    arguments_for,
    room_at_boot,
    why_at_boot,
    why_not_given,
)
from tunewiz.core.recommendation.actions import Action
from tunewiz.core.recommendation.evidence import IBM_POWER, IBM_Z, Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Advises,
    Declines,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import Effect, HostTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.shared_memory import DECIDED_BY, WORTH_HUGE_PAGES, HugePages, huge_pages_needed
from tunewiz.kinds.boot import KernelArgument


def decide(situation: Situation) -> Verdict:
    """A second boot entry if the loader allows one, otherwise how to add the arguments by hand."""
    need = huge_pages_needed(situation)
    if situation.in_container:
        return Declined(because="the kernel's arguments belong to the host", kind="not_applicable")
    buffers = situation.will_be_size("shared_buffers")
    if buffers < WORTH_HUGE_PAGES:
        return Declined(because=f"shared_buffers of {buffers.pg()} gain little from huge pages")
    why = why_at_boot(need, situation)
    if not why:
        return Declined(because="no pages need to be reserved that early", kind="keep")
    if impossible := why_not_given(need, situation) or _too_much(need, situation):
        return Declined(because=impossible)
    arguments = " ".join(arguments_for(need))
    if allows_second_entry(situation):
        return Proposal(
            value=arguments, because=why, computed=need.computed, before="not given", ticked=False
        )
    return Advice(
        because=f"{why}: reserve them at boot",
        steps=(
            *commands_to_add(situation, arguments),
            f"Restart the machine, then read {need.pool}: it should say {need.count}.",
        ),
        undo=commands_to_remove(situation, arguments),
        computed=need.computed,
    )


def _too_much(need: HugePages, situation: Situation) -> str:
    taken = need.size * need.count
    if taken <= room_at_boot(situation):
        return ""
    return f"{taken.short()} of huge pages would leave too little memory for everything else"


def actions(_: Situation, value: str) -> tuple[Action, ...]:
    """Size and count, which belong together."""
    return (KernelArgument(arguments=tuple(value.split())),)


RECOMMENDATION = Recommendation(
    id="kernel.huge_pages_at_boot",
    title="Reserve huge pages at boot",
    group="kernel",
    target=HostTarget(name="huge pages at boot", effect=Effect.REBOOT),
    explanation=Explanation(
        changes="The kernel's arguments (its command line) ask for huge pages before any program runs. The "
        "bundle writes a second boot entry with them; the default one stays as it is.",
        helps="Right after boot memory is unfragmented: even pages of 1 GB are found then. Later, other "
        "programs break it up, and neither vm.nr_hugepages nor a restart of the server helps.",
        leave_alone="Where the pages are found while the system runs, as those of 1 MB to 32 MB mostly are. "
        "In a container, and where nobody can watch the console at the reboot.",
        costs="A reboot, to put it in force and to undo it. The entry is a copy for the current kernel: "
        "after a "
        "kernel update create it again. Boot it once, check, then make it the default.",
        watch="The pool's nr_hugepages under /sys/kernel/mm/hugepages, /proc/cmdline, and from version 17 on "
        "SHOW huge_pages_status.",
    ),
    pros=(
        "Pages of any size are found, all of them.",
        "The default entry stays: whatever is wrong with the new one, the old one boots.",
    ),
    cons=(
        "A reboot, to put it in force and to undo it.",
        "Reserved pages are lost to everything else until the next boot.",
    ),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    versions="every Linux; a second entry where GRUB, systemd-boot or zipl read entries from files",
    cites=(
        Cite(claim="z-deck.huge_pages", near=True),
        Cite(claim="kernel-talk.memory_fragmentation", near=True),
        Cite(claim="postgres-manual.huge_pages_needed"),
        Cite(claim="kernel-manual.huge_pages"),
        Cite(claim="ibm-huge-pages.two_gigabytes", only_on=IBM_Z),
        Cite(claim="kernel-power.pages_of_firmware", only_on=IBM_POWER),
    ),
    decide=decide,
    actions=actions,
    after=DECIDED_BY,
    examples=(
        Example(
            name="the server asks for pages of 1 GB, and GRUB takes a second entry",
            given=Given(
                more_huge_page_sizes=("1GB",),
                settings={"shared_buffers": "16GB", "huge_page_size": "1GB"},
                loader="grub",
                reboot=True,
            ),
            outcome=Sets(value="hugepagesz=1G hugepages=17"),
        ),
        Example(
            name="the same beside a loader that keeps its own list",
            given=Given(
                more_huge_page_sizes=("1GB",),
                settings={"shared_buffers": "16GB", "huge_page_size": "1GB"},
                distribution="Debian GNU/Linux 12 (bookworm)",
            ),
            outcome=Advises(),
        ),
        Example(
            name="a reboot is ruled out",
            given=Given(
                more_huge_page_sizes=("1GB",),
                settings={"shared_buffers": "16GB", "huge_page_size": "1GB"},
                loader="grub",
            ),
            outcome=Declines(),
        ),
        Example(
            name="pages of 512 MB and no setting to ask for others",
            given=Given(
                architecture="aarch64",
                huge_page_size="512MB",
                more_huge_page_sizes=("2MB",),
                major="13",
                settings={"shared_buffers": "16GB"},
            ),
            outcome=Advises(),
        ),
        Example(
            name="memory is nearly full now",
            given=Given(
                available="8GB", settings={"shared_buffers": "16GB"}, loader="systemd-boot", reboot=True
            ),
            outcome=Sets(value="hugepagesz=2M hugepages=8458"),
        ),
        Example(
            name="more than the machine can spare",
            given=Given(
                memory="24GB",
                more_huge_page_sizes=("16GB",),
                settings={"shared_buffers": "16GB", "huge_page_size": "16GB"},
            ),
            outcome=Declines(),
        ),
        Example(
            name="a partition with hash translation, and pages of 16 GB",
            given=Given(
                memory="256GB",
                architecture="ppc64le",
                hypervisor="powervm",
                huge_page_size="16MB",
                more_huge_page_sizes=("16GB",),
                translation="hash",
                settings={"shared_buffers": "64GB", "huge_page_size": "16GB"},
            ),
            outcome=Declines(),
        ),
        Example(
            name="a running system finds pages of 2 MB",
            given=Given(settings={"shared_buffers": "16GB"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="small buffers", given=Given(), outcome=Declines()),
        Example(
            name="a container",
            given=Given(container="docker", settings={"shared_buffers": "16GB"}),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)
