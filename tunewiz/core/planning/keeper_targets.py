"""Targets of a bundle: the host itself, or its keeper, which manages the server's configuration."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.target_names import KeptTarget, TargetName
from tunewiz.core.recommendation.situation import NoServer
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, known_or

_KEEPERS: dict[KeptTarget, str] = {
    "patroni": "Patroni",
    "cloudnativepg": "CloudNativePG",
    "pgo": "Crunchy Postgres for Kubernetes",
    "percona": "Percona Operator for PostgreSQL",
    "zalando": "Zalando Postgres Operator",
    "stackgres": "StackGres",
    "kubeblocks": "KubeBlocks",
    "autobase": "Patroni",
}
"""Their names in the facts; autobase manages Patroni's configuration."""
_ALIKE: dict[KeptTarget, str] = {"percona": "Crunchy Postgres for Kubernetes"}
"""What its pods look like: facts that were read in one name the other."""

HOW = "by --target"


def target_for(keeper: str) -> TargetName:
    """The target for a server with this keeper; `host` if it has none."""
    for name, title in _KEEPERS.items():
        if title == keeper:
            return name
    return "host"


def targets_for(keeper: str) -> tuple[TargetName, ...]:
    """Targets for a server with this keeper, the likeliest first; the host is always one.

    >>> targets_for("Patroni"), targets_for("")
    (('patroni', 'autobase', 'host'), ('host',))
    """
    return (*(name for name, title in _KEEPERS.items() if keeper in (title, _ALIKE.get(name))), "host")


def kept_by(facts: Facts, server: PostgresServer | NoServer, target: KeptTarget) -> Facts:
    """The facts with the target as the keeper of the server's settings.

    A plan leaves the settings to their keeper; its changes to the machine itself are the same.

    Raises:
        InputError: The facts name another keeper.
    """
    text = _found_keeper(facts, server)
    wanted = _KEEPERS[target]
    if text not in ("", wanted, _ALIKE.get(target)):
        raise InputError(
            f"--target: found {target}, but {text} manages this server's configuration",
            f"Use --target {target_for(text)}.",
        )
    if text == wanted:
        return facts
    match target:
        case "patroni" | "autobase":
            servers = (
                replace(postgres_server, owner="patroni") if postgres_server == server else postgres_server
                for postgres_server in facts.postgres
            )
            return replace(facts, postgres=tuple(servers))
        case "cloudnativepg" | "pgo" | "percona" | "zalando" | "stackgres" | "kubeblocks":
            return replace(facts, owners=replace(facts.owners, operator=Known(wanted, HOW)))
        case _:
            assert_never(target)


def _found_keeper(facts: Facts, server: PostgresServer | NoServer) -> str:
    operator = known_or(facts.owners.operator, "")
    owned = isinstance(server, PostgresServer) and server.owner == "patroni"
    return operator or ("Patroni" if owned else "")
