"""What follows from channel paths, zHPF and block size of mainframe disks, and from ports of SCSI disks."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from situations import situation
from tunewiz.catalogue import recommendations
from tunewiz.core.facts.dasd import ChannelPaths, Dasd
from tunewiz.core.facts.machine import Disk, Layer
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Advice, Declined, Verdict
from tunewiz.core.values.known import Absent, Known, MaybeFact, MissingFact, Unknown
from tunewiz.core.values.units import Bytes
from tunewiz.text.machine import ways_in_words

RULES = {rule.id: rule for rule in recommendations()}
HOW = "test"
UNREAD = Unknown("not captured")
FOUR = ("48", "49", "4a", "4b")


def volume(
    name: str = "dasdb",
    *,
    usable: tuple[str, ...] = FOUR,
    without: tuple[str, ...] = (),
    hpf: MaybeFact[bool] = Known(value=True, how=HOW),  # noqa: B008 - immutable
    block: int = 4096,
    kind: str = "ECKD",
) -> Disk:
    paths = ChannelPaths(installed=FOUR, usable=usable, without_hpf=without)
    eckd = kind == "ECKD"
    return Disk(
        name=name,
        rotational=Known(value=True, how=HOW),
        scheduler=Known("mq-deadline", HOW),
        read_ahead_kb=Known(128, HOW),
        transport=Known("dasd", HOW),
        dasd=Known(Dasd(discipline=kind, control_unit="c280", aliases=8, pooled=True), HOW),
        block_size=Known(block, HOW),
        hpf=hpf if eckd else Absent(HOW),
        channel_paths=Known(paths, HOW) if eckd else Absent(HOW),
    )


def scsi(name: str, adapter: str, port: str = "NPIV VPORT", *, state: str = "running") -> Disk:
    return dataclasses.replace(
        volume(name),
        transport=Known("zfcp", HOW),
        dasd=Absent(HOW),
        hpf=Absent(HOW),
        channel_paths=Absent(HOW),
        state=Known(state, HOW),
        adapter=Known(adapter, HOW),
        port_type=Known(port, HOW),
    )


def mapped(*disks: Disk) -> tuple[Layer, ...]:
    below = tuple(disk.name for disk in disks)
    size = Bytes(512)
    layer = Layer(
        name="dm-0",
        label="mpatha",
        kind="multipath",
        below=below,
        chunk=size,
        stripe=Bytes(0),
        read_ahead_kb=Known(128, HOW),
    )
    return (layer,)


def verdict(rule: str, *disks: Disk, layers: tuple[Layer, ...] = (), hypervisor: str = "lpar") -> Verdict:
    given = Given(
        architecture="s390x",
        huge_page_size="1MB",
        hypervisor=hypervisor,
        disk="san",
        disks=disks,
        layers=layers,
    )
    return RULES[rule].decide(situation(given))


def advice(rule: str, *disks: Disk, layers: tuple[Layer, ...] = (), hypervisor: str = "lpar") -> Advice:
    result = verdict(rule, *disks, layers=layers, hypervisor=hypervisor)
    assert isinstance(result, Advice), result
    return result


@given(st.integers(0, 8), st.integers(0, 4))
def test_one_channel_path_is_too_few_and_two_are_enough(usable: int, more: int) -> None:
    names = tuple(f"{number:02x}" for number in range(usable + more))
    paths = ChannelPaths(installed=names, usable=names[:usable], without_hpf=())
    disk = dataclasses.replace(volume(), channel_paths=Known(paths, HOW))
    result = verdict("storage.multipath", disk)
    assert isinstance(result, Advice if usable < 2 else Declined)
    assert f"dasdb: {usable} of {usable + more}" in result.because


def test_a_lost_path_is_switched_on_again_and_a_missing_one_defined() -> None:
    lost = "\n".join(advice("storage.multipath", volume(usable=("48",))).steps)
    assert "chchp -v 1 CHPID" in lost
    assert "no_path_retry" not in lost
    alone = ChannelPaths(installed=("48",), usable=("48",), without_hpf=())
    only = dataclasses.replace(volume(), channel_paths=Known(alone, HOW))
    assert "IOCDS" in "\n".join(advice("storage.multipath", only).steps)


def test_a_guest_of_zvm_is_told_whom_to_ask() -> None:
    for rule, disk in (
        ("storage.multipath", volume(usable=("48",))),
        ("storage.hpf", volume(hpf=Known(value=False, how=HOW))),
    ):
        assert "z/VM" in "\n".join(advice(rule, disk, hypervisor="zvm").steps)
        assert "z/VM" not in "\n".join(advice(rule, disk).steps)


def test_paths_over_one_adapter_fall_together() -> None:
    paths = scsi("sda", "0.0.3c00"), scsi("sdb", "0.0.3c00")
    result = advice("storage.multipath", *paths, layers=mapped(*paths))
    assert result.because.startswith("all paths go through one adapter (mpatha: 0.0.3c00)")
    assert "no_path_retry" in "\n".join(result.steps)


@pytest.mark.parametrize(
    "other", [scsi("sdb", "0.0.3d00"), dataclasses.replace(scsi("sdb", ""), adapter=UNREAD)]
)
def test_paths_over_two_adapters_or_one_that_nobody_read_are_left_alone(other: Disk) -> None:
    paths = scsi("sda", "0.0.3c00"), other
    assert isinstance(verdict("storage.multipath", *paths, layers=mapped(*paths)), Declined)


def test_a_failed_path_leaves_one_adapter_of_two() -> None:
    paths = scsi("sda", "0.0.3c00"), scsi("sdb", "0.0.3d00", state="offline"), scsi("sdc", "0.0.3c00")
    result = advice("storage.multipath", *paths, layers=mapped(*paths))
    assert "one adapter (mpatha: 0.0.3c00)" in result.because


@pytest.mark.parametrize(
    ("port", "expected", "not_said"),
    [
        ("NPIV VPORT", "shows its disks by itself", "unit_add"),
        ("NPort (fabric via point-to-point)", "unit_add", "shows its disks by itself"),
    ],
)
def test_what_a_new_path_needs_depends_on_the_port(port: str, expected: str, not_said: str) -> None:
    steps = "\n".join(advice("storage.multipath", scsi("sda", "0.0.3c00", port)).steps)
    assert expected in steps
    assert not_said not in steps


def test_a_port_that_nobody_read_is_not_spoken_of() -> None:
    disk = dataclasses.replace(scsi("sda", "0.0.3c00"), port_type=UNREAD)
    steps = "\n".join(advice("storage.multipath", disk).steps)
    assert "NPIV" not in steps


def test_disks_elsewhere_hear_nothing_of_ports_of_their_own() -> None:
    disk = dataclasses.replace(scsi("sda", "0000:3b:00.0", "NPort"), transport=Known("fc", HOW))
    assert "NPIV" not in "\n".join(advice("storage.multipath", disk).steps)
    assert ways_in_words(disk) == "0000:3b:00.0"


def test_without_zhpf_the_way_back_to_it_is_told() -> None:
    result = advice("storage.hpf", volume(), volume("dasdc", hpf=Known(value=False, how=HOW)))
    assert result.because.startswith("dasdc: without zHPF")
    assert "nofcx" in "\n".join(result.steps)


def test_paths_that_lack_zhpf_are_named() -> None:
    result = advice("storage.hpf", volume(usable=("48", "49"), without=("4a", "4b")))
    assert "dasdb: 4a 4b" in result.because


@pytest.mark.parametrize("size", [512, 1024, 2048, 4096])
def test_only_blocks_below_the_recommended_size_are_spoken_of(size: int) -> None:
    result = verdict("storage.dasd_block_size", volume(block=size))
    assert isinstance(result, Declined if size == 4096 else Advice)
    if isinstance(result, Advice):
        assert f"dasdb: {size} bytes" in result.because
        assert f"{8192 // size} blocks instead of 2" in result.computed


@pytest.mark.parametrize("rule", ["storage.hpf", "storage.dasd_block_size", "storage.multipath"])
@pytest.mark.parametrize("kind", ["FBA", "DIAG"])
def test_disks_that_are_not_eckd_are_left_alone(rule: str, kind: str) -> None:
    result = verdict(rule, volume(kind=kind, block=512, hpf=Known(value=False, how=HOW)))
    assert isinstance(result, Declined)
    assert result.kind == "not_applicable"


@pytest.mark.parametrize("rule", ["storage.hpf", "storage.dasd_block_size"])
def test_scsi_disks_are_left_alone(rule: str) -> None:
    result = verdict(rule, scsi("sda", "0.0.3c00"))
    assert isinstance(result, Declined)
    assert result.kind == "not_applicable"


@pytest.mark.parametrize(
    ("rule", "field"),
    [
        ("storage.hpf", "hpf"),
        ("storage.hpf", "dasd"),
        ("storage.dasd_block_size", "block_size"),
        ("storage.dasd_block_size", "dasd"),
        ("storage.multipath", "channel_paths"),
    ],
)
def test_what_nobody_read_decides_nothing(rule: str, field: str) -> None:
    unread = {field: UNREAD}
    with pytest.raises(MissingFact, match="dasdb"):
        verdict(rule, dataclasses.replace(volume(), **unread))  # type: ignore[arg-type] # a fact


@pytest.mark.parametrize(
    ("disk", "words"),
    [
        (volume(), "channel paths 48 49 4a 4b, zHPF, blocks of 4096 bytes"),
        (
            volume(usable=("48",), hpf=Known(value=False, how=HOW)),
            "channel paths 48, 3 more out of use, no zHPF, blocks of 4096 bytes",
        ),
        (scsi("sda", "0.0.3c00"), "0.0.3c00 (NPIV)"),
        (scsi("sda", "0.0.3c00", "NPort"), "0.0.3c00 (no NPIV)"),
        (volume(kind="FBA"), ""),
    ],
)
def test_the_machine_page_says_how_a_disk_is_reached(disk: Disk, words: str) -> None:
    assert ways_in_words(disk) == words
