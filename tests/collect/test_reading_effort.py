"""Reading a large machine costs no more than one look at each file."""

from collections import Counter

from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.machine import read_machine
from tunewiz.core.values.known import Known

CPU = "sys/devices/system/cpu"
SHARED = ((1, "Data", 2), (1, "Instruction", 2), (2, "Unified", 2), (3, "Unified", 16))


class CountingSystem(RecordedSystem):
    """Counts how often each file is read."""

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(files)
        self.reads = Counter[str]()

    def read_bytes(self, path: str) -> bytes:
        """Counts and reads."""
        self.reads[path] += 1
        return super().read_bytes(path)


def large(processors: int) -> CountingSystem:
    """Cores of two threads, 64 processors to a socket and node, four caches."""
    files = {f"{CPU}/online": f"0-{processors - 1}\n"}
    for cpu in range(processors):
        first = cpu // 2 * 2
        files |= {
            f"{CPU}/cpu{cpu}/topology/thread_siblings_list": f"{first}-{first + 1}\n",
            f"{CPU}/cpu{cpu}/topology/physical_package_id": f"{cpu // 64}\n",
            f"{CPU}/cpu{cpu}/topology/core_id": f"{cpu // 2}\n",
        }
        for index, (level, kind, sharing) in enumerate(SHARED):
            start = cpu // sharing * sharing
            cache = f"{CPU}/cpu{cpu}/cache/index{index}"
            files |= {
                f"{cache}/level": f"{level}\n",
                f"{cache}/type": f"{kind}\n",
                f"{cache}/size": "64K\n",
                f"{cache}/shared_cpu_list": f"{start}-{start + sharing - 1}\n",
            }
    for node in range(-(-processors // 64)):
        files[f"sys/devices/system/node/node{node}/cpulist"] = f"{node * 64}-{node * 64 + 63}\n"
    files["proc/cpuinfo"] = "".join(f"processor\t: {cpu}\nflags\t\t: lm\n\n" for cpu in range(processors))
    return CountingSystem({path: content.encode() for path, content in files.items()})


def test_no_file_of_a_processor_is_read_twice() -> None:
    system = large(128)
    read_machine(system)
    again = {path: count for path, count in system.reads.items() if count > 1 and "/cpu/cpu" in path}
    assert again == {}
    assert system.reads["/proc/cpuinfo"] == 1


def test_the_work_grows_no_faster_than_the_machine() -> None:
    small, big = large(128), large(1024)
    facts = read_machine(small), read_machine(big)
    assert [f.cpu.cores.value for f in facts if isinstance(f.cpu.cores, Known)] == [64, 512]
    assert [f.cpu.sockets.value for f in facts if isinstance(f.cpu.sockets, Known)] == [2, 16]
    assert big.reads.total() <= small.reads.total() * 1024 // 128
