"""`tunewiz demo`: the example machines."""

from __future__ import annotations

from tunewiz.console import output
from tunewiz.knowledge.loading import demo_facts
from tunewiz.knowledge.profiles import demo_names
from tunewiz.text.report import machine_line


def run_demo() -> int:
    """Print a line for each."""
    names = demo_names()
    width = max(map(len, names))
    output.write("".join(f"{name:<{width}}  {machine_line(demo_facts(name))}\n" for name in names))
    return 0
