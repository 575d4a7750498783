"""What people read of a machine, in text: every page, the plan, the explanations and the review, by name."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

import pytest
from _pytest.mark import ParameterSet
from rich.text import Text

from recorded_machines import foreign_captures, our_captures, recorded
from sick_servers import case_names, facts_of_case
from tunewiz.bundle.preview import out_of_reach
from tunewiz.bundle.render import rendered
from tunewiz.collect.everything import read_facts
from tunewiz.core.answers.answers import Posture, WorkloadKind
from tunewiz.core.facts.facts import Facts
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.known import Known
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers
from tunewiz.text.counters import counters
from tunewiz.text.finding_detail import in_full, in_short
from tunewiz.text.findings import rows_of
from tunewiz.text.machine import machine_rows
from tunewiz.text.report import plan_table
from tunewiz.text.review import commands, memory, summary
from tunewiz.text.server_choice import server_at, servers, storages, unread
from tunewiz.text.workload import remark, suggestion
from tunewiz.wizard.bundle_preview import ChangesOutOfReach, Previewed
from tunewiz.wizard.journey import Journey, begin

WIDE = 400
"""Columns in which nothing is cut."""
TWO_SERVERS = "two servers, the second on its own disks"
"""Not recorded anywhere: nvme-server with z13-lpar's kind of storage below a second server."""


def machine_names() -> tuple[str, ...]:
    """The examples, servers in trouble, the captures that are here, and a machine with two servers."""
    captures = (*our_captures(), *foreign_captures())
    cases = (f"case {name}" for name in case_names())
    return (*demo_names(), TWO_SERVERS, *cases, *(f"capture {path.stem}" for path in captures))


def machines(*names: str, captures_are_slow: bool = True) -> pytest.MarkDecorator:
    """Runs a test on each; those of one machine run in one process, which makes its pages once."""
    return pytest.mark.parametrize(
        "machine", [_machine(name, captures_are_slow=captures_are_slow) for name in names]
    )


def _machine(name: str, *, captures_are_slow: bool) -> ParameterSet:
    is_slow = captures_are_slow and name.startswith("capture ")
    slow = (pytest.mark.slow,) if is_slow else ()
    return pytest.param(name, marks=(pytest.mark.xdist_group(name), *slow))


@cache
def facts_named(name: str) -> Facts:
    """The facts of one of these."""
    if name == TWO_SERVERS:
        return _two_servers()
    if name.startswith("case "):
        return facts_of_case(name.removeprefix("case "))
    for path in (*our_captures(), *foreign_captures()):
        if name == f"capture {path.stem}":
            return read_facts(recorded(path))
    return demo_facts(name)


def _two_servers() -> Facts:
    facts, other = demo_facts("nvme-server"), demo_facts("hdd-server")
    second = dataclasses.replace(facts.postgres[0], data_directory=Known("/srv/second/data", "test"))
    storage = dataclasses.replace(other.storage[0], mount="/srv/second", roles=("data", "wal"))
    return dataclasses.replace(facts, postgres=(*facts.postgres, second), storage=(*facts.storage, storage))


def journey_of(
    name: str, kind: WorkloadKind = "oltp", posture: Posture = "balanced", directory: str | None = None
) -> Journey:
    """A journey with the usual answers, but for these; made once for all tests that read it."""
    return _journey(name, kind, posture, directory)


@cache
def _journey(name: str, kind: WorkloadKind, posture: Posture, directory: str | None) -> Journey:
    facts, knowledge = facts_named(name), load_knowledge()
    usual = default_answers(facts, knowledge)
    answers = dataclasses.replace(
        usual,
        workload=dataclasses.replace(usual.workload, kind=kind),
        risk=dataclasses.replace(usual.risk, posture=posture),
        server=dataclasses.replace(usual.server, data_directory=directory),
    )
    return begin(facts, answers, knowledge)


def previewed(plan: Plan) -> Previewed:
    """What the bundle does not reach; the files are left out."""
    missed = out_of_reach(plan).items()
    return Previewed(
        files=(),
        out_of_reach=tuple(ChangesOutOfReach(why=why, recommendations=(*ids,)) for why, ids in missed),
    )


def review_of(journey: Journey) -> str:
    """REVIEW.md."""
    plan = journey.plan
    return rendered(plan, facts_to_json(plan.start.facts), answers_to_toml(plan.start.answers))[
        "REVIEW.md"
    ].decode()


class Pages(Mapping[str, str]):
    """Every text by the page that shows it; each is made when it is first read."""

    def __init__(self, journey: Journey) -> None:
        self.journey = journey
        self._made = dict[str, str]()

    def __getitem__(self, page: str) -> str:
        if page not in self._made:
            self._made[page] = MAKERS[page](self.journey)
        return self._made[page]

    def __iter__(self) -> Iterator[str]:
        return iter(MAKERS)

    def __len__(self) -> int:
        return len(MAKERS)


def pages_of(journey: Journey) -> Pages:
    """What several tests of one journey read; it lives as long as the journey."""
    return _PAGES.setdefault(id(journey), Pages(journey))


_PAGES: dict[int, Pages] = {}


def _plan_page(journey: Journey) -> str:
    return " ".join(plan_table(journey.plan, answered=True).split())


def _server_page(journey: Journey) -> Iterator[str]:
    for choice in (*servers(journey), *storages(journey)):
        yield f"{choice.title} {choice.about}"
    if journey.facts.postgres:
        assert server_at(journey) in {choice.key for choice in servers(journey)}
    for server in journey.facts.postgres:
        yield unread(server)
        yield _joined(counters(server))


def _workload_page(journey: Journey) -> Iterator[str]:
    yield suggestion(journey).plain
    for kind, preset in journey.knowledge.workloads.items():
        yield f"{preset.title}: {preset.about} {preset.caution}"
        yield remark(journey, kind)
    for posture in journey.knowledge.postures.values():
        yield f"{posture.title}: {posture.about}"


def _explanations(journey: Journey) -> str:
    plan = journey.plan
    return _joined(text for finding in plan.findings for text in in_full(finding, plan))


def _recommendations(plan: Plan) -> Iterator[str]:
    yield from (row.text.plain for row in rows_of(plan, WIDE, find="", everything=True))
    yield from (_joined(in_short(finding, plan, WIDE, 40)) for finding in plan.findings)


def _joined(texts: Iterable[Text]) -> str:
    return "\n".join(text.plain for text in texts)


MAKERS: Mapping[str, Callable[[Journey], str]] = {
    "machine": lambda journey: _joined(row.text for row in machine_rows(journey.facts, WIDE, WIDE)),
    "server": lambda journey: "\n".join(_server_page(journey)),
    "workload": lambda journey: "\n".join(_workload_page(journey)),
    "recommendations": lambda journey: "\n".join(_recommendations(journey.plan)),
    "explanations": _explanations,
    "review": lambda journey: _joined(summary(journey, previewed(journey.plan))),
    "commands": lambda journey: _joined(commands(journey.plan, previewed(journey.plan))),
    "memory": lambda journey: _joined(memory(journey.plan)),
    "plan": _plan_page,
    "REVIEW.md": review_of,
}
