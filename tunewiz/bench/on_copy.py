"""A bundle's plan as it is carried out on a copy of its server: the same values, in the copy's own files.

Only PostgreSQL's settings: a change of the machine would reach every other server on it.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tunewiz.bench.bundle import BundleRead
from tunewiz.bench.copied import Copied
from tunewiz.bench.errors import RefusedError
from tunewiz.bench.variants import is_written_from, part_of
from tunewiz.bundle.check import damage_of
from tunewiz.bundle.manifest import SUMS, digest_of
from tunewiz.bundle.placement import Placement
from tunewiz.bundle.placing import placed
from tunewiz.bundle.reopen import ANSWERS, FACTS, proof_in, written_from
from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer
from tunewiz.core.planning.plan import Plan
from tunewiz.core.proof.proof import LeftOut
from tunewiz.core.recommendation.cluster import Cluster
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import make_plan

OF_THE_MACHINE = "a change of the whole machine, not of the copy alone"
NEEDS_PAGES = "it needs huge pages that are reserved, which is a change of the whole machine"
ITS_OWN = frozenset(
    {
        *("data_directory", "config_file", "hba_file", "ident_file", "external_pid_file", "port"),
        *("listen_addresses", "unix_socket_directories", "cluster_name", "archive_mode", "archive_command"),
        *("archive_library", "primary_conninfo", "primary_slot_name", "max_logical_replication_workers"),
        *("server_version", "server_version_num", "data_directory_mode", "lc_messages", "in_hot_standby"),
    }
)
"""Settings in which a copy differs from its server anyway."""
SAYS_NOTHING = ("log_", "ssl", "cron.", "krb_")
"""Beginnings of names of settings that hardly change what is measured."""
MOST_NAMES = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class OnCopy:
    """What is carried out on a copy, and what is not."""

    plan: Plan
    ids: frozenset[str]
    """Of its changes."""
    left_out: tuple[LeftOut, ...]


def same_plan(bundle: BundleRead) -> Plan:
    """The plan of a bundle, made again.

    Raises:
        InputError: A file of the bundle cannot be read.
        RefusedError: This version makes another bundle of the same facts, or it was changed.
    """
    facts, answers = written_from(bundle.directory)
    plan = make_plan(facts, answers, load_knowledge(), proof_in(bundle.directory))
    texts = ((bundle.directory / name).read_text(encoding="utf-8") for name in (FACTS, ANSWERS))
    if not is_written_from(plan, bundle.directory, *texts):
        raise RefusedError(
            "this version makes another bundle from its facts and answers, so none can be made for a copy",
            "Write it again with this version: tunewiz --reopen BUNDLE, or tunewiz bundle.",
        )
    if digest_of((bundle.directory / SUMS).read_bytes()) != bundle.digest or damage_of(bundle.directory):
        raise RefusedError(f"{bundle.directory}: was changed while it was read")
    return plan


def on_copy(plan: Plan, copied: Copied) -> OnCopy:
    """The plan on the copy; raises RefusedError where the copy is not set as the server is, or cannot be."""
    servers = (copied.server, *copied.others)
    facts = dataclasses.replace(plan.start.facts, host=copied.machine.host, postgres=servers)
    there = dataclasses.replace(
        plan, start=dataclasses.replace(plan.start, server=copied.server, facts=facts)
    )
    placement = placed(there)
    _check_files(placement, copied)
    left = tuple(_left_out(placement))
    ids = _ids(each.finding.recommendation.id for each in placement.settings) - _ids(each for each, _ in left)
    _check_values(placement, ids, plan.start, there.start)
    if not ids:
        raise RefusedError("nothing to measure on a copy: the bundle changes no setting of PostgreSQL there")
    return OnCopy(
        plan=part_of(there, ids), ids=ids, left_out=tuple(LeftOut(what=each, why=why) for each, why in left)
    )


def _ids(found: Iterable[str]) -> frozenset[str]:
    return frozenset(found)


def _left_out(placement: Placement) -> Iterator[tuple[str, str]]:
    """Changes by id, with the reason."""
    of_machine = (*placement.sysctls, *placement.choices, *placement.host)
    for each in dict.fromkeys(one.finding.recommendation.id for one in of_machine):
        yield each, OF_THE_MACHINE
    for each in placement.out_of_reach:
        yield each.finding.recommendation.id, each.why
    for each in placement.settings:
        if (each.name, each.value) == ("huge_pages", "on"):
            yield each.finding.recommendation.id, NEEDS_PAGES


def _check_values(placement: Placement, ids: frozenset[str], there: Situation, here: Situation) -> None:
    """A change is from one value to another: the copy must have the value that the bundle was planned on."""
    names = [each.name for each in placement.settings if each.finding.recommendation.id in ids]
    values = ((name, there.setting(name), here.setting(name)) for name in names)
    differing = [
        f"{name} is {known_or(found, 'unknown')}, expected {planned.value}"
        for name, planned, found in values
        if isinstance(planned, Known) and known_or(found, "") != planned.value
    ]
    if differing:
        raise RefusedError(
            "\n  ".join(("the copy is not set as the server was when the bundle was written:", *differing)),
            "Give it the server's configuration, except for its port and what it must not reach.",
        )


def _check_files(placement: Placement, copied: Copied) -> None:
    """What is written must be the copy's alone, and its owner's: root follows nobody's links elsewhere."""
    cluster = placement.cluster
    if not isinstance(cluster, Cluster):
        raise RefusedError(f"{copied.directory}: its settings cannot be changed: {cluster.why}")
    owner = Path(copied.directory).stat().st_uid
    for file in dict.fromkeys(
        (cluster.config_file, cluster.drop_in or cluster.config_file, cluster.auto_conf)
    ):
        folder = Path(os.path.realpath(file)).parent
        if folder.stat().st_uid != owner:
            raise RefusedError(f"{file}: expected a directory of the copy's owner: its settings go there")
        for other in copied.others:
            if _reads(other, folder):
                where = known_or(other.data_directory, "an unknown directory")
                raise RefusedError(
                    f"{file}: configures the server in {where} too, which the copy's settings would reach",
                    "Start the copy with a configuration of its own.",
                )


