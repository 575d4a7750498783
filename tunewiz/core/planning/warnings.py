"""Warnings that an administrator should read before trusting a plan; scripts may check their codes."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.answers.answers import Replaced
from tunewiz.core.facts.server import PostgresServer, not_asked
from tunewiz.core.kernel.tuned_profiles import to_include
from tunewiz.core.planning.disk_room import disk_room
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.huge_page_warnings import huge_page_warnings
from tunewiz.core.planning.keeper_targets import target_for
from tunewiz.core.planning.kept_wal import kept_wal
from tunewiz.core.planning.kernel_preemption import preemption_in_words
from tunewiz.core.planning.lock_waits import lock_waits
from tunewiz.core.planning.memory_warnings import container_warnings, memory_warnings
from tunewiz.core.planning.ownership import child_profile, keeper_of, profile_lines, rival_of
from tunewiz.core.planning.startable import fits_within, startable
from tunewiz.core.planning.startup_checks import clashes
from tunewiz.core.planning.table_only import table_in_words
from tunewiz.core.planning.urgent import data_at_risk, repaired_memory
from tunewiz.core.planning.value_warnings import value_warnings
from tunewiz.core.planning.zfs_cache import arc_in_words
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.targets import PgTarget, SysctlTarget, SysfsTarget
from tunewiz.core.server.override_layers import out_of_reach, overridden, unusable_lines, waiting
from tunewiz.core.server.replication import signs_of_standbys, standbys
from tunewiz.core.server.sessions import slots
from tunewiz.core.server.standby import bound, is_standby, order_of_changes
from tunewiz.core.server.temp_buffers import temp_buffers_in_words
from tunewiz.core.values.end_of_life import END_OF_LIFE
from tunewiz.core.values.known import Known, MissingFact, Unknown, known_or
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanWarning:
    """One warning."""

    code: str
    text: str


def warnings_of(
    start: Situation, end: Situation, findings: tuple[Finding, ...], *, before_fits: bool, after_fits: bool
) -> tuple[PlanWarning, ...]:
    """All warnings for a plan, in a fixed order."""
    memory = memory_warnings(end, before_fits=before_fits, after_fits=after_fits)
    return (
        *(PlanWarning(code=code, text=text) for code, text in (*_first(start, end), *memory)),
        *_one_text(end),
        *_refused(end),
        *_start(start, end),
        *_by_hand(end, findings),
        *_server(start),
        *_layers(start, findings),
        *_order(start, end),
        *_storage(start),
        *(PlanWarning(code=code, text=text) for code, text in _plain(start, end, before_fits=before_fits)),
        *_workload(end),
        *_owners(start, findings),
        *(PlanWarning(code=code, text=text) for code, text in container_warnings(end)),
        *_host(end, findings),
    )


def _first(start: Situation, end: Situation) -> Iterator[tuple[str, str]]:
    yield from (*startable(start, end), *data_at_risk(start, end))


def _plain(start: Situation, end: Situation, *, before_fits: bool) -> Iterator[tuple[str, str]]:
    yield from repaired_memory(start, end, before_fits=before_fits)
    yield from (*disk_room(end), *kept_wal(end), *lock_waits(start))
    yield from (*huge_page_warnings(start, end), *fits_within(end))


def _one_text(end: Situation) -> Iterator[PlanWarning]:
    texts = {"zfs_cache": arc_in_words(end), "kernel_preemption": preemption_in_words(end)}
    texts["temp_buffers"] = temp_buffers_in_words(end)
    texts["table_only"] = table_in_words(end)
    yield from (PlanWarning(code=code, text=text) for code, text in texts.items() if text)


def _refused(situation: Situation) -> Iterator[PlanWarning]:
    if situation.connections > (let_in := slots(situation)):
        text = (
            f"{situation.connections:,} clients are expected, but the server lets in {let_in:,}: "
            "the others are refused (“too many clients already”). Raise max_connections, or put a connection "
            "pool in front and enter its size as the number of clients."
        )
        yield PlanWarning(code="connections_refused", text=text)


def _start(start: Situation, end: Situation) -> Iterator[PlanWarning]:
    """Of a server that is down, what is not among the reasons that the first warning tells."""
    is_down = isinstance(start.server, PostgresServer) and not start.server.running
    before = {clash.names for clash in clashes(start)} if is_down else set[tuple[str, ...]]()
    for clash in clashes(end):
        if clash.names not in before:
            text = f"The server would not start as it is set: {clash.text}."
            yield PlanWarning(code="would_not_start", text=text)


def _by_hand(situation: Situation, findings: tuple[Finding, ...]) -> Iterator[PlanWarning]:
    names = [
        finding.recommendation.target.name
        for finding in findings
        if finding.changes and isinstance(finding.decision, Replaced)
    ]
    for text in value_warnings(situation, frozenset(names)):
        yield PlanWarning(code="set_by_hand", text=text)


def _server(situation: Situation) -> Iterator[PlanWarning]:
    match situation.server:
        case NoServer(why=why, own_terms=terms):
            text = (
                f"{why}: the plan is for PostgreSQL {situation.major}, as if all "
                f"its settings had their defaults."
            )
            yield PlanWarning(code="no_server", text=text)
            if terms:
                yield PlanWarning(code="server_too_old", text=terms)
        case PostgresServer(role=Known("standby")):
            yield PlanWarning(
                code="standby",
                text="This server is a standby: settings that its primary must not exceed may not be "
                f"lower here ({', '.join(bound(situation))}).",
            )
        case PostgresServer(settings=Known()) as server if why := not_asked(server):
            yield PlanWarning(
                code="server_not_asked",
                text=f"The server could not be queried ({why}): its settings are taken from its files.",
            )
        case _:
            pass
    if len(situation.facts.postgres) > 1 and situation.answers.server.data_directory is None:
        yield PlanWarning(
            code="server_chosen", text=f"Several servers were found and none was named: {_chosen(situation)}."
        )
    if situation.running_servers > 1:
        yield PlanWarning(code="several_servers", text=_shared_machine(situation))
    if situation.major in END_OF_LIFE:
        ended = END_OF_LIFE[situation.major]
        yield PlanWarning(
            code="end_of_life",
            text=f"PostgreSQL {situation.major} has had no fixes since {ended}: an "
            f"upgrade does more than tuning.",
        )
    if standbys(situation):
        signs = ", ".join(signs_of_standbys(situation))
        yield PlanWarning(
            code="replicas",
            text=f"There are standbys{f' ({signs})' if signs else ''}: "
            f"{', '.join(bound(situation))} must never be "
            "lower there than here.",
        )


def _shared_machine(situation: Situation) -> str:
    gets = (
        f"{situation.running_servers} servers run on this machine: this one gets "
        f"{float(situation.memory_share):.0%}"
    )
    amount = f", {situation.memory.human()}" if isinstance(situation.facts.memory.total, Known) else ""
    return (
        f"{gets} of its memory{amount}. Enter another share on the server's page, or as server.memory_share "
        "in the answers."
    )


def _layers(situation: Situation, findings: tuple[Finding, ...]) -> Iterator[PlanWarning]:
    if not isinstance(situation.server, PostgresServer):
        return
    names = frozenset(
        finding.recommendation.target.name
        for finding in findings
        if finding.sets and isinstance(finding.recommendation.target, PgTarget)
    )
    server = situation.server
    texts = {
        "overridden": overridden(server, names),
        "out_of_reach": out_of_reach(server, names),
        "unusable_line": unusable_lines(server),
        "waits_for_restart": waiting(server),
    }
    yield from (PlanWarning(code=code, text=text) for code, sentences in texts.items() for text in sentences)


def _order(start: Situation, end: Situation) -> Iterator[PlanWarning]:
    if is_standby(start) or standbys(start):
        yield from (PlanWarning(code="order", text=text) for text in order_of_changes(start, end))


def _chosen(situation: Situation) -> str:
    match situation.server:
        case PostgresServer(data_directory=Known(value=directory)):
            return f"this plan is for the one in {directory}"
        case _:
            return "name one by its data directory"


def _storage(situation: Situation) -> Iterator[PlanWarning]:
    try:
        _ = situation.storage_kind
    except MissingFact as missing:
        yield PlanWarning(
            code="storage_unknown",
            text=f"The kind of storage that holds the data is not known ({missing.why}): values are as "
            "careful as on spinning disks. Say it on the server's page, or in the answers: server.storage is "
            "hdd, ssd, nvme or san.",
        )


def _workload(situation: Situation) -> Iterator[PlanWarning]:
    if situation.workload.caution:
        yield PlanWarning(code="workload_not_measured", text=situation.workload.caution)


def _owners(situation: Situation, findings: tuple[Finding, ...]) -> Iterator[PlanWarning]:
    owners, keeper = situation.facts.owners, keeper_of(situation)
    if keeper and any(
        isinstance(finding.recommendation.target, PgTarget) and finding.sets for finding in findings
    ):
        text = (
            f"{keeper} manages this server's settings: the bundle leaves them alone, set them through "
            f"{keeper}."
        )
        bundle = f"`tunewiz bundle --target {target_for(keeper)}` writes a bundle for it."
        yield PlanWarning(code="settings_keeper", text=f"{text} Each item lists the steps; {bundle}")
    ours = [
        finding
        for finding in findings
        if isinstance(finding.recommendation.target, SysctlTarget | SysfsTarget)
    ]
    if isinstance(owners.tuned, Known) and any(our.changes for our in ours):
        yield PlanWarning(code="tuned", text=_tuned(situation, owners.tuned.value, ours))
    rivals = [rival_of(our.recommendation.target, situation) for our in ours if our.state == "declined"]
    if won := sorted({rival.place for rival in rivals if rival is not None}):
        text = f"Other files override the bundle's at every boot: {', '.join(won)}."
        yield PlanWarning(code="rival_files", text=text)
    if isinstance(owners.rivals, Unknown) and not isinstance(owners.tuned, Unknown) and ours:
        text = f"It is unknown whether other files override the bundle's: {owners.rivals.why}."
        yield PlanWarning(code="rival_files_unread", text=text)
    managed = known_or(owners.managed, ())
    for tool in sorted({entry.by for entry in managed}):
        files = ", ".join(entry.path for entry in managed if entry.by == tool)
        text = f"{tool} manages {files}: make the changes there too, or its next run may undo them."
        yield PlanWarning(code="managed_files", text=text)


def _tuned(situation: Situation, profile: str, findings: list[Finding]) -> str:
    """The complete profile that would keep the plan's values, in words."""
    steps = child_profile(
        to_include(situation),
        profile_lines((finding.recommendation.target, finding.sets) for finding in findings),
    )
    return (
        f"tuned is active with the profile {profile}: a switch of profiles overwrites values until they are "
        f"written again. To have tuned keep those of the plan: {'; '.join(steps)}."
    )


def _host(situation: Situation, findings: tuple[Finding, ...]) -> Iterator[PlanWarning]:
    if situation.in_container:
        yield PlanWarning(
            code="container",
            text="The server runs in a container: kernel settings belong to the host and affect its other "
            "guests.",
        )
    if not any(finding.changes for finding in findings):
        waits = any(finding.state == "advise" for finding in findings)
        why = "what is left is for you to decide or do" if waits else "each item gives the reason"
        what = "Nothing changes by itself" if waits else "Nothing needs to change"
        yield PlanWarning(code="nothing_to_change", text=f"{what}: {why}.")
