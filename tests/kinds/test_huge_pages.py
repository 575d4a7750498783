"""Huge pages: only those of the pool count, and the pool leaves memory for everything else."""

from pathlib import Path

import pytest

from faulty_programs import says, shim
from fixtures_bundles import MakeBundle
from pretend_root import FILES, PretendRoot
from small_plans import THP

POOL = "/proc/sys/vm/nr_hugepages"
PAGES = {"kernel.nr_hugepages": "64"}


def without_pages_told(more: str = "") -> str:
    """The memory of the machine, and what else is to stand there."""
    lines = FILES["/proc/meminfo"].splitlines(keepends=True)
    return "".join(line for line in lines if "Surp" not in line) + more


def surplus(pages: int) -> str:
    return without_pages_told(f"HugePages_Surp: {pages}\n")


def waits(machine: PretendRoot, then: str) -> Path:
    """What happens while a script waits; the file has a line for each time."""
    waited = machine.root.parent / "waited"
    waited.write_text("")
    shim(machine, "sleep", f"echo >>{waited}\n{then}")
    return waited


def test_pages_that_the_kernel_lent_beyond_the_pool_are_not_of_the_pool(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine.write("/proc/meminfo", surplus(16))
    says(machine, "nr_hugepages", 'read -r own <"$1"; echo $((own + 16)); exit')
    waited = waits(machine, "")
    made, before = bundled(PAGES), machine.tree()
    assert machine.run(made / "apply.sh").status == 0
    assert machine.read(POOL) == "64\n"
    assert machine.run(made / "verify.sh").status == 0
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before
    assert not waited.read_text()


def test_a_kernel_that_lends_no_pages_is_taken_at_its_word(machine: PretendRoot, bundled: MakeBundle) -> None:
    machine.write("/proc/meminfo", without_pages_told())
    waited = waits(machine, "")
    assert machine.run(bundled(PAGES) / "apply.sh").status == 0
    assert machine.read(POOL) == "64\n"
    assert not waited.read_text()


def test_a_pool_that_changes_between_two_looks_is_looked_at_again(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    first = machine.root.parent / "looked"
    says(machine, "nr_hugepages", f"[ -e {first} ] || {{ true >{first}; echo 7; exit; }}")
    waited = waits(machine, "")
    assert machine.run(bundled(PAGES) / "apply.sh").status == 0
    assert len(waited.read_text()) == 1


def test_a_pool_that_does_not_stand_still_is_not_looked_at_for_ever(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine.write("/proc/meminfo", surplus(9))
    calm = surplus(0).replace("\n", "\\n")
    at_last = f"printf '{calm}' >{machine.path('/proc/meminfo')}"
    waited = waits(machine, f"[ $(wc -l <{machine.root.parent}/waited) -lt 60 ] || {at_last}")
    machine.write(THP, "always [madvise] never\n")
    made = bundled({**PAGES, "kernel.transparent_hugepage": "never"})
    assert machine.run(made / "apply.sh").status == 4
    assert 0 < len(waited.read_text()) < 60


ROOM = {
    "a page too little": ("MemTotal: 67108864 kB\nMemAvailable: 2228999 kB\n", "only 131 MB are available"),
    "just enough": ("MemTotal: 67108864 kB\nMemAvailable: 2229000 kB\n", ""),
    "no sum": ("MemAvailable: 2229000 kB\n", "does not say how much memory there is"),
    "nothing of what is free": ("MemTotal: 67108864 kB\n", "does not say how much memory is available"),
}


@pytest.mark.parametrize("case", ROOM)
def test_huge_pages_leave_the_32nd_part_of_the_memory_free(
    case: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine.write("/proc/meminfo", ROOM[case][0])
    made, problem = bundled(PAGES), ROOM[case][1]
    ran = machine.run(made / "apply.sh", "--dry-run")
    result = [line for line in ran.err.splitlines() if line.startswith("  ")]
    assert ran.status == (4 if problem else 0)
    assert [problem in line for line in result] == [True] * bool(problem)
