"""All front ends show the same name, now, then, takes and risk of a finding."""

import dataclasses
import re
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
from tunewiz.bundle.render import rendered
from tunewiz.core.answers.answers import Answers, Risk
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.owners import Rival
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.decisions import is_open
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.target_words import exact_value, value_in_words
from tunewiz.core.recommendation.targets import SysctlTarget, SysfsTarget
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.words.memory import parts_in_words
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.report import plan_table
from tunewiz.text.review import memory

KNOWLEDGE = load_knowledge()


def as_it_is(facts: Facts) -> Facts:
    return facts


def under_patroni(facts: Facts) -> Facts:
    servers = (dataclasses.replace(server, owner="patroni") for server in facts.postgres)
    return dataclasses.replace(facts, postgres=tuple(servers))


def under_an_operator(facts: Facts) -> Facts:
    owners = dataclasses.replace(facts.owners, operator=Known("CloudNativePG", "test"))
    return dataclasses.replace(facts, owners=owners)


def under_tuned(facts: Facts) -> Facts:
    """Every kernel setting is written by the active profile."""
    rivals = (
        Rival(
            name=recommendation.target.name, value="1", place="/usr/lib/tuned/x/tuned.conf:3", keeper="tuned"
        )
        for recommendation in KNOWLEDGE.catalogue
        if isinstance(recommendation.target, SysctlTarget | SysfsTarget)
    )
    profile = Known("throughput-performance", "test")
    owners = dataclasses.replace(facts.owners, tuned=profile, rivals=Known(tuple(rivals), "test"))
    return dataclasses.replace(facts, owners=owners)


def stopped(facts: Facts) -> Facts:
    """Nothing of the server's settings and of the kernel's could be read."""
    why = Unknown("the server is not running")
    servers = (dataclasses.replace(server, running=False, settings=why) for server in facts.postgres)
    unread = {name: Unknown("Permission denied") for name in facts.kernel.settings}
    kernel = dataclasses.replace(facts.kernel, settings=unread)
    return dataclasses.replace(facts, postgres=tuple(servers), kernel=kernel)


def on_its_command_line(facts: Facts) -> Facts:
    """Every setting is out of the bundle's reach."""
    return dataclasses.replace(facts, postgres=tuple(map(_fixed, facts.postgres)))


def _fixed(server: PostgresServer) -> PostgresServer:
    if not isinstance(server.settings, Known):
        return server
    fixed = {name: _on_the_command_line(setting) for name, setting in server.settings.value.items()}
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
        "explain": in_explanation(),
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
    text, shortest = text.rstrip(), shortest.rstrip()  # blanks at its end are part of a log's prefix
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
            missing = [text for text in expected_of(front_end, finding) if text not in there]
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


@pytest.mark.parametrize("width", [79, 119])
@pytest.mark.parametrize("keeper", KEPT_BY)
def test_a_list_that_is_cut_short_shows_beginnings_of_the_same_words(keeper: str, width: int) -> None:
    _, _, plan = example("nvme-server", keeper)
    whole, short = in_wizard_list(plan), in_wizard_list(plan, width)
    for name, cells in short.items():
        for what, text in cells.items():
            beginning = text.removesuffix("\N{HORIZONTAL ELLIPSIS}")
            assert text == whole[name][what] or (
                text != beginning and whole[name][what].startswith(beginning)
            )


def test_what_a_keeper_is_to_set_is_shown_with_its_value_and_by_hand() -> None:
    facts, answers, plan = example("nvme-server", "patroni")
    for front_end, shown in everywhere(facts, answers, plan).items():
        cells = shown["pg.shared_buffers"]
        assert cells.get("then", "24GB") == "24GB", front_end
        assert cells.get("takes", "by hand") == "by hand", front_end


def test_the_memory_table_has_the_same_rows_everywhere() -> None:
    facts, answers, plan = example("nvme-server", "nobody")
    assert isinstance(plan.after, MemoryBudget)
    assert isinstance(plan.before, MemoryBudget)
    files = rendered(plan, facts_to_json(facts), answers_to_toml(answers))
    pages = (plan_table(plan, answered=True), files["REVIEW.md"].decode())
    page = "\n".join(text.plain for text in memory(plan))
    for (part, size_before), (_, size_after) in zip(
        parts_in_words(plan.before), parts_in_words(plan.after), strict=True
    ):
        row = rf"(?m)^[| ]*{part} *[| ] *{size_before.human()} *[| ] *{size_after.human()}"
        assert all(re.search(row, text) for text in pages), part
        assert part in ("claimed in total", "total") or re.search(row, page), part


@pytest.mark.parametrize(
    ("count", "shown"),
    [("0", "0"), ("500", "500 bytes"), ("67108864", "64MB"), ("300000000", "~286MB"), ("1500", "~1kB")],
)
def test_a_size_is_in_words_and_says_where_it_was_rounded(count: str, shown: str) -> None:
    target = SysctlTarget(name="vm.dirty_bytes", unit="bytes")
    assert value_in_words(target, count) == shown
    assert exact_value(target, count) == (f"{count} bytes" if int(count) >= 1024 else "")
