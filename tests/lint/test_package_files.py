"""Files that come with the program are found through their package: an installed one has other neighbours."""

import ast
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from textual.app import App
from textual.dom import DOMNode
from textual.screen import Screen

import tunewiz
from tunewiz.package_files import package_file

STYLED = (App, Screen)
"""Classes of Textual that name files of styles, which it looks for beside the module of the class."""


def modules() -> dict[str, Path]:
    """Every module of the program by its dotted name."""
    result = {"tunewiz": package_file("tunewiz", "__init__.py")}
    for package in pkgutil.walk_packages(tunewiz.__path__, "tunewiz."):
        if package.name != "tunewiz.__main__":
            origin = getattr(import_module(package.name), "__file__", None)
            assert origin is not None, package.name
            result[package.name] = Path(origin)
    return result


def beside_itself(source: str) -> Iterator[int]:
    """The lines on which a module asks where it stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and node.id in {"__file__", "__spec__"}:
            yield node.lineno
        if isinstance(node, ast.Attribute) and node.attr in {"getfile", "getsourcefile", "__file__"}:
            yield node.lineno


def test_no_module_looks_for_a_file_beside_itself() -> None:
    test_no_module_looks = modules()
    assert {
        "tunewiz.tui.app",
        "tunewiz.knowledge.profiles",
        "tunewiz.screens.widgets.rows",
    } <= test_no_module_looks.keys()
    asking = {
        name: lines
        for name, file in test_no_module_looks.items()
        if (lines := list(beside_itself(file.read_text(encoding="utf-8"))))
    }
    assert asking == {}


@pytest.mark.parametrize("way", ["Path(__file__).parent", "inspect.getfile(Wizard)", "tunewiz.__file__"])
def test_a_module_that_looks_beside_itself_is_noticed(way: str) -> None:
    assert list(beside_itself(f"import tunewiz\nhere = {way}")) == [2]
    assert list(beside_itself("here = package_file('tunewiz.screens', 'screens.tcss')")) == []


def styled() -> Iterator[type[DOMNode]]:
    """Our classes that may name files of styles."""
    modules()
    observation = list[type[DOMNode]](STYLED)
    for entry in observation:
        observation.extend(one for one in entry.__subclasses__() if one not in observation)
    return (item for item in observation if item.__module__.startswith("tunewiz."))


def test_every_file_of_styles_is_named_in_full_and_is_a_packages_own() -> None:
    places = list[Path]()
    for entry in styled():
        path = vars(entry).get("CSS_PATH")
        if path is not None:
            assert isinstance(path, Path), f"{entry.__name__}: {path!r} would be looked for beside its module"
            assert path.is_absolute()
            places.append(path)
    assert places == [package_file("tunewiz.screens", "screens.tcss")]
    assert places[0].is_file()


def test_a_file_is_found_from_any_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = package_file("tunewiz.profiles", "settings.json")
    monkeypatch.chdir(tmp_path)
    assert package_file("tunewiz.profiles", "settings.json") == before
    assert before.is_file()
