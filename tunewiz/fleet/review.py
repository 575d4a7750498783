"""The review of a group: what is decided for all its hosts, what differs, and the evidence of one of them."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.bundle.review.blocks import (
    Block,
    Bullets,
    CodeText,
    Heading,
    Line,
    Paragraph,
    TableBlock,
    heading,
    line,
)
from tunewiz.bundle.review.document import review_of
from tunewiz.bundle.review.markdown import markdown
from tunewiz.core.fleet.groups import Apart, HostGroup, drift_in
from tunewiz.core.fleet.waves import Waves
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes
from tunewiz.core.words.finding import STATES, TAKES
from tunewiz.core.words.memory import PARTS


def group_review(group: HostGroup, apart: Apart | None, waves: Waves, first: Plan) -> str:
    """The document in Markdown.

    Args:
        group: Whose review this is.
        apart: How it differs from a larger group, if it is an outlier.
        waves: Of the whole fleet.
        first: The plan of the group's first host.
    """
    return markdown(group_blocks(group, apart, waves, first))


def group_blocks(group: HostGroup, apart: Apart | None, waves: Waves, first: Plan) -> Iterator[Block]:
    """The review as blocks, to be shown in another form."""
    hosts = how_many(len(group.hosts), "host")
    yield heading(1, f"Group {group.name}: {hosts} with the same decisions")
    yield Paragraph(tuple(_head(group)))
    if apart is not None:
        yield heading(2, f"How it differs from {apart.nearest}")
        yield Bullets(tuple(line(difference) for difference in apart.differences))
    yield heading(2, "Decisions")
    yield from _decisions(group, first)
    yield from _differs(group)
    yield from _memory(group)
    yield from _drift(group)
    yield heading(2, "Order")
    yield from _order(group, waves)
    yield heading(2, f"In full, for {group.hosts[0].host}")
    yield Paragraph((line("The reasons and the evidence apply to every host of the group."),))
    yield from map(_lower, review_of(first))


def _lower(block: Block) -> Block:
    """The blocks of a full review, with their headings one level lower."""
    return Heading(level=block.level + 2, words=block.words) if isinstance(block, Heading) else block


def _head(group: HostGroup) -> Iterator[Line]:
    changes = how_many(sum(decision.state == "change" for decision in group.decisions), "change")
    restarts = sum(host.restart for host in group.hosts)
    downtime = f"PostgreSQL is restarted on {how_many(restarts, 'host')}" if restarts else "no restart"
    yield line(f"PostgreSQL {group.major}; {changes}; {downtime}.")
    names = ", ".join(host.host for host in group.hosts)
    yield line("Nothing has been changed yet: ", CodeText("ansible/apply.yml"), " does it, in waves.")
    yield line(f"Hosts: {names}.")


def _decisions(group: HostGroup, first: Plan) -> Iterator[Block]:
    if not group.decisions:
        yield Paragraph((line("Nothing is changed."),))
        return
    findings = {finding.recommendation.id: finding for finding in first.findings}
    rows = (
        (
            line(CodeText(decision.name)),
            line(CodeText(_same(group.today(decision), "by host"))),
            line(CodeText(_same(group.values(decision), "by host, below"))),
            line(TAKES[Effect(decision.takes)]),
            line(findings[decision.id].risk.value),
            line(STATES[decision.state]),
            line(findings[decision.id].because, f"; {decision.decided}" if decision.decided else ""),
        )
        for decision in group.decisions
    )
    why = f"why, on {group.hosts[0].host}"
    yield TableBlock(("setting", "now", "then", "takes", "risk", "", why), tuple(rows))


def _same(values: tuple[str, ...], otherwise: str) -> str:
    return values[0] if len(values) == 1 else otherwise


def _differs(group: HostGroup) -> Iterator[Block]:
    if not (differs := group.differs):
        return
    yield heading(2, "What differs from host to host")
    head = ("host", *(decision.name for decision in differs))
    rows = zip((host.host for host in group.hosts), *differs.values(), strict=True)
    yield TableBlock(head, tuple(tuple(line(CodeText(cell)) for cell in row) for row in rows))


def _memory(group: HostGroup) -> Iterator[Block]:
    budgets = [host.memory for host in group.hosts if host.memory]
    yield heading(2, "Memory with the plan")
    if len(budgets) < len(group.hosts):
        without = how_many(len(group.hosts) - len(budgets), "host")
        yield Paragraph((line(f"No budget can be computed for {without}."),))
    if budgets:
        columns = zip(PARTS, zip(*budgets, strict=True), strict=True)
        rows = (
            (line(PARTS[name]), line(Bytes(min(result)).human()), line(Bytes(max(result)).human()))
            for name, result in columns
        )
        yield TableBlock(("", "least", "most"), tuple(rows))


def _drift(group: HostGroup) -> Iterator[Block]:
    result = tuple(drift_in(group))
    if not result:
        return
    yield heading(2, "Values today that differ from those of most hosts")
    rows = (
        (drift.host, drift.name, drift.found, drift.most, f"{float(drift.share):.0%}") for drift in result
    )
    cells = (tuple(line(CodeText(cell)) for cell in row) for row in rows)
    yield TableBlock(("host", "setting", "here", "most hosts", "of the group"), tuple(cells))


def _order(group: HostGroup, waves: Waves) -> Iterator[Block]:
    members = {host.host for host in group.hosts}
    yield Bullets(
        tuple(
            line(f"wave {number}: {', '.join(here)}")
            for number, wave in enumerate(waves, start=1)
            if (here := [host for host in wave if host in members])
        )
    )
