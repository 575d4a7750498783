"""`tunewiz demo`: the example machines."""

from __future__ import annotations

from tunewiz.console import output
from tunewiz.knowledge.loading import demo_facts
from tunewiz.knowledge.profiles import demos
from tunewiz.text.report import machine_line


def run_demo() -> int:
    """Print for each what it is, and below it what is interesting about it."""
    known = demos()
    width = max(map(len, known))
    for name, about in known.items():
        output.write(f"{name:<{width}}  {machine_line(demo_facts(name))}\n{'':<{width}}  {about}\n")
    return 0
