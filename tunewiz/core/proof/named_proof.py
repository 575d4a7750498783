"""A measurement together with the file that it was read from."""

from __future__ import annotations

from typing import TypeAlias

from tunewiz.core.proof.measured_parts import NoProof
from tunewiz.core.proof.proof import Proof
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedProof:
    """A proof, and its file for messages."""

    file: str
    proof: Proof

    @property
    def name(self) -> str:
        """The file without its directory: messages beside a plan have little room."""
        return self.file.rpartition("/")[2]


ProofNamed: TypeAlias = NamedProof | NoProof
