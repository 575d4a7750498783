"""Reads again what a bundle was written from, to go on from there."""

from __future__ import annotations

from pathlib import Path

from tunewiz.bundle.check import damage_of
from tunewiz.collect.system import regular_content
from tunewiz.core.answers.answers import Answers
from tunewiz.core.facts.facts import Facts
from tunewiz.core.proof.measured_parts import NO_PROOF, NoProof, ProofGiven
from tunewiz.core.proof.named_proof import NamedProof, ProofNamed
from tunewiz.core.values.errors import InputError
from tunewiz.formats.proof import proof_from_json
from tunewiz.formats.records import answers_from_toml, facts_from_json

FACTS, ANSWERS, PROOF = "facts.json", "answers.toml", "proof.json"


def written_from(directory: Path) -> tuple[Facts, Answers]:
    """Facts and answers of a bundle.

    Raises:
        BundleError: It is not a directory, or contains no bundle.
        InputError: One of the two is missing or is not as it was written.
    """
    broken = [text for text in damage_of(directory) if FACTS in text or ANSWERS in text]
    if broken:
        raise InputError(f"{directory}: {broken[0]}", "Use `tunewiz --facts` with the original facts.")
    facts, answers = directory / FACTS, directory / ANSWERS
    return (
        facts_from_json(_text(facts), str(facts)),
        answers_from_toml(_text(answers), str(answers)),
    )


def all_written_from(directory: Path) -> tuple[Facts, Answers, ProofNamed]:
    """The same with the measurement, if the bundle has one; raises as above, for the measurement too."""
    proof = proof_in(directory)
    named = proof if isinstance(proof, NoProof) else NamedProof(file=str(directory / PROOF), proof=proof)
    return *written_from(directory), named


def proof_in(directory: Path) -> ProofGiven:
    """The measurement that a bundle's plan took into account, if there was one; raises as written_from."""
    file = directory / PROOF
    if not file.exists():
        return NO_PROOF
    if broken := [text for text in damage_of(directory) if text.startswith(f"{PROOF}:")]:
        raise InputError(f"{directory}: {broken[0]}", "Write the bundle again.")
    return proof_from_json(_text(file), str(file))


def _text(file: Path) -> str:
    try:
        return regular_content(str(file)).decode()
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not valid UTF-8 (byte {error.start})") from error
