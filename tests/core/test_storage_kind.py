"""What the data lies on: believed where a disk can know it, asked where it cannot."""

import dataclasses
from collections.abc import Sequence

import pytest

from situations import situation
from tunewiz.core.answers.answers import ServerAnswers
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import DiskRole
from tunewiz.core.facts.probe import Probe
from tunewiz.core.facts.server import NO_SETTINGS
from tunewiz.core.facts.storage_kind import StorageKind, kind_of, storage_of
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.example_facts import facts_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Fact, Known, MissingFact, Unknown
from tunewiz.knowledge.loading import load_knowledge

DIRECTORY = Known("/var/lib/postgresql/main", "test")


def machine(transports: Sequence[str], *, rotates: bool, hypervisor: str = "none") -> Facts:
    """A machine whose data lies on disks that are attached in these ways."""
    facts = facts_of(Given(), NO_SETTINGS)
    (storage,) = facts.storage
    assert isinstance(storage.disks, Known)
    plain = dataclasses.replace(storage.disks.value[0], rotational=Known(rotates, "test"))
    disks = tuple(dataclasses.replace(plain, transport=Known(transport, "test")) for transport in transports)
    return dataclasses.replace(
        facts,
        storage=(dataclasses.replace(storage, disks=Known(disks, "test")),),
        virtualization=dataclasses.replace(facts.virtualization, hypervisor=Known(hypervisor, "test")),
    )


def doubtful(answered: StorageKind | None = None) -> Situation:
    result = situation(Given())
    server = ServerAnswers(storage=answered)
    answers = dataclasses.replace(result.answers, server=server)
    facts = machine(["virtio"], rotates=True, hypervisor="kvm")
    return dataclasses.replace(result, facts=facts, answers=answers)


@pytest.mark.parametrize(
    ("transports", "rotates", "kind"),
    [
        (["sata"], True, "hdd"),
        (["sata"], False, "ssd"),
        (["nvme", "nvme"], False, "nvme"),
        (["nvme", "sata"], False, "ssd"),
        (["nvme-tcp"], True, "ssd"),
        (["dasd"], True, "san"),
        (["fc", "sata"], True, "san"),
    ],
)
def test_a_real_machine_says_what_its_disks_are(*, transports: list[str], rotates: bool, kind: str) -> None:
    assert kind_of(machine(transports, rotates=rotates), DIRECTORY) == kind


def test_a_virtual_disk_that_does_not_rotate_is_flash() -> None:
    assert kind_of(machine(["virtio"], rotates=False, hypervisor="kvm"), DIRECTORY) == "ssd"


@pytest.mark.parametrize("hypervisor", ["kvm", "vmware", "hyperv", "powervm"])
def test_a_virtual_disk_that_claims_to_rotate_is_asked_about(hypervisor: str) -> None:
    with pytest.raises(MissingFact, match="disk0 says it rotates; a virtual disk may not know"):
        kind_of(machine(["virtio"], rotates=True, hypervisor=hypervisor), DIRECTORY)


def test_a_disk_that_claims_to_rotate_is_asked_about_where_the_hypervisor_is_not_known() -> None:
    facts = machine(["sata"], rotates=True)
    unknown = dataclasses.replace(facts.virtualization, hypervisor=Unknown("not read"))
    with pytest.raises(MissingFact):
        kind_of(dataclasses.replace(facts, virtualization=unknown), DIRECTORY)


def test_a_disk_that_says_nothing_is_asked_about() -> None:
    facts = machine(["sata"], rotates=True)
    disks = facts.storage[0].disks
    assert isinstance(disks, Known)
    silent = dataclasses.replace(disks.value[0], rotational=Unknown("permission denied"))
    storage = dataclasses.replace(facts.storage[0], disks=Known((silent,), "test"))
    with pytest.raises(MissingFact, match="the kind of storage is not known: permission denied"):
        kind_of(dataclasses.replace(facts, storage=(storage,)), DIRECTORY)


def test_without_a_disk_or_a_data_directory_it_is_not_known() -> None:
    facts = machine(["sata"], rotates=True)
    for storage in ((), (dataclasses.replace(facts.storage[0], disks=Known((), "test")),)):
        with pytest.raises(MissingFact):
            kind_of(dataclasses.replace(facts, storage=storage), DIRECTORY)


