"""Page one of a review: all that a board needs to decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tunewiz.bundle.placement import Placement
from tunewiz.bundle.review.blocks import (
    Block,
    Bullets,
    CodeText,
    Line,
    Paragraph,
    Strong,
    TableBlock,
    heading,
    line,
    marked,
    names,
)
from tunewiz.bundle.review.change import PAGE_ONE, on_page_one
from tunewiz.bundle.review.decision import decision
from tunewiz.bundle.review.interruption import interruption
from tunewiz.bundle.review.proof import in_one_line
from tunewiz.bundle.review.typed import commands_in
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.impact import by_impact
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.urgent import FIRST
from tunewiz.core.proof.proof import Proof
from tunewiz.core.recommendation.cluster import Cluster
from tunewiz.core.recommendation.situation import NoServer
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.finding import UNREAD, name_of, now_of

CHANGES = "Changes: safety first, then by the least that was gained anywhere"
OUT_OF_REACH = "Wanted, but out of this bundle's reach"
ROWS_OUT_OF_REACH = 12
"""The others are in an appendix: page one stays a page."""
REST_OUT_OF_REACH = "Out of this bundle's reach too"


def page_one(plan: Plan, placement: Placement) -> Iterator[Block]:
    """Its blocks; without changes there is nothing to decide, and the page says so."""
    yield heading(1, title_of(plan))
    yield Paragraph(tuple(_head(plan, placement)))
    yield heading(2, CHANGES)
    if placement.count:
        yield _table(placement.findings, plan)
    else:
        yield Paragraph((line("Nothing is changed."),))
    yield from _out_of_reach(plan, placement)
    if placement.count:
        yield heading(2, "What it costs, and who will notice")
        yield Bullets(tuple(interruption(plan, placement)))
        yield from decision(plan, placement)


def _table(findings: Iterable[Finding], plan: Plan) -> TableBlock:
    numbered = enumerate(by_impact(findings), start=1)
    return TableBlock(
        PAGE_ONE, tuple(on_page_one(number, finding, plan.start) for number, finding in numbered)
    )


def _out_of_reach(plan: Plan, placement: Placement) -> Iterator[Block]:
    if not placement.out_of_reach:
        return
    yield heading(2, OUT_OF_REACH)
    first, rest = _told_in_rows(placement)
    yield _table(first, plan)
    reasons = dict[str, list[str]]()
    for unreachable in placement.out_of_reach:
        reasons.setdefault(unreachable.why, []).append(name_of(unreachable.finding).short)
    more = (line(f"{len(rest)} more: in the appendix, “{REST_OUT_OF_REACH}”"),) if rest else ()
    yield Bullets((*more, *(line(*names(*reason), f": {why}") for why, reason in reasons.items())))


def rest_out_of_reach(plan: Plan, placement: Placement) -> Iterator[Block]:
    """An appendix with what had no row on page one, if there is any."""
    _, rest = _told_in_rows(placement)
    if rest:
        yield heading(2, REST_OUT_OF_REACH)
        yield _table(rest, plan)


def _told_in_rows(placement: Placement) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Those with a row on page one, and the others."""
    findings = by_impact(unreachable.finding for unreachable in placement.out_of_reach)
    return findings[:ROWS_OUT_OF_REACH], findings[ROWS_OUT_OF_REACH:]


def title_of(plan: Plan) -> str:
    """The title of the document."""
    return f"Change bundle for {known_or(plan.start.facts.host.name, 'a host without a name')}"


def _head(plan: Plan, placement: Placement) -> Iterator[Line]:
    downtime = "one restart of PostgreSQL" if placement.restart else "no restart"
    reboot = "a reboot" if placement.reboot else "no reboot"
    for warning in plan.warnings:
        if warning.code in FIRST:
            yield line(Strong("First"), f": {warning.text}")
    size = f"{changes_in_words(placement)}, {downtime}, {reboot}."
    yield marked(f"{size} Nothing has been changed yet: `apply.sh` does it.")
    yield line("Planned for ", *_host(plan), "; ", *_server(plan, placement), "; ", _workload(plan), ".")
    if isinstance(plan.start.proof, Proof):
        yield in_one_line(plan.start.proof)
    yield line(f"Permissions needed: {_permissions(plan, placement)}.")
    others = (warning for warning in plan.warnings if warning.code not in FIRST)
    yield from ((Strong("Careful"), *commands_in(f": {warning.text}")) for warning in others)
    changes = (*placement.findings, *(unreachable.finding for unreachable in placement.out_of_reach))
    if any(now_of(change, plan.start).more == UNREAD for change in changes):
        yield line("Values in brackets below: the default, where the current value was not read.")


def _host(plan: Plan) -> Line:
    host = plan.start.facts.host
    about = (known_or(host.architecture, ""), known_or(host.kernel, ""), known_or(host.distribution, ""))
    text = ", ".join(name for name in about if name)
    return line(CodeText(known_or(host.name, "not known")), f" ({text})" if text else "")


def _server(plan: Plan, placement: Placement) -> Line:
    server = plan.start.server
    if isinstance(server, NoServer):
        return line(f"PostgreSQL {plan.start.major}; {server.why}")
    directory = known_or(server.data_directory, "")
    version = known_or(server.version, str(plan.start.major))
    beyond = "" if isinstance(placement.cluster, Cluster) else f"; {placement.cluster.why}"
    place = (" in ", CodeText(directory)) if directory else ()
    return line(f"PostgreSQL {version}", *place, beyond)


def _workload(plan: Plan) -> str:
    answers = plan.start.answers
    connections = how_many(answers.workload.connections, "connection")
    size = answers.workload.database_size.human()
    return f"{plan.start.workload.title}, {connections}, {size} of data; posture {answers.risk.posture}"


def _permissions(plan: Plan, placement: Placement) -> str:
    risk = plan.start.answers.risk
    said = {"restart": risk.restart, "reboot": risk.reboot, "kernel settings": risk.kernel}
    agreed = (
        ", ".join(name for name, allowed in said.items() if allowed) or "neither restart nor kernel settings"
    )
    user = "" if isinstance(plan.start.server, NoServer) else known_or(plan.start.server.os_user, "")
    sql = f", which use SQL as {user}" if user and placement.settings else ""
    recovery = f"recovery after a crash within {risk.recovery_time.pg()}"
    return f"root (sudo) for the scripts{sql}; agreed to in the answers: {agreed}, {recovery}"


def changes_in_words(placement: Placement) -> str:
    """How many; one of them may set several roles' values, each of which the scripts count."""
    of_roles = [change.finding.recommendation.id for change in placement.host if change.action.asks_server]
    settings, changes = len(of_roles), len(frozenset(of_roles))
    beside = f" ({settings} settings of roles counted as {changes})" if settings > changes else ""
    return f"{how_many(placement.count, 'change')}{beside}"
