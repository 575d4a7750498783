"""A plan line by line, for a reviewer: every id with its state, values, reason, computation and steps."""

from collections.abc import Iterator

from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.verdicts import Advice, Proposal
from tunewiz.core.words.evidence import NEAR, likeness
from tunewiz.core.words.finding import STATES, words_of
from tunewiz.text.report import machine_line


def plan_listing(plan: Plan) -> str:
    """The whole plan as text."""
    lines = (*_head(plan), *_findings(plan), *_memory(plan), *_warnings(plan))
    return "".join(f"{line}\n" for line in lines)


def _head(plan: Plan) -> Iterator[str]:
    workload, risk = plan.start.answers.workload, plan.start.answers.risk
    yield machine_line(plan.start.facts)
    yield (
        f"planned for PostgreSQL {plan.start.major}: {workload.kind}, {workload.connections} connections, "
        f"{workload.database_size.short()}; {risk.posture}, recovery within {risk.recovery_time.pg()}"
    )


def _findings(plan: Plan) -> Iterator[str]:
    for state, title in STATES.items():
        findings = sorted((finding for finding in plan.findings if finding.state == state), key=_id)
        if findings:
            yield from ("", f"{title} ({len(findings)})")
        for finding in findings:
            yield from _open(finding, plan) if state in ("change", "advise") else _closed(finding)


def _id(finding: Finding) -> str:
    return finding.recommendation.id


def _closed(finding: Finding) -> Iterator[str]:
    yield f"  {_id(finding)}: {finding.because}"


def _open(finding: Finding, plan: Plan) -> Iterator[str]:
    words = words_of(finding, plan.start)
    takes = f"{words.takes}, {words.risk} risk"
    yield f"  {_id(finding)}: {words.now.short} -> {words.then.short} ({takes})"
    yield f"      because {finding.because}"
    match finding.verdict:
        case Proposal(computed=computed):
            yield f"      {computed}"
        case Advice(computed=computed, steps=steps, undo=undo):
            yield from (f"      {text}" for text in (computed,) if text)
            yield from (f"      {number}. {step}" for number, step in enumerate(steps, start=1))
            yield from (f"      undo: {step}" for step in undo)
        case _:
            pass
    for fitted in finding.evidence:
        of_what = NEAR if fitted.near else ""
        yield f"      [{fitted.claim.id}] {of_what}{likeness(fitted)}"


def _memory(plan: Plan) -> Iterator[str]:
    yield from ("", "Memory")
    if not isinstance(plan.after, MemoryBudget) or not isinstance(plan.before, MemoryBudget):
        yield f"  {plan.after if isinstance(plan.after, MemoryBudget) else plan.after.why}"
        return
    for name, size in plan.after.parts.items():
        yield f"  {name}: {plan.before.parts[name].short()} -> {size.short()}"


def _warnings(plan: Plan) -> Iterator[str]:
    if plan.warnings:
        yield from ("", "Careful")
    for warned in plan.warnings:
        yield f"  {warned.code}: {warned.text}"
