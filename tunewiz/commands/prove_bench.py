"""`tunewiz prove bench`: pgbench with and without a bundle's changes."""

from __future__ import annotations

from tunewiz.commands.options import Options
from tunewiz.core.values.errors import UsageError


def run_bench(options: Options) -> int:
    """Measure, and write down what can be claimed."""
    raise UsageError(f"{options.bundle}: cannot be measured yet")
