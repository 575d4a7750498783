"""`python -m tunewiz`."""

from tunewiz.cli import run

run()
