"""The Ansible project around the bundles: fixed playbooks and scripts, and an inventory of pure data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tunewiz.collect.script import collector
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.hosts import RESERVED
from tunewiz.formats import yaml
from tunewiz.package_files import package_file

FLEET = f"{RESERVED}fleet"
"""The group of all hosts, as the playbooks name it."""

_PLACES: Mapping[str, str] = {
    "README.md": "README.md",
    "ansible.cfg": "ansible.cfg",
    "group_vars.yml": f"group_vars/{FLEET}.yml",
    "collect.yml": "collect.yml",
    "check.yml": "check.yml",
    "verify.yml": "verify.yml",
    "drift.yml": "drift.yml",
    "put.yml": "tasks/put.yml",
    "record.yml": "tasks/record.yml",
    "judge.yml": "tasks/judge.yml",
    "pack.sh": "scripts/pack.sh",
    "unpack.sh": "scripts/unpack.sh",
    "keep.sh": "scripts/keep.sh",
    "record.sh": "scripts/record.sh",
    "finished.sh": "scripts/finished.sh",
    "health.sh": "scripts/health.sh",
    "metrics.sh": "scripts/metrics.sh",
    "drifted.sh": "scripts/drifted.sh",
}
"""Where each file of this package lies in a project."""

_WAVES = '  serial: [1, "10%", "100%"]\n'
_ALL = '  serial: ["100%"]\n'
"""The lines of the playbooks that name the sizes of the waves."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HostVariables:
    """What the playbooks need of a host."""

    bundle: str
    """Hexadecimal digits that only this bundle has: its directory on the host."""


def project(fleet: Fleet, variables: Mapping[str, HostVariables]) -> Mapping[str, str]:
    """Texts by path below the project."""
    sizes = [len(wave) for wave in fleet.waves]
    return {
        **{place: _file(name) for name, place in _PLACES.items()},
        "scripts/collect.sh": collector(),
        "apply.yml": _with_waves("apply.yml", _WAVES, sizes),
        "rollback.yml": _with_waves("rollback.yml", _ALL, sizes[::-1]),
        "inventory.yml": f"---\n# {_HEAD}\n{yaml.dumps(_inventory(fleet, variables))}",
    }


def collecting() -> Mapping[str, str]:
    """The part of a project that reads hosts before anything is known of them."""
    names = ("ansible.cfg", "collect.yml", "keep.sh")
    texts = {_PLACES[name]: _file(name) for name in names}
    return {**texts, "scripts/collect.sh": collector()}


def _file(name: str) -> str:
    return package_file(__name__, name).read_text(encoding="utf-8")


def _with_waves(name: str, line: str, sizes: Sequence[int]) -> str:
    before, there, after = _file(name).partition(line)
    assert there, name  # noqa: S101 - a test looks at it
    return f"{before}  serial: [{', '.join(map(str, sizes))}]\n{after}"


_HEAD = (
    "The hosts in the order in which they are changed, written by tunewiz; put your own "
    "variables into host_vars/."
)


def _inventory(fleet: Fleet, variables: Mapping[str, HostVariables]) -> Mapping[str, object]:
    before = fleet.order.before
    hosts: dict[str, object] = {
        host: {
            "tunewiz_bundle": _unsafe(variables[host].bundle),
            "tunewiz_after": [_unsafe(text) for text in sorted(before.get(host, ()))],
            "tunewiz_before": [_unsafe(text) for text in sorted(before) if host in before[text]],
        }
        for wave in fleet.waves
        for host in wave
    }
    waves: dict[str, object] = {
        f"{RESERVED}wave_{number}": _members(wave) for number, wave in enumerate(fleet.waves, start=1)
    }
    groups: dict[str, object] = {
        f"{RESERVED}{group.name.replace('-', '_').replace('.', '_')}": _members(
            [host.host for host in group.hosts]
        )
        for group in fleet.groups
    }
    return {FLEET: {"hosts": hosts}, **waves, **groups}


def _unsafe(text: str) -> yaml.Tagged:
    """What stems from a host is never a template."""
    return yaml.Tagged(tag="!unsafe", text=text)


def _members(hosts: Sequence[str]) -> Mapping[str, object]:
    without_variables: Mapping[str, object] = {}
    return {"hosts": dict.fromkeys(hosts, without_variables)}
