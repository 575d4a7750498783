"""The review of a group: what is decided for all its hosts, what differs, and the evidence of one of them."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.bundle.review.blocks import Block, Bullets, Heading, Line, Paragraph, Table, Typed, heading, line
from tunewiz.bundle.review.document import review_of
from tunewiz.bundle.review.markdown import markdown
from tunewiz.core.fleet.groups import Apart, Group, drift_in
from tunewiz.core.fleet.hosts import Decision
from tunewiz.core.fleet.waves import Waves
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes
from tunewiz.core.words.finding import STATES, TAKES, name_of, now_of
from tunewiz.core.words.memory import PARTS


def group_review(group: Group, apart: Apart | None, waves: Waves, first: Plan) -> str:
    """The document in Markdown.

    Args:
        group: Whose review this is.
        apart: How it differs from a larger group, if it is an outlier.
        waves: Of the whole fleet.
        first: The plan of the group's first host.
    """
    return markdown(group_blocks(group, apart, waves, first))


def group_blocks(group: Group, apart: Apart | None, waves: Waves, first: Plan) -> Iterator[Block]:
    """The review as blocks, to be shown in another form."""
    hosts = how_many(len(group.hosts), "host")
    yield heading(1, f"Group {group.name}: {hosts} with the same decisions")
    yield Paragraph(tuple(_head(group)))
    if apart is not None:
        yield heading(2, f"How it differs from {apart.nearest}")
        yield Bullets(tuple(line(each) for each in apart.differences))
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


def _head(group: Group) -> Iterator[Line]:
    changes = how_many(sum(each.state == "change" for each in group.decisions), "change")
    restarts = sum(each.restart for each in group.hosts)
    downtime = f"PostgreSQL is restarted on {how_many(restarts, 'host')}" if restarts else "no restart"
    yield line(f"PostgreSQL {group.major}; {changes}; {downtime}.")
    names = ", ".join(each.host for each in group.hosts)
    yield line("Nothing has been changed yet: ", Typed("ansible/apply.yml"), " does it, in waves.")
    yield line(f"Hosts: {names}.")


def _decisions(group: Group, first: Plan) -> Iterator[Block]:
    if not group.decisions:
        yield Paragraph((line("Nothing is changed."),))
        return
    findings = {each.recommendation.id: each for each in first.findings}
    today = {name_of(each).short: now_of(each, first.start).short for each in first.findings}
    rows = (
        (
            line(Typed(each.name)),
            line(Typed(_now(group, each, today))),
            line(Typed(_then(group, each))),
            line(TAKES[Effect(each.takes)]),
            line(findings[each.id].risk.value),
            line(STATES[each.state]),
            line(findings[each.id].because, f"; {each.decided}" if each.decided else ""),
        )
        for each in group.decisions
    )
    why = f"why, on {group.hosts[0].host}"
    yield Table(("setting", "now", "then", "takes", "risk", "", why), tuple(rows))


def _now(group: Group, decision: Decision, first: dict[str, str]) -> str:
    found = {
        dict(zip(each.read, each.now, strict=True)).get(decision.name, first[decision.name])
        for each in group.hosts
    }
    return found.pop() if len(found) == 1 else "by host"


def _then(group: Group, decision: Decision) -> str:
    return group.value(decision) or "by host, below"


def _differs(group: Group) -> Iterator[Block]:
    if not (differs := group.differs):
        return
    yield heading(2, "What differs from host to host")
    head = ("host", *(each.name for each in differs))
    rows = zip((each.host for each in group.hosts), *differs.values(), strict=True)
    yield Table(head, tuple(tuple(line(Typed(cell)) for cell in row) for row in rows))


def _memory(group: Group) -> Iterator[Block]:
    budgets = [each.memory for each in group.hosts if each.memory]
    yield heading(2, "Memory with the plan")
    if len(budgets) < len(group.hosts):
        without = how_many(len(group.hosts) - len(budgets), "host")
        yield Paragraph((line(f"No budget can be computed for {without}."),))
    if budgets:
        columns = zip(PARTS, zip(*budgets, strict=True), strict=True)
        rows = (
            (line(PARTS[name]), line(Bytes(min(found)).human()), line(Bytes(max(found)).human()))
            for name, found in columns
        )
        yield Table(("", "least", "most"), tuple(rows))


def _drift(group: Group) -> Iterator[Block]:
    found = tuple(drift_in(group))
    if not found:
        return
    yield heading(2, "Values today that differ from those of most hosts")
    rows = ((each.host, each.name, each.found, each.most, f"{float(each.share):.0%}") for each in found)
    cells = (tuple(line(Typed(cell)) for cell in row) for row in rows)
    yield Table(("host", "setting", "here", "most hosts", "of the group"), tuple(cells))


def _order(group: Group, waves: Waves) -> Iterator[Block]:
    members = {each.host for each in group.hosts}
    yield Bullets(
        tuple(
            line(f"wave {number}: {', '.join(here)}")
            for number, wave in enumerate(waves, start=1)
            if (here := [host for host in wave if host in members])
        )
    )
