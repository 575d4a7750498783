"""The page of a server's own numbers says what the program decides."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures_golden import difference

CHECKOUT = Path(__file__).resolve().parent.parent.parent
PAGE = CHECKOUT / "docs" / "own-numbers.md"


def test_the_page_is_the_one_that_the_program_makes() -> None:
    made = subprocess.run(
        [sys.executable, CHECKOUT / ".ci" / "own_numbers_page.py"],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT / "tests" / "support")},
    ).stdout
    if made != PAGE.read_bytes():
        how = difference(PAGE.read_bytes(), made)
        pytest.fail(f"docs/own-numbers.md is another (make docs makes it anew):\n{how}")
