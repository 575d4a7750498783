"""Tests that read one machine's pages run one after the other in one process, which makes each page once."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group them by the machine that they are given."""
    for item in items:
        callspec = getattr(item, "callspec", None)
        machine = callspec.params.get("machine") if callspec else None
        if isinstance(machine, str) and item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.xdist_group(machine))
