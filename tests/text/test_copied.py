"""What is copied of a recommendation sets just what the bundle sets; the diff tells what holds before."""

import pytest

from tunewiz.bundle.preview import installed
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.targets import HostTarget, PgTarget, SysctlTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal
from tunewiz.core.values.known import Known
from tunewiz.core.words.finding import UNREAD, now_of
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.copied import NothingToCopy, command_of, value_of
from tunewiz.text.diff import diff
from tunewiz.wizard.bundle_preview import PreviewedFile

EVERYWHERE = pytest.mark.parametrize("machine", demo_names())


def plan_of(machine: str) -> Plan:
    facts, knowledge = demo_facts(machine), load_knowledge()
    return make_plan(facts, default_answers(facts, knowledge), knowledge)


def previewed(plan: Plan) -> tuple[PreviewedFile, ...]:
    return tuple(PreviewedFile(path=path, text=text) for path, text in installed(plan).items())


@EVERYWHERE
def test_the_command_of_a_value_holds_its_name_and_value(machine: str) -> None:
    for finding in plan_of(machine).findings:
        command, value = command_of(finding), value_of(finding)
        if isinstance(finding.verdict, Proposal) and not isinstance(
            finding.recommendation.target, HostTarget
        ):
            assert isinstance(command, str)
            assert isinstance(value, str)
            assert finding.verdict.value == value
            assert value in command
            assert finding.recommendation.target.name in command


@EVERYWHERE
def test_what_has_no_value_is_not_copied(machine: str) -> None:
    declined = [finding for finding in plan_of(machine).findings if isinstance(finding.verdict, Declined)]
    assert declined
    assert all(isinstance(value_of(finding), NothingToCopy) for finding in declined)
    assert all(isinstance(command_of(finding), NothingToCopy) for finding in declined)


@EVERYWHERE
def test_advice_is_copied_as_its_steps(machine: str) -> None:
    for finding in plan_of(machine).findings:
        if isinstance(finding.verdict, Advice):
            assert command_of(finding) == "\n".join(finding.verdict.steps)


def changed(finding: Finding) -> bool:
    return isinstance(finding.recommendation.target, PgTarget | SysctlTarget)


@EVERYWHERE
def test_the_diff_holds_every_line_of_the_files_and_before_it_what_holds_now(machine: str) -> None:
    plan = plan_of(machine)
    rows = [row.plain for row in diff(previewed(plan), plan)]
    added = [row.removeprefix("+\t") for row in rows if row.startswith("+\t")]
    assert added == [line for file in previewed(plan) for line in file.text.splitlines()]
    for finding in plan.changes:
        name = finding.recommendation.target.name
        place = [number for number, row in enumerate(rows) if row.startswith(f"+\t{name} = ")]
        if changed(finding) and place:
            assert rows[place[0] - 1].startswith(f"-\t{name} = ")


@EVERYWHERE
def test_a_value_that_was_read_is_told_with_its_origin_in_the_diff(machine: str) -> None:
    plan = plan_of(machine)
    rows = "\n".join(row.plain for row in diff(previewed(plan), plan))
    for finding in filter(changed, plan.changes):
        name, current = finding.recommendation.target.name, plan.start.current(finding.recommendation.target)
        if isinstance(current, Known) and f"+\t{name} = " in rows:
            assert f"-\t{name} = {current.value}  # {current.how}" in rows
        elif now_of(finding, plan.start).more == UNREAD and f"+\t{name} = " in rows:
            assert f"-\t{name} = {plan.start.default(name)}  # the default; not read" in rows


def test_a_comment_replaces_nothing() -> None:
    plan = plan_of("nvme-server")
    file = PreviewedFile(path="/etc/x", text="# shared_buffers = 1GB\nwork_memory = 3\n")
    assert [row.plain[:1] for row in diff((file,), plan)] == ["+", "+", "+", ""]
