"""Prints the result of a run, writes its files, and gives its exit status."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tunewiz.bench.restoring import forget
from tunewiz.bench.run import RunDirectory, read_ended
from tunewiz.bench.runner import DONE, NOT_RESTORED, REFUSED
from tunewiz.bundle.reopen import written_from
from tunewiz.commands.named_files import read_text
from tunewiz.commands.options import Options
from tunewiz.commands.proof_status import ENDED_EARLY, status_of
from tunewiz.commands.proof_status import REFUSED as REFUSED_STATUS
from tunewiz.console import output
from tunewiz.console.exit_status import say
from tunewiz.core.answers.answers import Answers, Decision, Refused
from tunewiz.core.proof.figures import ratio_in_words
from tunewiz.core.proof.proof import Proof
from tunewiz.core.values.errors import TunewizError
from tunewiz.core.words.harmless import harmless
from tunewiz.core.words.proof import proof_lines
from tunewiz.formats.proof import proof_from_json
from tunewiz.formats.records import answers_to_toml


def result(place: RunDirectory, bundle: Path, options: Options) -> int:
    """Print and write the result, remove the run if it is complete; returns the exit status."""
    again = f"tunewiz prove bench {options.bundle} --resume"
    if options.prove == "switchback":
        again = "tunewiz prove switchback --resume"
    if not place.run.exists():
        say("everything was put back; another command that followed the run has shown its result")
        return ENDED_EARLY
    ended, *why = _status(place)
    if ended == REFUSED:
        say("\n".join(why))
        forget(place)
        return REFUSED_STATUS
    if ended == NOT_RESTORED:
        say("\n  ".join(("NOT put back:", *why)))
        say(f"once the cause is gone: {again}")
        return ENDED_EARLY
    if place.proof.exists():
        _give_out(place, bundle, options)
    if ended == DONE:
        status = status_of(_proof(place))
        forget(place)
        return status
    say(f"ended early, and everything was put back: {'; '.join(why)}")
    if options.prove == "switchback":
        forget(place)
        return ENDED_EARLY
    say(f"to continue: {again}")
    place.proof.unlink(missing_ok=True)
    return ENDED_EARLY


def _status(place: RunDirectory) -> list[str]:
    return read_ended(place) or [
        NOT_RESTORED,
        "the processes of the run are gone; the same command with --resume puts everything back",
    ]


def _proof(place: RunDirectory) -> Proof:
    return proof_from_json(read_text(place.proof), str(place.proof))


def _give_out(place: RunDirectory, bundle: Path, options: Options) -> None:
    text, proof = read_text(place.proof), _proof(place)
    if options.out is not None:
        _write(options.out, text)
    if options.answers_out is not None:
        _, answers = written_from(bundle)
        _write(options.answers_out, answers_to_toml(without_what_hurt(proof, answers)))
    if options.json:
        output.write(text)
    else:
        output.draw("".join(f"{harmless(line)}\n" for line in proof_lines(proof)))


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise TunewizError(
            f"{file}: cannot be written: {error.strerror}", "--resume shows it again."
        ) from error


def without_what_hurt(proof: Proof, answers: Answers) -> Answers:
    """The answers, with every group that hurt here declined and a note of what was measured."""
    declined: Mapping[str, Decision] = {
        name: Refused(note=f"measured on this server: {ratio_in_words(group)} of {proof.primary}")
        for group in proof.groups
        if group.verdict == "hurt"
        for name in group.ids
    }
    return dataclasses.replace(answers, decisions=MappingProxyType({**answers.decisions, **declined}))
