"""What each host of a fleet was planned from, as digests: whether a saved decision still stands on it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tunewiz.collect.system import regular_content
from tunewiz.core.fleet.hosts import HostPlan, HostResult
from tunewiz.core.fleet.labels import ENVIRONMENT, GROUP, ROLE
from tunewiz.core.values.errors import InputError
from tunewiz.fleet.answers import FleetAnswers, document_for
from tunewiz.session.fleet_record import Basis


def bases_of(results: Iterable[HostResult], answers: FleetAnswers) -> Mapping[str, Basis]:
    """Of every host that has a plan."""
    files = replace(answers, own={})
    return {
        result.host: Basis(facts=result.digest, answers=_digest(result.host, files))
        for result in results
        if isinstance(result, HostPlan)
    }


def unchanged(bases: Mapping[str, Basis], files: Iterable[str], answers: FleetAnswers) -> frozenset[str]:
    """The hosts whose facts are, byte for byte, in one of these files, and whose answers are as they were."""
    there, plain = frozenset(_digests(files)), replace(answers, own={})
    return frozenset(
        host for host, basis in bases.items() if basis.facts in there and _answered(host, basis, plain)
    )


def _answered(host: str, basis: Basis, answers: FleetAnswers) -> bool:
    try:
        return basis.answers == _digest(host, answers)
    except InputError:  # two groups name it now, which its plan tells
        return False


def _digest(host: str, answers: FleetAnswers) -> str:
    document = json.dumps(document_for(host, answers), sort_keys=True, default=str)
    policy = answers.policy.text if answers.policy else ""
    labels = _by_labels(host, answers) if answers.looks_at_labels else ""
    return hashlib.sha256(f"{document}{policy}{labels}".encode()).hexdigest()


def _by_labels(host: str, answers: FleetAnswers) -> str:
    """What the host's answers depend on besides: its labels, and the answers that its role may choose."""
    names = {*answers.label_names, ROLE, ENVIRONMENT, GROUP}
    entries = answers.inventories.entries(host)
    stated = [sorted(item for item in entry.labels.items() if item[0] in names) for entry in entries]
    return f"{stated}{answers.labelled}{answers.groups}{answers.environments}"


def _digests(files: Iterable[str]) -> Iterator[str]:
    for file in files:
        try:
            yield hashlib.sha256(regular_content(file)).hexdigest()
        except (OSError, ValueError):  # its plan tells why it cannot be read
            continue
