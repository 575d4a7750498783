"""Writes a fleet: groups.json, a review of each group, a bundle for each host, the Ansible project."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from tunewiz.bundle.manifest import SUMS
from tunewiz.bundle.write import READABLE, RUNNABLE, write_bundle, write_whole
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import outliers
from tunewiz.core.fleet.hosts import HostPlan
from tunewiz.core.values.plural import how_many
from tunewiz.fleet.ansible import HostVariables, collecting, project
from tunewiz.fleet.answers import FleetAnswers
from tunewiz.fleet.one_host import planned_again
from tunewiz.fleet.own_answers import answers_files, policy_file
from tunewiz.fleet.planning import Progress
from tunewiz.fleet.policy import POLICY
from tunewiz.fleet.review import group_review
from tunewiz.fleet.workers import for_each
from tunewiz.formats.fleet import fleet_json
from tunewiz.formats.records import answers_to_toml, facts_to_json

BUNDLES = "bundles"
ANSIBLE = "ansible"
ANSWERS = "answers"
DIGITS = 32
"""Digits of a bundle's digest in the name of its directory on the host."""


def write_fleet(fleet: Fleet, answers: FleetAnswers, directory: Path, progress: Progress) -> None:
    """Makes the directory with everything in it, whole or not at all.

    Raises:
        BundleError: It exists, or cannot be written, or a host has a plan that no bundle can carry.
        InputError: A file has changed since it was read.
    """
    write_whole(directory, lambda sibling: _fill(sibling, fleet, answers, progress))


def written_in_words(fleet: Fleet, directory: Path) -> str:
    """What was written, and what to do with it; without a final newline."""
    reviews = how_many(len(fleet.groups), "review")
    return (
        f"{how_many(fleet.count, 'bundle')} and {reviews} are in {directory}; nothing has been changed yet.\n"
        f"Read {directory}/REVIEW-*.md, then {directory}/ansible/README.md, which says how to apply them in "
        "waves."
    )


def write_collecting(directory: Path) -> None:
    """Makes the directory with the playbook that reads hosts; raises BundleError as `write_fleet`."""
    write_whole(directory, lambda sibling: _put_all(sibling, collecting()))


def _fill(directory: Path, fleet: Fleet, answers: FleetAnswers, progress: Progress) -> None:
    hosts = sorted((host for group in fleet.groups for host in group.hosts), key=lambda host: host.host)
    bundles = directory / BUNDLES
    bundles.mkdir()
    variables = dict[str, HostVariables]()
    write = partial(_write_one, directory=str(bundles), answers=answers)
    for count, (host, bundle) in enumerate(zip(hosts, for_each(write, hosts), strict=True), start=1):
        variables[host.host] = HostVariables(bundle=bundle)
        progress(count)
    _put(directory / "groups.json", fleet_json(fleet))
    apart = outliers(fleet.groups)
    for group in fleet.groups:
        first = planned_again(group.hosts[0], answers)
        text = group_review(group, apart.get(group.name), fleet.waves, first.plan)
        _put(directory / f"REVIEW-{group.name}.md", text)
    _put_all(directory / ANSIBLE, project(fleet, variables))
    roles = {host.host: host.role for host in hosts}
    _put_all(directory / ANSWERS, answers_files(answers, roles))
    if answers.policy is not None:
        rules = policy_file(answers.policy, answers, roles)
        _put(directory / ANSWERS / POLICY, rules)


def _write_one(host: HostPlan, directory: str, answers: FleetAnswers) -> str:
    """Write a host's bundle; digits that only this bundle has."""
    planned = planned_again(host, answers)
    place = Path(directory) / host.host
    write_bundle(planned.plan, place, facts_to_json(planned.facts), answers_to_toml(planned.answers))
    return hashlib.sha256((place / SUMS).read_bytes()).hexdigest()[:DIGITS]


def _put_all(directory: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        _put(directory / name, text)


def _put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    file.chmod(RUNNABLE if file.suffix == ".sh" else READABLE)
