"""The man page is made from the parser, and is never out of date."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_man_page_is_what_the_parser_says() -> None:
    made = subprocess.run(
        [sys.executable, ROOT / ".ci" / "man_page.py"], capture_output=True, check=True
    ).stdout
    assert (ROOT / "docs" / "tunewiz.1").read_bytes() == made, "make docs writes it anew"


def test_it_names_every_command_and_option_of_the_wizard() -> None:
    page = (ROOT / "docs" / "tunewiz.1").read_text(encoding="utf-8").replace("\\", "")
    for name in ("--plain", "--resume", "--mouse", "--ascii", "tunewiz sessions", "tunewiz facts"):
        assert name in page
