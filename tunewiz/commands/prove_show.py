"""`tunewiz prove show`: prints the result in a proof.json."""

from __future__ import annotations

from tunewiz.commands.named_files import read_text
from tunewiz.commands.options import Options
from tunewiz.commands.proof_status import status_of
from tunewiz.console import output
from tunewiz.core.values.errors import UsageError
from tunewiz.core.words.harmless import harmless
from tunewiz.core.words.proof import proof_lines
from tunewiz.formats.proof import proof_from_json, proof_json


def run_show(options: Options) -> int:
    """Print it as `prove bench` does, with the exit status of its verdict."""
    if options.shown is None:
        raise UsageError("prove show: expected a proof.json")
    proof = proof_from_json(read_text(options.shown), str(options.shown))
    if options.json:
        output.write(proof_json(proof))
    else:
        # Anybody may have written the file and the names in it.
        output.draw("".join(f"{harmless(line)}\n" for line in proof_lines(proof)))
    return status_of(proof)
