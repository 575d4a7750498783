"""Golden files: outputs that people keep, compared byte for byte with a reviewed copy."""

import difflib
from pathlib import Path
from typing import Protocol

import pytest

GOLDEN = Path(__file__).resolve().parents[1] / "golden"


class Golden(Protocol):
    """Compares what was made with tests/golden/NAME."""

    def __call__(self, name: str, made: str | bytes) -> None:
        """Fails with a diff; `make golden` writes the file anew instead."""
        ...


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew (make golden)")


@pytest.fixture
def golden(pytestconfig: pytest.Config) -> Golden:
    """The comparison with the reviewed copy."""
    update = bool(pytestconfig.getoption("--update-golden"))

    def check(name: str, made: str | bytes) -> None:
        data = made.encode() if isinstance(made, str) else made
        file = GOLDEN / name
        if update:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        compare(file, data)

    return check


def compare(file: Path, data: bytes) -> None:
    """Fails with a diff unless the file holds these bytes; a file that is missing holds none."""
    reviewed = file.read_bytes() if file.exists() else b""
    if data != reviewed:
        pytest.fail(f"{file} is another (make golden writes it anew):\n{difference(reviewed, data)}")


def difference(reviewed: bytes, data: bytes) -> str:
    """A unified diff; bytes that are no UTF-8 stand escaped."""
    before, after = (text.decode(errors="backslashreplace").splitlines() for text in (reviewed, data))
    return "\n".join(difflib.unified_diff(before, after, "reviewed", "made now", lineterm=""))
