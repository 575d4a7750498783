"""Decisions for a whole group, and a fleet's answers as files in a directory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from tunewiz.core.answers.answers import SCHEMA, Decision
from tunewiz.core.answers.form import decision_document
from tunewiz.fleet.answers import GROUPS, FleetAnswers, document_for
from tunewiz.fleet.policy import SCHEMA as POLICY_SCHEMA
from tunewiz.fleet.policy import Policy
from tunewiz.formats import toml
from tunewiz.formats.structure import is_list, is_table


def with_decisions(
    answers: FleetAnswers, hosts: Iterable[str], decisions: Mapping[str, Decision]
) -> FleetAnswers:
    """The answers with exactly these decisions for these hosts, whatever the files say."""
    own = {name: decision_document(decision) for name, decision in sorted(decisions.items())}
    return replace(answers, own={**answers.own, **dict.fromkeys(hosts, own)})


def answers_files(answers: FleetAnswers, hosts: Mapping[str, str]) -> Mapping[str, str]:
    """Files by path in a directory: one group for all hosts with equal answers; `hosts` has their roles."""
    alike = dict[str, list[str]]()
    for host, role in sorted(hosts.items()):
        alike.setdefault(toml.dumps(document_for(host, answers, role)), []).append(host)
    return {
        f"{GROUPS}/answers-{number}.toml": _file(document_for(named[0], answers, hosts[named[0]]), named)
        for number, named in enumerate(alike.values(), start=1)
    }


_OF_MANY = frozenset({"groups", "environments", "labels"})
"""What only these answers and inventories give hosts."""


def policy_file(policy: Policy, answers: FleetAnswers, hosts: Mapping[str, str]) -> str:
    """The rules beside these files: hosts instead of groups, environments and labels, which are not there."""
    there = [answers.labels(host, role) for host, role in sorted(hosts.items())]
    rules = toml.loads(policy.text, policy.where).get("rules", [])
    documents = list[dict[str, object]]()
    for rule, document in zip(policy.rules, rules if is_list(rules) else [], strict=True):
        kept = (
            {name: value for name, value in document.items() if name not in _OF_MANY}
            if is_table(document)
            else {}
        )
        named = [labels.host for labels in there if replace(rule, role=None).concerns(labels)]
        of_all = rule.groups is None and rule.environments is None and rule.labels is None
        if named or of_all:
            documents.append(kept if of_all else {**kept, "hosts": named})
    return toml.dumps({"schema": POLICY_SCHEMA, "rules": documents})


def _file(document: Mapping[str, object], hosts: list[str]) -> str:
    answers = {name: value for name, value in document.items() if value != {}}
    return toml.dumps({"schema": SCHEMA, "hosts": hosts, **answers})
