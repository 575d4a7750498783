"""`tunewiz demo`: the example machines."""

from __future__ import annotations

from tunewiz import output
from tunewiz.knowledge import demo_facts
from tunewiz.report import machine_line
from tunewiz.shelf import demo_names


def run_demo() -> int:
    """Print a line for each."""
    names = demo_names()
    width = max(map(len, names))
    output.write("".join(f"{name:<{width}}  {machine_line(demo_facts(name))}\n" for name in names))
    return 0
