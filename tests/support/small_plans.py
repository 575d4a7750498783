"""Plans of a few changes, for tests that ask what a bundle does with them and not why they were proposed."""

import dataclasses
import hashlib
from collections.abc import Mapping
from types import MappingProxyType

from tunewiz.core.answers.answers import Answers, Decision
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.proof.measured_parts import NO_PROOF, ProofGiven
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.example_facts import facts_of
from tunewiz.core.recommendation.examples import Given, answers_of
from tunewiz.core.recommendation.recommendation import Explanation, Recommendation
from tunewiz.core.recommendation.targets import AdviceTarget, PgTarget, SysctlTarget, SysfsTarget, Target
from tunewiz.core.recommendation.verdicts import Advice, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import Known
from tunewiz.core.values.versions import Major
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import situation_of

MACHINE_ID = "0123456789abcdef0123456789abcdef"
THP = "/sys/kernel/mm/transparent_hugepage/enabled"

TARGETS: Mapping[str, Target] = {
    "kernel.dirty_bytes": SysctlTarget(name="vm.dirty_bytes", twin="vm.dirty_ratio", unit="bytes"),
    "kernel.nr_hugepages": SysctlTarget(name="vm.nr_hugepages", unit="huge pages"),
    "kernel.swappiness": SysctlTarget(name="vm.swappiness"),
    "kernel.tcp_keepalive_time": SysctlTarget(name="net.ipv4.tcp_keepalive_time"),
    "kernel.transparent_hugepage": SysfsTarget(
        name=THP, fact="thp.enabled", choices=("always", "madvise", "never")
    ),
}

WANTED: Mapping[str, str] = {
    "kernel.dirty_bytes": "536870912",
    "kernel.nr_hugepages": "64",
    "kernel.transparent_hugepage": "never",
    "pg.shared_buffers": "256MB",
    "pg.work_mem": "24MB",
}


def identity(machine_id: str = MACHINE_ID) -> str:
    """What the facts of a machine with that id say."""
    return hashlib.sha256(f"tunewiz:{machine_id}".encode()).hexdigest()


def small_facts(given: Given | None = None, *, name: str = "db1", **server: object) -> Facts:
    """A known machine with one server of its major's defaults; fields of the server can be replaced."""
    result = given or Given()
    settings = load_knowledge().settings[Major.parse(result.major)]
    defaults = {key: Setting(value=info.default, unit=info.unit) for key, info in settings.known.items()}
    for key, text in result.settings.items():
        value, unit = settings[key].canonical(text), settings[key].unit
        defaults[key] = Setting(value=value, unit=unit, source="configuration file")
    facts = facts_of(result, MappingProxyType(defaults))
    host = dataclasses.replace(
        facts.host, name=Known(name, "uname"), identity=Known(identity(), "/etc/machine-id")
    )
    servers = tuple(dataclasses.replace(postgres_server, **server) for postgres_server in facts.postgres)  # type: ignore[arg-type]
    return dataclasses.replace(facts, host=host, postgres=servers)


def with_settings(server: PostgresServer, **changed: Setting) -> PostgresServer:
    """The server with some settings as given."""
    assert isinstance(server.settings, Known)
    return dataclasses.replace(
        server, settings=Known(MappingProxyType({**server.settings.value, **changed}), "test")
    )


def small_plan(
    facts: Facts,
    wanted: Mapping[str, str] = WANTED,
    *,
    decisions: Mapping[str, Decision] = MappingProxyType({}),
    more: tuple[Recommendation, ...] = (),
    targets: Mapping[str, Target] = TARGETS,
    proof: ProofGiven = NO_PROOF,
) -> Plan:
    """The plan that puts the wanted values in force, by id."""
    answers = dataclasses.replace(small_answers(), decisions=decisions)
    catalogue = tuple(_recommendation(name, value, targets) for name, value in wanted.items())
    start = situation_of(facts, answers, load_knowledge())
    return plan_of((*catalogue, *more), dataclasses.replace(start, proof=proof))


def small_answers() -> Answers:
    """The answers behind every small plan."""
    return answers_of(Given(connections=20, reboot=True))


def advice() -> Recommendation:
    """Something that only a person can do."""

    def decide(_: object) -> Verdict:
        return Advice(
            because="there is none", steps=("mkswap /swap", "swapon /swap"), undo=("swapoff /swap",)
        )

    return dataclasses.replace(
        _recommendation("host.swap", ""), decide=decide, target=AdviceTarget(name="swap")
    )


def _recommendation(name: str, value: str, targets: Mapping[str, Target] = TARGETS) -> Recommendation:
    def decide(_: object) -> Verdict:
        return Proposal(value=value, because=f"a test wants {value}", computed=f"1 x {value} = {value}")

    return Recommendation(
        id=name,
        title=f"Set {name}",
        group="memory",
        target=targets.get(name) or PgTarget(name=name.removeprefix("pg.")),
        explanation=Explanation(
            changes="What changes.",
            helps="Why it helps.",
            leave_alone="When nobody asked.",
            costs="Little.",
            watch="SHOW tells.",
        ),
        pros=("It is quick.",),
        cons=("It is small.",),
        risk=RiskLevel.LOW,
        basis="well understood",
        cites=(Cite(claim="z-deck.huge_pages"),),
        decide=decide,
        examples=(),
    )
