"""`tunewiz prove show`: what a proof.json says."""

from __future__ import annotations

from tunewiz.commands.named_files import read_text
from tunewiz.commands.options import Options
from tunewiz.commands.proof_status import STATUS
from tunewiz.console import output
from tunewiz.core.values.errors import UsageError
from tunewiz.core.words.harmless import harmless
from tunewiz.core.words.proof import proof_lines
from tunewiz.formats.proof import proof_from_json, proof_json


def run_show(options: Options) -> int:
    """Print it in the words of `prove bench`; the exit status is that of its verdict."""
    if options.shown is None:
        raise UsageError("prove show: expected a proof.json")
    proof = proof_from_json(read_text(options.shown), str(options.shown))
    if options.json:
        output.write(proof_json(proof))
    else:
        # The file is anybody's, and so are its names.
        output.draw("".join(f"{harmless(line)}\n" for line in proof_lines(proof)))
    return STATUS[proof.verdict]
