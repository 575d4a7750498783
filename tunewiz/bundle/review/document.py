"""REVIEW.md: everything that a reviewer wants to know before a bundle is applied.

Written to be read on paper and in a merge request: one sentence a line, stable order, nothing from the
clock. What stems from a host, a path or a note is shown as text, never as Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tunewiz.bundle.dropins import HEADER
from tunewiz.bundle.placement import Placement
from tunewiz.bundle.review.change import COLUMNS, at_a_glance, change_in_full
from tunewiz.bundle.review.markdown import bullets, code, prose, table
from tunewiz.bundle.review.memory import memory_budget
from tunewiz.bundle.review.order import order_of_work
from tunewiz.core.answers.answers import Accepted, Refused, Replaced
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.cluster import Cluster
from tunewiz.core.recommendation.situation import NoServer
from tunewiz.core.recommendation.verdicts import Advice, Proposal
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.finding import name_of


def review(plan: Plan, placement: Placement, installed: Mapping[str, bytes]) -> str:
    """The whole page; ends with a newline."""
    lines = (
        *_head(plan, placement),
        *_warnings(plan),
        *_glance(plan, placement),
        *_use(placement),
        *order_of_work(placement, installed),
        *memory_budget(plan),
        *_changes(plan, placement),
        *_out_of_reach(plan, placement),
        *_for_people(plan),
        *_files(installed),
        *_left_alone(plan),
    )
    return "\n".join(lines) + "\n"


def _head(plan: Plan, placement: Placement) -> Iterator[str]:
    host, answers = plan.start.facts.host, plan.start.answers
    yield from (f"# Change bundle for {prose(known_or(host.name, 'a host without a name'))}", "")
    downtime = "one restart of PostgreSQL" if placement.restart else "no restart"
    count = how_many(placement.count, "change")
    reboot = "a reboot" if placement.reboot else "no reboot"
    yield from (f"{count}, {downtime}, {reboot}.", "Nothing has been changed yet: `apply.sh` does it.", "")
    yield from table(
        ("planned for", ""),
        (
            ("host", code(known_or(host.name, "not known"))),
            ("architecture, kernel", _both(known_or(host.architecture, "?"), known_or(host.kernel, "?"))),
            ("distribution", prose(known_or(host.distribution, "not known"))),
            ("PostgreSQL", _server_words(plan, placement)),
            (
                "workload",
                prose(f"{plan.start.workload.title}, {how_many(answers.workload.connections, 'connection')}"),
            ),
            ("posture", prose(answers.risk.posture)),
        ),
    )
    yield ""


def _both(one: str, other: str) -> str:
    return f"{code(one)}, {code(other)}"


def _server_words(plan: Plan, placement: Placement) -> str:
    if isinstance(plan.start.server, NoServer):
        return prose(f"{plan.start.major}; {plan.start.server.why}")
    directory = known_or(plan.start.server.data_directory, "")
    version = known_or(plan.start.server.version, str(plan.start.major))
    words = f"{prose(version)} in {code(directory)}" if directory else prose(version)
    return words if isinstance(placement.cluster, Cluster) else f"{words}; {prose(placement.cluster.why)}"


def _warnings(plan: Plan) -> Iterator[str]:
    if plan.warnings:
        yield from ("## Read this first", "", *bullets(prose(warning.text) for warning in plan.warnings), "")


def _glance(plan: Plan, placement: Placement) -> Iterator[str]:
    yield from ("## In short", "")
    if placement.count == 0:
        yield from ("Nothing is changed.", "")
        return
    rows = ((str(number), *at_a_glance(each, plan.start)) for number, each in _numbered(placement))
    yield from (*table(("", *COLUMNS), rows), "")


def _numbered(placement: Placement) -> Iterator[tuple[int, Finding]]:
    yield from enumerate(placement.findings, start=1)


def _use(placement: Placement) -> Iterator[str]:
    yield from ("## How to apply, check and undo", "")
    yield from (
        "```sh",
        "sudo sh apply.sh --dry-run             # shows what would be done, changes nothing",
        "sudo sh apply.sh --confirm-within 10   # reverted automatically after 10 minutes, unless",
        "sudo sh apply.sh --confirm             # confirms it, from a new login",
        "sudo sh verify.sh                      # is it in force, does it survive a reboot?",
        "sudo sh rollback.sh                    # restores everything, server up or down",
        "```",
        "",
        "`apply.sh` refuses (exit status 4) what the plan did not see: another host, server or value.",
        "The scripts refuse to run where others could change them: keep them where only root can write.",
        "If a step fails, it undoes what was done (exit status 5).",
        "`rollback.sh` leaves alone what someone else changed since, and lists it (exit status 4).",
        "What was there before is kept under `/var/lib/tunewiz`.",
        "A reviewer signs with `ssh-keygen -Y sign -f KEY -n tunewiz SHA256SUMS`.",
        "`apply.sh --require-signature ALLOWED_SIGNERS` refuses without a good signature (exit status 4).",
        "",
        "With `--confirm-within` a timer and a guard are armed before the first change.",
        "What is not confirmed in time is reverted, even after a dropped connection or a killed run.",
        "After a reboot or a power cut it is reverted before PostgreSQL starts.",
        "`--confirm` checks every value again, and refuses if one is not as planned (exit status 4).",
        "This needs systemd: elsewhere it is refused, and plain `sudo sh apply.sh` has to do.",
        "What that applies stays until `rollback.sh` is run.",
        "`--confirm-within 10 --watcher` needs no systemd: a process waits and reverts everything.",
        "It is weaker: the process ends with the machine, so nothing is reverted after a reboot.",
    )
    actions = [each.action for each in placement.host]
    yield from dict.fromkeys(sentence for action in actions for sentence in action.usage)
    if placement.restart and not any(action.stops_server for action in actions):
        yield "With `--no-restart` the settings that need one wait for the next restart."
    yield ""


def _changes(plan: Plan, placement: Placement) -> Iterator[str]:
    if placement.count:
        yield from ("## Every change, and why", "")
    for number, finding in _numbered(placement):
        yield from change_in_full(number, finding, plan.start)


def _out_of_reach(plan: Plan, placement: Placement) -> Iterator[str]:
    if not placement.out_of_reach:
        return
    yield from ("## Wanted, but out of this bundle's reach", "")
    rows = ((*at_a_glance(each.finding, plan.start), prose(each.why)) for each in placement.out_of_reach)
    yield from (*table((*COLUMNS, "why"), rows), "")


def _for_people(plan: Plan) -> Iterator[str]:
    if not plan.advised:
        return
    yield from ("## For a person to look at", "", "The scripts do none of this.", "")
    for finding in plan.advised:
        yield from _advice(finding, plan)


def _advice(finding: Finding, plan: Plan) -> Iterator[str]:
    yield from (f"### {prose(finding.recommendation.title)} ({code(finding.recommendation.id)})", "")
    yield from (*table(COLUMNS, (at_a_glance(finding, plan.start),)), "")
    yield from (f"Why: {prose(finding.because)}.", "")
    match finding.verdict:
        case Advice(steps=steps, undo=undo):
            yield from (*(f"{number}. {prose(step)}" for number, step in enumerate(steps, start=1)), "")
            if undo:
                yield from (f"To undo: {prose(' '.join(undo))}", "")
        case Proposal(computed=computed):
            yield from (f"Computed: {prose(computed)}", "")
            yield from ("It was left open: accept it in the answers to have the bundle do it.", "")
        case _:
            pass


def _files(installed: Mapping[str, bytes]) -> Iterator[str]:
    if not installed:
        return
    yield from ("## The files", "")
    for path, content in installed.items():
        yield from (f"{code(path)}:", "", "```")
        yield from (line for line in content.decode().splitlines() if line != HEADER)
        yield from ("```", "")


def _left_alone(plan: Plan) -> Iterator[str]:
    findings = [
        finding for finding in plan.findings if finding.state in ("declined", "keep", "not_applicable")
    ]
    if not findings:
        return
    yield from ("## Considered and left alone", "")
    rows = sorted(_left_row(finding) for finding in findings)
    yield from table(("recommendation", "setting", "why", "note"), rows)


def _left_row(finding: Finding) -> tuple[str, ...]:
    match finding.decision:
        case Accepted(note=note) | Refused(note=note) | Replaced(note=note):
            pass
        case _:
            note = ""
    name = code(name_of(finding).short)
    return code(finding.recommendation.id), name, prose(finding.because), prose(note)
