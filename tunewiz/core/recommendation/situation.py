"""Everything that a decision may depend on: machine, server, answers, presets, and earlier decisions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import assert_never

from tunewiz.core.answers.answers import Answers
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import DiskRole, Storage
from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer, Setting
from tunewiz.core.facts.storage_kind import StorageKind, kind_of, storage_of
from tunewiz.core.proof.measured_parts import NO_PROOF, ProofGiven
from tunewiz.core.recommendation.dangers import NO_DANGERS, DangerTable
from tunewiz.core.recommendation.evidence import Library
from tunewiz.core.recommendation.presets import PosturePreset, SeenPreset, WorkloadPreset
from tunewiz.core.recommendation.targets import (
    AdviceTarget,
    HostTarget,
    PgTarget,
    SysctlTarget,
    SysfsTarget,
    Target,
)
from tunewiz.core.values.known import Absent, Fact, Known, MissingFact, Unknown, known_or, needed
from tunewiz.core.values.pg_settings import SettingError, SettingInfo, SettingsOfMajor
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.core.values.versions import Major

ADDRESS_SPACE = Bytes(3 * GIB)
"""What a process of a 32-bit Linux can address (the kernel keeps the fourth gigabyte)."""

OF_32_BIT = ("armv6l", "armv7l", "armv8l", "i386", "i486", "i586", "i686", "ppc", "riscv32", "s390")
"""Architectures as `uname -m` prints them, 32-bit userlands on 64-bit kernels too."""

NOTHING_CHOSEN: Mapping[str, str] = MappingProxyType({})


WRITTEN_BY_INITDB: Mapping[str, str] = MappingProxyType({"shared_buffers": "128MB"})
"""What initdb writes for every new server; the built-in default is 8 MB up to PostgreSQL 14."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NoServer:
    """No PostgreSQL server was found: default settings are assumed."""

    why: str
    own_terms: str = ""
    """Of a server that is too old to be planned for: what its version has instead; else empty."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Situation:
    """One machine, one server, one set of answers."""

    facts: Facts
    answers: Answers
    server: PostgresServer | NoServer
    settings: SettingsOfMajor
    workload: WorkloadPreset
    posture: PosturePreset
    thresholds: SeenPreset
    library: Library
    chosen: Mapping[str, str] = field(default_factory=lambda: NOTHING_CHOSEN)
    """Values that the plan puts in force, by target name; grows with each decision."""
    proof: ProofGiven = NO_PROOF
    """A measurement on this server."""
    dangers: DangerTable = NO_DANGERS
    """Values that are dangerous whoever set them."""
    small_pages: bool = False
    """Whether the plan is known to leave shared memory in small pages, so that page tables bound it."""

    @property
    def major(self) -> Major:
        """The server's major version."""
        return self.settings.major

    @property
    def memory(self) -> Bytes:
        """What the server may use: its share of memory, or the control group's limit; raises MissingFact."""
        total, limits = needed(self.facts.memory.total, "the size of memory"), self.facts.limits
        allowed = min(known_or(limits.memory, total), known_or(limits.memory_high, total))
        share = min(total * self.memory_share, allowed)
        return min(share, ADDRESS_SPACE) if self.is_32_bit else share

    @property
    def is_32_bit(self) -> bool:
        """Whether the server's processes are known to address no more than 32 bits."""
        return known_or(self.facts.host.architecture, "") in OF_32_BIT

    @property
    def memory_in_words(self) -> str:
        """The same for a computation, with this server's share of the machine if that is what bounds it."""
        total = needed(self.facts.memory.total, "the size of memory")
        if self.memory == total or self.memory != total * self.memory_share:
            return self.memory.short()
        return f"{total.short()} x {self.memory_share} for this server"

    @property
    def memory_share(self) -> Fraction:
        """This server's share of the machine's memory: as answered, otherwise an equal one."""
        said = self.answers.server.memory_share
        return _share(1, max(1, self.running_servers)) if said is None else _share(said, 100)

    @property
    def running_servers(self) -> int:
        """Servers that run on this machine."""
        return sum(server.running for server in self.facts.postgres)

    @property
    def cores(self) -> int:
        """Physical cores that may run queries, within the control group's limits; raises MissingFact.

        A capped partition of Power gets no more than its entitled capacity, however many cores it sees.
        """
        cores = needed(self.facts.cpu.cores, "the number of cores")
        limits, partition = self.facts.limits, known_or(self.facts.virtualization.partition, None)
        if partition is not None and partition.capped and partition.entitled is not None:
            cores = max(1, min(cores, int(partition.entitled)))
        quota = known_or(limits.cpus, float(cores))
        allowed = known_or(limits.cpuset_cores, known_or(limits.cpuset, cores))
        return max(1, min(cores, int(quota), allowed))

    @property
    def connections(self) -> int:
        """Expected peak of client connections."""
        return self.answers.workload.connections

    @property
    def live_settings(self) -> Mapping[str, Setting]:
        """The server's settings as read; empty if they could not be."""
        if isinstance(self.server, NoServer):
            return NO_SETTINGS
        fact = self.server.settings
        return fact.value if isinstance(fact, Known) else NO_SETTINGS

    def setting(self, name: str) -> Fact[str]:
        """A PostgreSQL setting as a person writes it, or why it is not known."""
        live_setting = self.live_settings.get(name)
        if live_setting is None:
            return Unknown(self._why_no_setting())
        try:
            return _shown(
                self.settings[name], live_setting.value, live_setting.sourcefile or live_setting.source
            )
        except SettingError as error:  # a choice that this build of the server offers, say
            return Unknown(str(error))

    def _why_no_setting(self) -> str:
        match self.server:
            case NoServer(why=why):
                return why
            case PostgresServer(settings=Unknown(why)):
                return why
            case _:
                return "the server did not report it"

    def default(self, name: str) -> str:
        """The default as a person writes it; raises SettingError where this major lacks the setting."""
        info = self.settings[name]
        return info.show(WRITTEN_BY_INITDB.get(name, info.default))

    def in_force(self, name: str) -> str:
        """The PostgreSQL setting as it is, else its default, whatever the plan has chosen since."""
        return known_or(self.setting(name), self.default(name))

    def size_in_force(self, name: str) -> Bytes:
        """A size setting as it is."""
        return self.settings[name].size(self.in_force(name))

    def will_be(self, name: str) -> str:
        """The PostgreSQL setting after the plan: as decided, otherwise as it is, otherwise its default."""
        if name in self.chosen:
            return self.chosen[name]
        fact = self.setting(name)
        if not isinstance(fact, Known) or self._is_left_to_the_server(name):
            return self.default(name)
        return fact.value

    def _is_left_to_the_server(self, name: str) -> bool:
        """Whether what the server shows is what it took for itself: after the plan it may take more."""
        return self.settings[name].sizes_itself and not self.live_settings[name].is_set

    def will_be_size(self, name: str) -> Bytes:
        """A size setting after the plan; the caller resolves `-1`."""
        return self.settings[name].size(self.will_be(name))

    def kernel(self, name: str) -> Fact[int | str]:
        """A kernel setting by its key in the facts."""
        fact = self.facts.kernel.settings.get(name)
        return Unknown("this kernel has no such setting, or it was not read") if fact is None else fact

    def kernel_number(self, name: str) -> int:
        """A numeric kernel setting; raises MissingFact."""
        value = needed(self.kernel(name), name)
        if isinstance(value, str):
            raise MissingFact(name, f"found {value!r}, expected a number")
        return value

    def kernel_count(self, name: str) -> int:
        """A numeric kernel setting after the plan, 0 where there is none; raises MissingFact for a word."""
        if name in self.chosen:
            return int(self.chosen[name])
        return self.kernel_number(name) if isinstance(self.kernel(name), Known) else 0

    def current(self, target: Target) -> Fact[str]:
        """What is in force now, in the target's own unit."""
        match target:
            case PgTarget(name=name):
                return (
                    self.setting(name)
                    if self.settings.has(name)
                    else Unknown(self.settings.why_missing(name))
                )
            case SysctlTarget(name=name, fact=fact) | SysfsTarget(name=name, fact=fact):
                answer = self.kernel(fact or name)
                return Known(str(answer.value), answer.how) if isinstance(answer, Known) else answer
            case HostTarget() | AdviceTarget():
                return Unknown("it is looked at as a whole")
            case _:
                assert_never(target)

    def same(self, target: Target, one: str, other: str) -> bool:
        """Whether two values of a target mean the same."""
        if isinstance(target, PgTarget):
            try:
                return self.settings[target.name].same(one, other)
            except SettingError:
                return False
        return one == other

    @property
    def _directory(self) -> Fact[str]:
        match self.server:
            case NoServer(why=why):
                return Unknown(why)
            case PostgresServer(data_directory=directory):
                return directory
            case _:
                assert_never(self.server)

    def storage_for(self, role: DiskRole) -> Storage:
        """The file system with the server's data or WAL; raises MissingFact."""
        return storage_of(self.facts, role, self._directory)

    @property
    def storage_kind(self) -> StorageKind:
        """The storage of the data: as answered, otherwise as its disks report; raises MissingFact."""
        return self.answers.server.storage or kind_of(self.facts, self._directory)

    @property
    def storage_told(self) -> Fact[StorageKind]:
        """The same as a fact, for advice that has a careful value where it is unknown."""
        try:
            return Known(self.storage_kind, "as answered, or as its disks report")
        except MissingFact as missing:
            return Unknown(missing.why)

    @property
    def in_container(self) -> bool:
        """Whether the server is known to run in a container."""
        return isinstance(self.facts.virtualization.container, Known)

    def on_the_host(self, *steps: str) -> tuple[str, ...]:
        """Steps on the host itself: for a server in a container, the host's owner must do them."""
        return (
            ("Not inside the container: ask the owner of the host.", *steps) if self.in_container else steps
        )

    @property
    def unlimited(self) -> bool:
        """Whether no control group limits the memory."""
        limits = self.facts.limits
        return isinstance(limits.memory, Absent) and not isinstance(limits.memory_high, Known)

    def with_chosen(self, name: str, value: str) -> Situation:
        """The same, with one more value decided."""
        return dataclasses.replace(self, chosen=MappingProxyType({**self.chosen, name: value}))


# A plan needs the same few values hundreds of times, and many servers share them.


@lru_cache(maxsize=8192)
def _shown(info: SettingInfo, value: str, how: str) -> Known[str]:
    return Known(info.show(value), how)


@lru_cache(maxsize=256)
def _share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole)
