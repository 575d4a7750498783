"""Disks: how each is attached, what it tells of itself, the name that stays."""

import dataclasses

import pytest

from disk_stack import Stack, disks, told
from tunewiz.core.facts.storage_kind import kind_of
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown
from tunewiz.knowledge.loading import demo_facts


def test_a_disk_without_a_choice_of_schedulers_has_none() -> None:
    stack = Stack()
    folder = stack.disk("zram0", "251:0", scheduler="none")
    stack.mount("251:0", "/pg", "ext4", "/dev/zram0")
    assert told(disks(stack.storage()[0])[0].scheduler) == "none"
    del stack.files[f"{folder}/queue/scheduler"]
    assert isinstance(disks(stack.storage()[0])[0].scheduler, Absent)


def test_an_nvme_disk_behind_a_fabric_names_it() -> None:
    stack = Stack()
    folder = stack.disk("nvme0n1", "259:0")
    stack.files[f"{folder}/device/transport"] = "tcp\n"
    stack.mount("259:0", "/pg", "xfs", "/dev/nvme0n1")
    assert told(disks(stack.storage()[0])[0].transport) == "nvme-tcp"


def test_an_nvme_disk_with_several_paths_is_asked_through_its_controllers() -> None:
    stack = Stack()
    folder = stack.disk("nvme0n1", "259:0", "virtual/nvme-subsystem/nvme-subsys0")
    stack.files[f"{folder}/device/nvme3/transport"] = "fc\n"
    stack.mount("259:0", "/pg", "xfs", "/dev/nvme0n1")
    assert told(disks(stack.storage()[0])[0].transport) == "nvme-fc"


@pytest.mark.parametrize(
    ("model", "transport", "kind"),
    [
        ("Amazon Elastic Block Store", "nvme-volume", "ssd"),
        ("Alibaba Cloud Elastic Block Storage", "nvme-volume", "ssd"),
        ("MSFT NVMe Accelerator v1.0", "nvme-volume", "ssd"),
        ("nvme_card-pd", "nvme-volume", "ssd"),
        ("Amazon EC2 NVMe Instance Storage", "nvme", "nvme"),
        ("Microsoft NVMe Direct Disk v2", "nvme", "nvme"),
        ("nvme_card", "nvme", "nvme"),
        ("SAMSUNG MZQL21T9HCJR-00A07", "nvme", "nvme"),
    ],
)
def test_a_volume_of_a_cloud_is_no_disk_in_the_machine(model: str, transport: str, kind: str) -> None:
    stack = Stack()
    stack.files[f"{stack.disk('nvme0n1', '259:0')}/device/model"] = f"{model}\n"
    stack.mount("259:0", "/pg", "xfs", "/dev/nvme0n1")
    (storage,) = stack.storage()
    assert told(disks(storage)[0].transport) == transport
    of_data = dataclasses.replace(storage, roles=("data",))
    assert (
        kind_of(dataclasses.replace(demo_facts("nvme-server"), storage=(of_data,)), Known("/", "test"))
        == kind
    )


@pytest.mark.parametrize(
    ("name", "way", "transport"),
    [
        ("vda", "pci0/virtio0/block", "virtio"),
        ("sda", "pci0/virtio1/host0/target0:0:0/0:0:0:0/block", "virtio"),
        ("sda", "platform/host3/session1/target3:0:0/3:0:0:0/block", "iscsi"),
        ("sda", "pci0/host0/port-0:0/end_device-0:0/target0:0:0/block", "sas"),
        ("sda", "pci0/host0/rport-0:0-1/target0:0:0/block", "fc"),
        ("sda", "vio/30000003/host0/target0:0:1/block", "vscsi"),
        ("dasda", "css0/0.0.0001/0.0.0200/block", "dasd"),
        ("sda", "LNXSYSTM:00/ACPI0004:00/VMBUS:00/f8b3781a/host0/target0:0:0/0:0:0:0/block", "hyperv"),
        ("sda", "css0/0.0.0020/0.0.1900/host0/rport-0:0-0/target0:0:0/0:0:0:0/block", "zfcp"),
        ("pmem0", "LNXSYSTM:00/ndbus0/region0/block", "pmem"),
        ("xvda", "vbd-51712/block", "xen"),
        ("loop0", "virtual/block", "loop"),
    ],
)
def test_a_transport_is_known_by_name_or_by_the_way(name: str, way: str, transport: str) -> None:
    stack = Stack()
    stack.disk(name, "8:0", way)
    stack.mount("8:0", "/pg", "ext4", f"/dev/{name}")
    assert told(disks(stack.storage()[0])[0].transport) == transport


def stable(links: dict[str, str]) -> MaybeFact[str]:
    stack = Stack()
    stack.disk("sda", "8:0")
    stack.mount("8:0", "/pg", "ext4", "/dev/sda")
    stack.links |= {f"dev/disk/{name}": target for name, target in links.items()}
    return disks(stack.storage()[0])[0].stable


def test_a_disk_is_known_by_a_name_that_stays() -> None:
    links = {
        "by-path/pci-0000:00:1f.2-ata-1": "../../sda",
        "by-id/ata-DISK_1234": "../../sda",
        "by-id/wwn-0x5000": "../../sda",
        "by-id/nvme-other": "../../nvme0n1",
    }
    assert stable(links) == Known("/dev/disk/by-id/wwn-0x5000", "the links in /dev/disk/by-id")


def test_where_it_is_attached_names_a_disk_that_has_no_name_of_its_own() -> None:
    links = {"by-path/ccw-0.0.0200": "../../sda", "by-id/wwn-0x5000-part1": "../../sda1"}
    assert told(stable(links)) == "/dev/disk/by-path/ccw-0.0.0200"


def test_the_names_that_stay_are_not_known_where_their_links_were_not_collected() -> None:
    assert isinstance(stable({}), Unknown)
