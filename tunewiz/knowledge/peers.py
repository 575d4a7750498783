"""The other generators whose published rules come with the program."""

from __future__ import annotations

from tunewiz.core.comparison.peer import Peer
from tunewiz.core.comparison.peer_rules import PEER_RULES
from tunewiz.core.values.errors import UsageError
from tunewiz.core.values.names import expected_name
from tunewiz.knowledge.profiles import read_record


def peer_names() -> tuple[str, ...]:
    """What can be compared with."""
    return tuple(PEER_RULES)


def load_peer(name: str) -> Peer:
    """What its file says; raises UsageError if no generator has that name."""
    if name not in PEER_RULES:
        raise UsageError(f"compare: --with: found {name!r}, expected {expected_name(name, peer_names())}")
    return read_record(Peer, "peers", f"{name}.toml")