def _reads(server: PostgresServer, folder: Path) -> bool:
    """Whether a server reads its configuration, or keeps its data, where a file would be written."""
    data, config = known_or(server.data_directory, ""), known_or(server.config_file, "")
    included = known_or(server.include_directory, "")
    parent = str(Path(config).parent) if config else ""
    directories = {os.path.realpath(each) for each in (parent, included) if each}
    return str(folder) in directories or (bool(data) and folder.is_relative_to(os.path.realpath(data)))


def cannot_tell_on_copy(copied: Copied, start: Situation) -> Iterator[str]:
    """What figures of a copy do not show of its server."""
    if copied.is_beside:
        yield (
            "The server itself ran on this machine too: it and the copy shared processors, memory and disks."
        )
    if not copied.is_here:
        name = known_or(start.facts.host.name, "another machine")
        yield (
            f"The server is on another machine ({name}): figures there may differ, and `--proof` accepts a "
            "measurement for a plan only on the machine where it was made."
        )
    names = [] if isinstance(start.server, NoServer) else sorted(_differing(copied.server, start.server))
    if names:
        rest = len(names) - MOST_NAMES
        more = f" and {how_many(rest, 'other')}" if rest > 0 else ""
        yield f"The copy differs from the server in other settings: {', '.join(names[:MOST_NAMES])}{more}."


def _differing(copy: PostgresServer, server: PostgresServer) -> Iterator[str]:
    here, there = known_or(copy.settings, NO_SETTINGS), known_or(server.settings, NO_SETTINGS)
    for name in here.keys() & there.keys():
        if (
            name not in ITS_OWN
            and not name.startswith(SAYS_NOTHING)
            and here[name].value != there[name].value
        ):
            yield name
