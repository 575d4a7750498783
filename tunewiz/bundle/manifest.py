"""What a bundle is, for programs: manifest.toml, and SHA256SUMS over everything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import tunewiz
from tunewiz.bundle.placement import Placement
from tunewiz.core.planning.placed import NOT_KNOWN
from tunewiz.core.planning.plan import Plan
from tunewiz.core.proof.proof import Proof
from tunewiz.core.recommendation.cluster import Cluster
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.known import known_or
from tunewiz.formats import toml

SCHEMA = 1
SUMS = "SHA256SUMS"
SIGNATURE = "SHA256SUMS.sig"
"""What a reviewer may add; the scripts look at it where they are told to."""
MANIFEST = "manifest.toml"


def manifest(plan: Plan, placement: Placement, installed: Mapping[str, bytes]) -> bytes:
    """manifest.toml: for which host and server, what is changed from what to what, which files there are."""
    document: dict[str, object] = {
        "schema": SCHEMA,
        "tunewiz": tunewiz.__version__,
        "host": {
            "name": known_or(plan.start.facts.host.name, ""),
            "identity": known_or(plan.start.facts.host.identity, ""),
        },
        "restart": placement.restart,
        "files": sorted(installed),
        "changes": list(_changes(placement)),
    }
    if isinstance(placement.cluster, Cluster):
        document["server"] = {
            "major": placement.cluster.major,
            "data_directory": placement.cluster.data_directory,
            "config_file": placement.cluster.config_file,
        }
    if isinstance(plan.start.proof, Proof):
        document["proof"] = {"verdict": plan.start.proof.verdict, "bundle": plan.start.proof.bundle.digest}
    return toml.dumps(document).encode()


def _changes(placement: Placement) -> Iterator[dict[str, str]]:
    for sysctl in placement.sysctls:
        yield _change("sysctl", sysctl.name, sysctl.name, sysctl.before, sysctl.value)
    for choice in placement.choices:
        yield _change("sysfs", choice.path, choice.fact, choice.before, choice.value)
    for placed in placement.host:
        finding = placed.finding
        value = finding.verdict.value if isinstance(finding.verdict, Proposal) else ""
        yield _change("host", placed.action.action_in_words, "", NOT_KNOWN, value)
    for setting in placement.settings:
        yield _change("setting", setting.name, setting.name, setting.before, setting.value)


def _change(kind: str, name: str, fact: str, before: str, value: str) -> dict[str, str]:
    return {"kind": kind, "name": name, "fact": fact, "before": before, "value": value}


def checksums(files: Mapping[str, bytes]) -> bytes:
    """SHA256SUMS as `sha256sum -c` reads it, sorted by name in byte order."""
    return b"".join(_sum_line(name, files[name]) for name in sorted(files, key=str.encode))


def digest_of(content: bytes) -> str:
    """SHA-256 in hexadecimal digits."""
    import hashlib  # noqa: PLC0415 - half a megabyte of OpenSSL, which the review does without

    return hashlib.sha256(content).hexdigest()


def _sum_line(name: str, content: bytes) -> bytes:
    # coreutils marks a name with a backslash in it by one more at the start of the line.
    mark, shown = ("\\", name.replace("\\", "\\\\")) if "\\" in name else ("", name)
    return f"{mark}{digest_of(content)}  {shown}\n".encode()


def read_checksums(text: str) -> Mapping[str, str]:
    """Digest by name; lines that are none are left out."""
    result = dict[str, str]()
    for line in text.splitlines():
        digest, separator, name = line.removeprefix("\\").partition("  ")
        if separator:
            result[name.replace("\\\\", "\\") if line.startswith("\\") else name] = digest
    return result
