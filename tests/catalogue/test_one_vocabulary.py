"""All front ends show the same name, now, then, takes and risk of a finding."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping

import pytest

from front_ends import (
    SHOWN_OF_ALL,
    SHOWN_OF_OPEN,
    WIDE,
    Shown,
    in_explanation,
    in_plain_run,
    in_plan_command,
    in_plan_json,
    in_review,
    in_wizard_list,
    in_wizard_page,
    in_wizard_pane,
)
from tunewiz.core.answers import Answers, Risk
from tunewiz.core.decisions import is_open
from tunewiz.core.facts import Facts
from tunewiz.core.facts_owners import Rival
from tunewiz.core.facts_server import PostgresServer, Setting
from tunewiz.core.finding import Finding
from tunewiz.core.known import Known, Unknown
from tunewiz.core.model import SysctlTarget, SysfsTarget
from tunewiz.core.plan import Plan
from tunewiz.knowledge import demo_facts, load_knowledge
from tunewiz.planning import default_answers, make_plan
from tunewiz.shelf import demo_names

KNOWLEDGE = load_knowledge()


def as_it_is(facts: Facts) -> Facts:
    return facts


def under_patroni(facts: Facts) -> Facts:
    servers = (dataclasses.replace(each, owner="patroni") for each in facts.postgres)
    return dataclasses.replace(facts, postgres=tuple(servers))


def under_an_operator(facts: Facts) -> Facts:
    owners = dataclasses.replace(facts.owners, operator=Known("CloudNativePG", "test"))
    return dataclasses.replace(facts, owners=owners)


def under_tuned(facts: Facts) -> Facts:
    """Every kernel setting is written by the active profile."""
    rivals = (
        Rival(name=each.target.name, value="1", place="/usr/lib/tuned/x/tuned.conf:3", keeper="tuned")
        for each in KNOWLEDGE.catalogue
        if isinstance(each.target, SysctlTarget | SysfsTarget)
    )
    profile = Known("throughput-performance", "test")
    owners = dataclasses.replace(facts.owners, tuned=profile, rivals=Known(tuple(rivals), "test"))
    return dataclasses.replace(facts, owners=owners)


def stopped(facts: Facts) -> Facts:
    """Nothing of the server's settings and of the kernel's could be read."""
    why = Unknown("the server is not running")
    servers = (dataclasses.replace(each, running=False, settings=why) for each in facts.postgres)
    unread = {name: Unknown("Permission denied") for name in facts.kernel.settings}
    kernel = dataclasses.replace(facts.kernel, settings=unread)
    return dataclasses.replace(facts, postgres=tuple(servers), kernel=kernel)


def on_its_command_line(facts: Facts) -> Facts:
    """Every setting is out of the bundle's reach."""
    return dataclasses.replace(facts, postgres=tuple(map(_fixed, facts.postgres)))


def _fixed(server: PostgresServer) -> PostgresServer:
    if not isinstance(server.settings, Known):
        return server
    fixed = {name: _on_the_command_line(each) for name, each in server.settings.value.items()}
    return dataclasses.replace(server, settings=Known(fixed, "test"))


def _on_the_command_line(setting: Setting) -> Setting:
    return dataclasses.replace(setting, source="command line", sourcefile=None)


KEPT_BY: Mapping[str, Callable[[Facts], Facts]] = {
    "nobody": as_it_is,
    "patroni": under_patroni,
    "an operator": under_an_operator,
    "tuned": under_tuned,
    "a stopped server": stopped,
    "its command line": on_its_command_line,
}
IN_BRIEF = ("nvme-server", "z13-lpar")
"""Of a machine that tells nearly everything, and of one that was never read; the others are swept."""
MACHINES = pytest.mark.parametrize(
    "machine",
    [pytest.param(name, marks=() if name in IN_BRIEF else pytest.mark.slow) for name in demo_names()],
)
KEEPERS = pytest.mark.parametrize("keeper", KEPT_BY)


def example(machine: str, keeper: str) -> tuple[Facts, Answers, Plan]:
    facts = KEPT_BY[keeper](demo_facts(machine))
    usual = default_answers(facts, KNOWLEDGE)
    answers = dataclasses.replace(usual, risk=Risk(posture="bold", reboot=True))
    return facts, answers, make_plan(facts, answers, KNOWLEDGE)


def everywhere(facts: Facts, answers: Answers, plan: Plan) -> Mapping[str, Shown]:
    listed, chosen = in_plain_run(facts, answers, KNOWLEDGE)
    return {
        "plan": in_plan_command(plan),
        "wizard, list": in_wizard_list(plan),
        "wizard, pane": in_wizard_pane(plan),
        "wizard, page": in_wizard_page(plan),
        "--plain, list": listed,
        "--plain, one": chosen,
        "REVIEW.md": in_review(plan, facts, answers),
        "plan.json": in_plan_json(plan),
        "explain": in_explanation(plan, KNOWLEDGE),
    }


LESS: Mapping[str, tuple[str, ...]] = {
    "wizard, pane": ("name",),
    "explain": ("name",),
}
"""Front ends that show less of a finding, by what they do show."""


def expected_of(front_end: str, finding: Finding) -> tuple[str, ...]:
    if front_end == "--plain, one" and not is_open(finding):
        return ()
    wanted = SHOWN_OF_OPEN if finding.state in ("change", "advise") else SHOWN_OF_ALL
    return tuple(what for what in wanted if what in LESS.get(front_end, SHOWN_OF_OPEN))


def same(text: str, shortest: str) -> bool:
    """A text may say more than the shortest one, never something else; a risk may be cut short."""
    return text == shortest or text.startswith((f"{shortest} (", f"{shortest}, "))


def same_risk(text: str, shortest: str) -> bool:
    return text.lower().startswith(shortest.lower())


def differences(plan: Plan, shown: Mapping[str, Shown]) -> Iterator[str]:
    for finding in plan.findings:
        name = finding.recommendation.id
        for what in SHOWN_OF_OPEN:
            texts = dict(_texts(name, what, shown))
            shortest = min(texts.values(), key=len, default="")
            agrees = same_risk if what == "risk" else same
            if not all(agrees(text, shortest) for text in texts.values()):
                yield f"{name}, {what}: {texts}"


def _texts(name: str, what: str, shown: Mapping[str, Shown]) -> Iterator[tuple[str, str]]:
    for front_end, findings in shown.items():
        for key, text in findings.get(name, {}).items():
            if key.partition(",")[0] == what:
                yield f"{front_end}{key.removeprefix(what)}", text


def omissions(plan: Plan, shown: Mapping[str, Shown]) -> Iterator[str]:
    for finding in plan.findings:
        name = finding.recommendation.id
        for front_end, findings in shown.items():
            there = {key.partition(",")[0] for key in findings.get(name, {})}
            missing = [each for each in expected_of(front_end, finding) if each not in there]
            if missing:
                yield f"{name}: {front_end} does not show {', '.join(missing)}"


@pytest.fixture(autouse=True)
def wide_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDE))


@KEEPERS
@MACHINES
def test_all_front_ends_say_the_same_of_every_finding(machine: str, keeper: str) -> None:
    facts, answers, plan = example(machine, keeper)
    shown = everywhere(facts, answers, plan)
    assert [*differences(plan, shown), *omissions(plan, shown)] == []
