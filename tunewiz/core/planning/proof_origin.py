"""Whether a proof was measured on this very machine and server, with the changes that this plan proposes.

A measurement of anything else is refused as a whole, in one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tunewiz.core.answers.answers import Replaced
from tunewiz.core.facts.machine import Host
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.finding import Finding
from tunewiz.core.proof.proof import MeasuredChange, Proof
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.verdicts import Advice, Proposal
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, Unknown, known_or

SHOWN = 12
"""Digits of an identity in a message: enough to distinguish two machines."""
PREFIX = "proof."
"""Prefix of messages about a proof, which the command replaces with the file's name."""
_HINT = "Measure on this server: `tunewiz prove bench BUNDLE -o proof.json`."


class ProofError(InputError):
    """A measurement of another machine, server or plan."""


def check_origin(proof: Proof, start: Situation) -> None:
    """Raises ProofError for a proof from another machine or server, or from an unknown one."""
    check_host(proof, start.facts.host)
    if isinstance(start.server, NoServer):
        raise _foreign("server", f"PostgreSQL {proof.server.major}", f"no server: {start.server.why}")
    if proof.server.major != str(start.major):
        raise _foreign("server.major", proof.server.major, f"{start.major}, as this server is")
    _check_server(proof, start.server)


def check_host(proof: Proof, host: Host) -> None:
    """Raises ProofError for a proof from another machine, or if this one is not known."""
    proof_host = proof.host
    expected = known_or(host.identity, "")
    if not expected:
        why = host.identity.why if not isinstance(host.identity, Known) else "it is empty"
        raise _foreign("host.identity", proof_host.identity[:SHOWN] or "none", f"this machine's: {why}")
    if proof_host.identity != expected:
        measured = f"{proof_host.identity[:SHOWN] or 'none'} ({proof_host.name or 'a host without a name'})"
        name = known_or(host.name, "a host without a name")
        raise _foreign("host.identity", measured, f"{expected[:SHOWN]} ({name}, this machine)")


def _check_server(proof: Proof, server: PostgresServer) -> None:
    """By the cluster's system identifier, or by the data directory if either side lacks the identifier."""
    proof_server, known = proof.server, known_or(server.system_identifier, "")
    if proof_server.system_identifier and known:
        if proof_server.system_identifier != known:
            raise _foreign(
                "server.system_identifier", proof_server.system_identifier, f"{known}, as this server's"
            )
        return
    directory = known_or(server.data_directory, "")
    if not directory or proof_server.data_directory != directory:
        here = directory or _why_not_known(server)
        raise _foreign(
            "server.data_directory", proof_server.data_directory or "none", f"{here}, as this server's"
        )


def _why_not_known(server: PostgresServer) -> str:
    data_directory = server.data_directory
    return f"a known one ({data_directory.why})" if isinstance(data_directory, Unknown) else "a known one"


def check_changes(proof: Proof, findings: Iterable[Finding], start: Situation) -> None:
    """Raises ProofError for a proof of changes other than those the plan proposes.

    Args:
        proof: Of this server.
        findings: Of the plan without it.
        start: The situation that the plan is for.
    """
    if not proof.bundle.changes:
        raise _foreign("bundle.changes", "none", "the changes that were measured")
    by_id = {finding.recommendation.id: finding for finding in findings}
    for change in proof.bundle.changes:
        if change.id not in by_id:
            raise _foreign("bundle.changes", change.id, "recommendations of this version")
        for key, actual, expected in _differences(change, by_id[change.id], start):
            raise _foreign(f"bundle.changes.{change.id}.{key}", actual, expected)


def _differences(
    change: MeasuredChange, finding: Finding, start: Situation
) -> Iterator[tuple[str, str, str]]:
    """Values that were not measured as planned, except those that a person set or that already apply."""
    target, current = finding.recommendation.target, start.current(finding.recommendation.target)
    if isinstance(finding.decision, Replaced) or not isinstance(finding.verdict, Proposal | Advice):
        return
    planned = finding.verdict.value
    if planned and not start.same(target, change.value, planned):
        yield "value", change.value, f"{planned}, as this plan proposes"
    elif (
        change.before and isinstance(current, Known) and not start.same(target, change.before, current.value)
    ):
        yield "before", change.before, f"{current.value}, as it is now"


def _foreign(key: str, text: str, expected: str) -> ProofError:
    return ProofError(f"{PREFIX}{key}: found {text}, expected {expected}", _HINT)
