"""What the scripts that make a page of docs have in common: where the page goes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path


def write_page(name: str, page: Callable[[], str]) -> int:
    """Write the page to the file that the command line names, or to standard output.

    Args:
        name: The page below docs, for the command's help.
        page: Makes its text.
    """
    parser = argparse.ArgumentParser(description=f"Makes docs/{name}.")
    parser.add_argument("-o", "--output", type=Path, help="the file; standard output without it")
    options = parser.parse_args()
    if options.output is None:
        sys.stdout.write(page())
    else:
        options.output.write_text(page(), encoding="utf-8")
    return 0
