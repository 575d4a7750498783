"""Makes the README's animated picture from a run of the wizard on an example machine.

PYTHONPATH=tests/support .venv/bin/python .ci/animation.py docs/pictures/wizard.svg
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from frames import frames_of_a_run, svg_of


def main() -> None:
    """Write the picture to the file that is named."""
    (target,) = map(Path, sys.argv[1:])
    target = target.absolute()
    with tempfile.TemporaryDirectory() as directory:
        frames = asyncio.run(frames_of_a_run(Path(directory)))
    target.write_text(svg_of(frames), encoding="utf-8")


if __name__ == "__main__":
    main()