def test_a_plan_is_as_careful_on_doubtful_storage_as_on_spinning_disks_and_says_so_once() -> None:
    plan = plan_of(load_knowledge().catalogue, doubtful())
    spinning = plan_of(load_knowledge().catalogue, doubtful("hdd"))
    for name in ("max_wal_size", "checkpoint_timeout"):
        assert plan.end.will_be(name) == spinning.end.will_be(name)
    states = {finding.recommendation.id: finding.state for finding in plan.findings}
    for name in ("pg.random_page_cost", "pg.effective_io_concurrency", "storage.wal_disk"):
        assert states[name] == "declined"
    assert [warning.code for warning in plan.warnings].count("storage_unknown") == 1


def test_the_administrators_word_settles_it() -> None:
    plan = plan_of(load_knowledge().catalogue, doubtful("ssd"))
    states = {finding.recommendation.id: finding.state for finding in plan.findings}
    assert states["pg.max_wal_size"] == states["pg.random_page_cost"] == "change"
    assert "storage_unknown" not in [warning.code for warning in plan.warnings]


def of_roles(**mounts: tuple[DiskRole, ...]) -> Facts:
    """Two servers, /one/a and /two/b, and file systems by mount point with what they hold."""
    facts = machine(["nvme"], rotates=False)
    storage = tuple(
        dataclasses.replace(facts.storage[0], mount=f"/{'' if mount == 'root' else mount}", roles=roles)
        for mount, roles in mounts.items()
    )
    servers = tuple(
        dataclasses.replace(facts.postgres[0], data_directory=Known(path, "test"))
        for path in ("/one/a", "/two/b")
    )
    return dataclasses.replace(facts, storage=storage, postgres=servers)


@pytest.mark.parametrize(
    ("facts", "data", "wal"),
    [
        (of_roles(one=("data", "wal"), two=("data", "wal")), "/two", "/two"),
        (of_roles(root=("data", "wal"), two=("data", "wal")), "/two", "/two"),
        (of_roles(two=("data", "wal"), root=("data", "wal")), "/two", "/two"),
        (of_roles(one=("data", "wal"), two=("data",), log=("wal",)), "/two", "/log"),
        (of_roles(root=("data", "wal")), "/", "/"),
        (of_roles(elsewhere=("data",), log=("wal",)), "/elsewhere", "/log"),
    ],
)
def test_each_server_has_the_storage_that_its_own_directory_is_on(facts: Facts, data: str, wal: str) -> None:
    directory = Known("/two/b", "test")
    assert storage_of(facts, "data", directory).mount == data
    assert storage_of(facts, "wal", directory).mount == wal


@pytest.mark.parametrize(
    "directory", [Known("/linked/c", "test"), Known("/twofold/b", "test"), Unknown("no")]
)
def test_which_of_several_is_not_guessed_where_no_path_says_it(directory: Fact[str]) -> None:
    facts = of_roles(one=("data",), two=("data",), log=("wal",), more=("wal",))
    expected: dict[DiskRole, str] = {"data": "/one and /two", "wal": "/log and /more"}
    for role, mounts in expected.items():
        with pytest.raises(MissingFact, match=f"{mounts} are in use"):
            storage_of(facts, role, directory)


def probed(facts: Facts, storage: Fact[StorageKind], directory: Fact[str] = DIRECTORY) -> Facts:
    """The same machine after its server's storage was probed."""
    (server,) = facts.postgres
    nothing = Unknown("test")
    probe = Probe(
        seconds=60,
        reading=Known("direct", "test"),
        random=nothing,
        sequential=nothing,
        syncs=nothing,
        clock=nothing,
        storage=storage,
    )
    measured = dataclasses.replace(server, data_directory=directory, probe=Known(probe, "test"))
    return dataclasses.replace(facts, postgres=(measured,))


def test_what_a_probe_measured_outweighs_what_a_disk_reports() -> None:
    facts = machine(["virtio"], rotates=True, hypervisor="kvm")
    assert kind_of(probed(facts, Known("san", "measured")), DIRECTORY) == "san"


def test_where_a_probe_could_not_tell_the_disks_are_believed_as_before() -> None:
    assert kind_of(probed(machine(["nvme"], rotates=False), Unknown("fits two kinds")), DIRECTORY) == "nvme"


def test_a_probe_of_another_servers_storage_tells_nothing_of_this_one() -> None:
    facts = probed(machine(["nvme"], rotates=False), Known("hdd", "measured"), Known("/elsewhere", "test"))
    assert kind_of(facts, DIRECTORY) == "nvme"
    assert kind_of(facts, Unknown("not found")) == "nvme"
