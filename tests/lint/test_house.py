"""The page that newcomers read first names every package, on the floor that the import contracts give it."""

import re
import tomllib  # noqa: TID251 - the project's own file, which no part of the program reads
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = (CHECKOUT / "docs" / "house.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\d+) \| `([^`]+)` \|", re.MULTILINE)


def layers(container: str) -> dict[str, int]:
    """Floor by module, the lowest 0."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    (actual,) = (
        contract["layers"]
        for contract in project["tool"]["importlinter"]["contracts"]
        if contract.get("containers") == [container]
    )
    return {name.strip(): floor for floor, layer in enumerate(reversed(actual)) for name in layer.split("|")}


def rows() -> dict[str, int]:
    return {path.removesuffix(".py").strip("/"): int(floor) for floor, path in ROW.findall(PAGE)}


def floors_below(prefix: str) -> dict[str, int]:
    return {path.removeprefix(prefix): floor for path, floor in rows().items() if path.startswith(prefix)}


def test_the_page_has_the_floors_of_the_package() -> None:
    at_the_top = {path: floor for path, floor in rows().items() if "/" not in path}
    on_page = {**floors_below("tunewiz/"), **at_the_top}
    expected = layers("tunewiz")
    del expected["__main__"]
    assert on_page == expected


def test_the_page_has_the_floors_of_the_core() -> None:
    assert floors_below("core/") == {name: floor + 1 for name, floor in layers("tunewiz.core").items()}


@pytest.mark.parametrize("path", sorted(rows()))
def test_what_the_page_names_is_there(path: str) -> None:
    below = [CHECKOUT / path, CHECKOUT / f"{path}.py", CHECKOUT / "tunewiz" / path]
    assert any(path.exists() for path in below)
