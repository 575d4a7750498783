"""What is told of processors and disks of IBM Z and Power: shared, capped, stolen, with aliases or not."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sick_servers import plan_of_case
from situations import situation
from tunewiz.catalogue import recommendations
from tunewiz.core.facts.dasd import Dasd
from tunewiz.core.facts.machine import Disk, Layer, StorageKind
from tunewiz.core.facts.partition import Partition, Polarization, ProcessorTime
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, Verdict
from tunewiz.core.server.requests_at_once import dasd_requests
from tunewiz.core.server.sessions import hardware_threads
from tunewiz.core.values.known import Absent, Known, MaybeFact, MissingFact, Unknown
from tunewiz.core.values.units import Bytes
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.machine import fact_lines

KNOWLEDGE = load_knowledge()
RULES = {rule.id: rule for rule in recommendations()}
Z = Partition(shared=True, capped=False, processors=8, entitled=None, weight=None)
POWER = Partition(shared=True, capped=False, processors=8, entitled=2.5, weight=128)
HOW = "test"


LPAR = Given(architecture="s390x", huge_page_size="1MB", hypervisor="lpar", cores=8)
POWERVM = Given(architecture="ppc64le", hypervisor="powervm", cores=8, partition=POWER)


def on_z(**changed: object) -> Situation:
    return situation(dataclasses.replace(LPAR, **changed))  # type: ignore[arg-type] # fields of Given


def on_power(**changed: object) -> Situation:
    return situation(dataclasses.replace(POWERVM, **changed))  # type: ignore[arg-type] # fields of Given


def cpu(start: Situation, **changed: object) -> Situation:
    facts = {name: Known(value, HOW) for name, value in changed.items()}
    new = dataclasses.replace(start.facts.cpu, **facts)  # type: ignore[arg-type] # each a fact
    return dataclasses.replace(start, facts=dataclasses.replace(start.facts, cpu=new))


def verdict(rule: str, start: Situation) -> Verdict:
    return RULES[rule].decide(start)


def steps(start: Situation) -> str:
    advice = verdict("host.hypervisor", start)
    assert isinstance(advice, Advice), advice
    return "\n".join(advice.steps)


@pytest.mark.parametrize("partition", [None, Z, dataclasses.replace(Z, shared=False)])
def test_stolen_time_is_never_called_impossible(partition: Partition | None) -> None:
    advice = verdict("host.hypervisor", cpu(on_z(partition=partition), steal=0.18))
    assert isinstance(advice, Advice)
    assert advice.because.startswith("18 % of the processors' time was stolen: in a logical partition")


def test_dedicated_processors_of_which_little_is_stolen_are_left_alone() -> None:
    alone = dataclasses.replace(Z, shared=False)
    declined = verdict("host.hypervisor", cpu(on_z(partition=alone), steal=0.001))
    assert isinstance(declined, Declined)
    assert "dedicated" in declined.because


def test_an_lpar_is_told_by_its_weight_and_power_by_its_entitlement() -> None:
    assert "weight" in steps(on_z(partition=Z))
    assert "2.5 of 8 virtual processors" in steps(on_power())
    assert "weight 128" in steps(on_power())


@pytest.mark.parametrize("capped", [False, True])
def test_a_cap_is_told_where_there_is_one(*, capped: bool) -> None:
    of_z = dataclasses.replace(Z, capped=capped)
    of_power = dataclasses.replace(POWER, capped=capped)
    for start in (on_z(partition=of_z), on_power(partition=of_power)):
        assert ("It is capped" in steps(start)) is capped


@pytest.mark.parametrize(
    ("dispatching", "polarization", "word"),
    [
        ("horizontal", None, "chcpu -p vertical"),
        ("vertical", Polarization(high=2, medium=1, low=5), "5 of 8 processors run only while"),
        ("vertical", Polarization(high=7, medium=1, low=0), ""),
    ],
)
def test_dispatching_decides_what_is_asked_for(
    dispatching: str, polarization: Polarization | None, word: str
) -> None:
    start = cpu(on_z(partition=Z), dispatching=dispatching)
    start = start if polarization is None else cpu(start, polarization=polarization)
    lines = [line for line in steps(start).splitlines() if "vertical" in line]
    assert len(lines) == (1 if word else 0)
    assert word in "".join(lines)


def test_a_guest_of_zvm_is_told_the_commands_of_zvm() -> None:
    lines = steps(on_z(hypervisor="zvm", huge_page_size="", partition=Z))
    assert "SET SHARE userid RELATIVE" in lines
    assert "SET QUICKDSP userid ON" in lines
    assert "z/VM's own partition shares" in lines
    assert "z/VM's own partition" not in steps(on_z(hypervisor="zvm", huge_page_size=""))


@pytest.mark.parametrize(
    ("pages", "timed", "taken"), [(0, 0, ""), (262_144, 0, "1.0 GiB"), (131_072, 131_072, "1.0 GiB")]
)
def test_memory_that_zvm_took_is_told(pages: int, timed: int, taken: str) -> None:
    kernel = {"vm.cmm_pages": pages, "vm.cmm_timed_pages": timed}
    lines = steps(on_z(hypervisor="zvm", huge_page_size="", kernel=kernel))
    assert ("CMM" in lines) is bool(taken)
    assert taken in lines


COUNTED = ProcessorTime(used=3_100, managed=60, online=10_000)
RAN = "of the time that its cores were online they ran 31.0 %, and the firmware took 0.6 % for itself"


def counting(fact: MaybeFact[ProcessorTime]) -> Situation:
    start = on_z(partition=Z)
    virtualization = dataclasses.replace(start.facts.virtualization, firmware_time=fact)
    return dataclasses.replace(start, facts=dataclasses.replace(start.facts, virtualization=virtualization))


def test_what_the_firmware_took_is_told_beside_stolen_time() -> None:
    start = cpu(counting(Known(COUNTED, HOW)), steal=0.18)
    advice = verdict("host.hypervisor", start)
    assert isinstance(advice, Advice)
    assert RAN in advice.computed
    assert advice.computed.index(RAN) < advice.computed.index("18.0 % of the processors' time was stolen")
    assert "update, before and after" in steps(start)
    assert [line.value for line in fact_lines(start.facts) if "firmware_time" in line.key] == [RAN]


def test_hypfs_is_asked_for_where_nobody_mounted_it() -> None:
    assert "mount none -t s390_hypfs" in steps(counting(Absent("nobody mounted it")))


@pytest.mark.parametrize(
    "fact", [Unknown("not captured"), Known(dataclasses.replace(COUNTED, online=0), HOW)]
)
def test_times_that_tell_nothing_are_left_out(fact: MaybeFact[ProcessorTime]) -> None:
    start = counting(fact)
    advice = verdict("host.hypervisor", start)
    assert isinstance(advice, Advice)
    assert "firmware took" not in advice.computed
    assert "mount none" not in steps(start)
    assert not any("firmware_time" in line.key for line in fact_lines(start.facts))


@pytest.mark.parametrize("hypervisor", ["kvm", "vmware"])
def test_other_guests_hear_nothing_of_mainframes(hypervisor: str) -> None:
    lines = steps(situation(Given(hypervisor=hypervisor)))
    assert not any(word in lines for word in ("z/VM", "HMC", "lparstat", "chcpu"))


@pytest.mark.parametrize(
    ("model", "threads", "stolen", "advised"),
    [
        ("POWER10 (architected)", 4, 0.0, True),
        ("POWER10 (architected)", 4, 0.22, False),
        ("POWER10 (architected)", 8, 0.0, False),
        ("POWER9 (architected)", 4, 0.0, False),
        ("POWER8", 4, 0.0, False),
        ("POWER11 (architected)", 4, 0.0, False),
        ("", 4, 0.0, False),
    ],
)
def test_threads_are_advised_on_the_model_that_was_measured(
    model: str, threads: int, stolen: float, *, advised: bool
) -> None:
    start = cpu(on_power(processor=model, threads_per_core=threads), steal=stolen)
    assert isinstance(verdict("host.smt", start), Advice) is advised


@given(st.integers(1, 64), st.floats(0.05, 64), st.booleans(), st.booleans())
def test_only_a_cap_takes_cores_away(cores: int, entitled: float, shared: bool, capped: bool) -> None:  # noqa: FBT001 - drawn
    partition = Partition(
        shared=shared, capped=shared and capped, processors=cores, entitled=entitled, weight=None
    )
    start = on_power(cores=cores, threads_per_core=8, partition=partition)
    expected = max(1, min(cores, int(entitled))) if partition.capped else cores
    assert start.cores == expected
    assert hardware_threads(start) == expected * 8


def volume(name: str, aliases: int, *, unit: str = "c280", pooled: bool = True, kind: str = "ECKD") -> Disk:
    dasd = Dasd(discipline=kind, control_unit=unit, aliases=aliases, pooled=pooled and aliases > 0)
    return Disk(
        name=name,
        rotational=Known(True, HOW),  # noqa: FBT003 - a fact
        scheduler=Known("mq-deadline", HOW),
        read_ahead_kb=Known(128, HOW),
        transport=Known("dasd", HOW),
        dasd=Known(dasd, HOW),
    )


def striped(*disks: Disk) -> tuple[Layer, ...]:
    below = tuple(disk.name for disk in disks)
    layer = Layer(
        name="dm-0",
        label="vg-pg",
        kind="lvm",
        below=below,
        chunk=Bytes(65536),
        stripe=Bytes(65536 * len(disks)),
        read_ahead_kb=Known(128, HOW),
    )
    return (layer,)


def at_once(*disks: Disk, layers: tuple[Layer, ...] = ()) -> int:
    (storage,) = on_z(disks=disks, layers=layers).facts.storage
    requests = dasd_requests(storage)
    assert requests is not None
    return requests.at_once


def test_volumes_of_one_control_unit_share_its_pooled_aliases() -> None:
    one, other = volume("dasda", 8), volume("dasdb", 8)
    assert at_once(one, other, layers=striped(one, other)) == 2 + 8


def test_pools_of_two_control_units_and_fixed_aliases_add_up() -> None:
    one, other = volume("dasda", 8), volume("dasdb", 4, unit="c380")
    assert at_once(one, other, layers=striped(one, other)) == 2 + 8 + 4
    fixed = volume("dasdc", 3, pooled=False), volume("dasdd", 3, pooled=False)
    assert at_once(*fixed, layers=striped(*fixed)) == 2 + 3 + 3


@given(st.integers(0, 40), st.sampled_from(["10", "12", "13", "17"]))
def test_reads_ahead_are_no_more_than_the_disks_take(aliases: int, major: str) -> None:
    start = on_z(disk="san", disks=(volume("dasda", aliases),), major=major)
    result = verdict("pg.effective_io_concurrency", start)
    if not aliases:
        assert isinstance(result, Declined)
        assert "one request at a time" in result.because
        return
    value = int(result.value) if isinstance(result, Proposal) else 1
    reads = value if int(major) > 12 else sum(value / part for part in range(1, value + 1))
    assert 1 <= reads <= aliases + 1


def scsi(depth: int | None, requests: int | None = None) -> Disk:
    plain = volume("sda", 0)
    return dataclasses.replace(
        plain,
        transport=Known("zfcp", HOW),
        dasd=Absent("no DASD"),
        queue_depth=Unknown("not captured") if depth is None else Known(depth, HOW),
        nr_requests=Unknown("not captured") if requests is None else Known(requests, HOW),
    )


@pytest.mark.parametrize(
    ("disks", "value"),
    [
        ((scsi(32, 256),), "16"),
        ((scsi(8, 256),), "8"),
        ((scsi(32, 4),), "4"),
        ((scsi(4), scsi(4)), "8"),
        ((scsi(4), scsi(None)), "16"),
        ((scsi(None),), "16"),
    ],
)
def test_short_queues_of_scsi_disks_bound_the_reads_ahead(disks: tuple[Disk, ...], value: str) -> None:
    result = verdict("pg.effective_io_concurrency", on_z(disk="san", major="15", disks=disks))
    assert isinstance(result, Proposal)
    assert result.value == value


@pytest.mark.parametrize("kind", ["FBA", "DIAG"])
def test_a_disk_without_aliases_at_all_takes_one_request(kind: str) -> None:
    start = on_z(disk="san", major="15", disks=(volume("dasda", 0, kind=kind),))
    assert isinstance(verdict("pg.effective_io_concurrency", start), Declined)
    advice = verdict("storage.dasd_aliases", start)
    assert isinstance(advice, Advice)
    assert "Only ECKD disks have aliases" in advice.steps[0]


def test_a_minidisk_is_asked_for_in_the_words_of_zvm() -> None:
    start = on_z(hypervisor="zvm", huge_page_size="", disk="san", disks=(volume("dasda", 0),))
    advice = verdict("storage.dasd_aliases", start)
    assert isinstance(advice, Advice)
    assert advice.steps[0].startswith("vmcp query virtual dasd")


@pytest.mark.parametrize("rule", ["pg.effective_io_concurrency", "storage.dasd_aliases"])
def test_aliases_that_nobody_looked_for_decide_nothing(rule: str) -> None:
    bare = dataclasses.replace(volume("dasda", 0), dasd=Unknown("not captured"))
    with pytest.raises(MissingFact, match="whether dasda has alias devices"):
        verdict(rule, on_z(disk="san", disks=(bare,)))


@pytest.mark.parametrize("disk", ["ssd", "nvme", "san", "hdd"])
def test_other_storage_is_decided_as_before(disk: StorageKind) -> None:
    assert isinstance(verdict("storage.dasd_aliases", situation(Given(disk=disk))), Declined)
    result = verdict("pg.effective_io_concurrency", situation(Given(disk=disk, major="15")))
    assert isinstance(result, Declined if disk == "hdd" else Proposal)


@pytest.mark.parametrize(
    ("machine", "own", "others"),
    [
        ("zvm-fcp", {"ibm-zvm", "ibm-linux-z", "ibm-zvm-share", "ibm-quickdsp"}, {"lparcfg"}),
        ("power9-shared", {"lparcfg"}, {"ibm-zvm", "ibm-linux-z", "ibm-zvm-share", "ibm-quickdsp"}),
        ("graviton", set[str](), {"ibm-zvm", "ibm-linux-z", "ibm-zvm-share", "ibm-quickdsp", "lparcfg"}),
    ],
)
def test_a_source_on_other_hardware_is_no_evidence(machine: str, own: set[str], others: set[str]) -> None:
    plan = make_plan(demo_facts(machine), default_answers(demo_facts(machine), KNOWLEDGE), KNOWLEDGE)
    (finding,) = [entry for entry in plan.findings if entry.recommendation.id == "host.hypervisor"]
    cited = {fitted.claim.source for fitted in finding.evidence}
    assert own <= cited
    assert not others & cited


def test_the_power9_partition_with_stolen_time_is_offered_no_threads() -> None:
    plan = plan_of_case("72-power9")
    (smt,) = [finding for finding in plan.findings if finding.recommendation.id == "host.smt"]
    assert isinstance(smt.verdict, Declined)
