"""`tunewiz prove show`: prints and draws the result in a proof.json."""

from __future__ import annotations

from tunewiz.commands.named_files import read_text
from tunewiz.commands.options import Options
from tunewiz.commands.proof_status import status_of
from tunewiz.console import output
from tunewiz.core.values.errors import UsageError
from tunewiz.core.words.harmless import harmless
from tunewiz.core.words.proof import proof_lines
from tunewiz.formats.proof import proof_from_json, proof_json
from tunewiz.text.proof import drawings


def run_show(options: Options) -> int:
    """Print it as `prove bench` does, then draw it; the exit status is that of its verdict."""
    if options.shown is None:
        raise UsageError("prove show: expected a proof.json")
    proof = proof_from_json(read_text(options.shown), str(options.shown))
    if options.json:
        output.write(proof_json(proof))
    else:
        # Anybody may have written the file and the names in it.
        lines = (*proof_lines(proof), *drawings(proof))
        output.draw("".join(f"{harmless(line)}\n" for line in lines))
    return status_of(proof)
