"""Memory by node: nodes without memory, without processors, added while the machine ran."""

from recorded_machines import machine
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.machine import HugePool, MemoryNode
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown
from tunewiz.core.values.units import GIB, MIB, Bytes

NODE = "sys/devices/system/node"
UP = {"sys/devices/system/cpu/online": "0-3\n"}


def node(number: int, cpus: str, gib: int, **pages: int) -> dict[str, str]:
    """A node; pages are given by size: kB2048=4."""
    folder = f"{NODE}/node{number}"
    files = {
        f"{folder}/cpulist": f"{cpus}\n",
        f"{folder}/meminfo": f"Node {number} MemTotal:    {gib * 2**20} kB\nNode {number} MemFree: 1 kB\n",
    }
    for size, count in pages.items():
        files[f"{folder}/hugepages/hugepages-{size[2:]}kB/nr_hugepages"] = f"{count}\n"
    return files


def nodes(*parts: dict[str, str]) -> MaybeFact[tuple[MemoryNode, ...]]:
    return read_machine(machine({path: text for part in parts for path, text in part.items()})).memory.nodes


def test_each_node_has_its_memory_processors_and_huge_pages() -> None:
    fact = nodes(UP, node(0, "0-1", 8, kB2048=7, kB1048576=1), node(1, "2-3", 4, kB2048=0))
    assert isinstance(fact, Known)
    assert fact.value == (
        MemoryNode(
            node=0,
            total=Bytes(8 * GIB),
            online=2,
            huge_pages=(HugePool(size=Bytes(2 * MIB), pages=7), HugePool(size=Bytes(GIB), pages=1)),
        ),
        MemoryNode(
            node=1, total=Bytes(4 * GIB), online=2, huge_pages=(HugePool(size=Bytes(2 * MIB), pages=0),)
        ),
    )


def test_nodes_are_in_the_order_of_their_numbers_which_may_have_holes() -> None:
    fact = nodes(UP, node(250, "", 4), node(8, "2-3", 0), node(0, "0-1", 4))
    assert isinstance(fact, Known)
    assert [(memory_node.node, memory_node.total, memory_node.online) for memory_node in fact.value] == [
        (0, Bytes(4 * GIB), 2),
        (8, Bytes(0), 2),
        (250, Bytes(4 * GIB), 0),
    ]


def test_a_node_with_nothing_is_left_out_and_processors_that_are_off_do_not_count() -> None:
    fact = nodes(UP, node(0, "0-63", 4), node(1, "64-127", 0), node(2, "", 0))
    assert isinstance(fact, Known)
    assert [(memory_node.node, memory_node.online) for memory_node in fact.value] == [(0, 4)]


def test_a_kernel_without_nodes_has_none() -> None:
    assert isinstance(nodes(UP), Absent)


def test_a_node_whose_memory_is_not_told_makes_the_list_unknown() -> None:
    files = node(1, "2-3", 4) | {f"{NODE}/node1/meminfo": "Node 1 MemFr"}
    fact = nodes(UP, node(0, "0-1", 4), files)
    assert isinstance(fact, Unknown)
    assert "node1/meminfo" in fact.why


def test_pages_that_are_no_number_make_the_list_unknown() -> None:
    files = node(0, "0-3", 4) | {f"{NODE}/node0/hugepages/hugepages-2048kB/nr_hugepages": "-5\n"}
    assert isinstance(nodes(UP, files), Unknown)
