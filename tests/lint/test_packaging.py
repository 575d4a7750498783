"""What is built holds all that is here, and what is written about the project names what exists."""

import re
import tomllib  # noqa: TID251 - the build's own file, which no part of the program reads
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

import tunewiz

CHECKOUT = Path(__file__).resolve().parents[2]
KINDS = CHECKOUT / "tunewiz" / "kinds"
DATA_FOLDERS = {
    "tunewiz.bundle.scripts": CHECKOUT / "tunewiz" / "bundle" / "scripts",
    "tunewiz.kinds": KINDS,
    "tunewiz.collect.script": CHECKOUT / "tunewiz" / "collect" / "script",
    "tunewiz.profiles": CHECKOUT / "profiles",
    "tunewiz.screens": CHECKOUT / "screens",
}


def pyproject() -> dict[str, Any]:
    return tomllib.loads((CHECKOUT / "pyproject.toml").read_text())


def is_source(path: Path) -> bool:
    return "__pycache__" not in path.parts and path.suffix not in {".py", ".pyc"}


def packages_on_disk() -> set[str]:
    """Every folder with modules, the two linked ones by their names inside the package."""
    folders = {
        init.parent for init in (CHECKOUT / "tunewiz").rglob("*.py") if "__pycache__" not in init.parts
    }
    packages = {".".join(folder.relative_to(CHECKOUT).parts) for folder in folders}
    for name in ("screens", "profiles"):
        linked = {module.parent for module in (CHECKOUT / name).rglob("*.py")}
        packages |= {".".join(("tunewiz", *folder.relative_to(CHECKOUT).parts)) for folder in linked}
    return packages


def test_every_folder_of_modules_is_a_listed_package_or_a_kind_of_action() -> None:
    """Kinds are data of the package that holds them: a new one is its folder and no line of the build."""
    kinds = {name for name in packages_on_disk() if name.startswith("tunewiz.kinds.")}
    assert set(pyproject()["tool"]["setuptools"]["packages"]) == packages_on_disk() - kinds
    assert {f"tunewiz.kinds.{name}" for name in ("boot", "swap", "wal")} <= kinds
    modules = [path.relative_to(KINDS) for path in KINDS.rglob("*.py") if path.parent != KINDS]
    patterns: list[str] = pyproject()["tool"]["setuptools"]["package-data"]["tunewiz.kinds"]
    assert [path for path in modules if not any(matches(path, pattern) for pattern in patterns)] == []


def test_every_package_has_an_init_that_says_why() -> None:
    for package in packages_on_disk():
        init = CHECKOUT.joinpath(*package.split("."), "__init__.py")
        assert init.read_text().startswith('"""'), f"{init} has no docstring"


@pytest.mark.parametrize("name", ["profiles", "screens"])
def test_the_links_lead_to_the_folders_at_the_top(name: str) -> None:
    link = CHECKOUT / "tunewiz" / name
    assert link.is_symlink()
    assert link.readlink() == Path("..") / name
    assert link.samefile(CHECKOUT / name)


@pytest.mark.parametrize("package", DATA_FOLDERS)
def test_every_data_file_is_packaged(package: str) -> None:
    folder = DATA_FOLDERS[package]
    patterns: list[str] = pyproject()["tool"]["setuptools"]["package-data"][package]
    files = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and is_source(path)]
    left_out = [str(file) for file in files if not any(matches(file, pattern) for pattern in patterns)]
    assert left_out == []


def matches(file: Path, pattern: str) -> bool:
    """Part by part: in setuptools a star does not reach into folders."""
    wanted = Path(pattern).parts
    return len(file.parts) == len(wanted) and all(map(fnmatch, file.parts, wanted))


def test_a_star_does_not_reach_into_folders() -> None:
    assert matches(Path("hosts/one.json"), "hosts/*.json")
    assert not matches(Path("hosts/one.json"), "*.json")


def test_the_version_stands_in_one_place() -> None:
    project = pyproject()
    assert "version" not in project["project"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "tunewiz.__version__"}
    assert re.fullmatch(r"\d+\.\d+\.\d+", tunewiz.__version__)


def test_the_changelog_has_an_unreleased_section_on_top() -> None:
    headings = re.findall(r"^## (.*)$", (CHECKOUT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased"


def pages() -> list[Path]:
    return sorted([*CHECKOUT.glob("*.md"), *(CHECKOUT / "docs").rglob("*.md")])


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(CHECKOUT)))
def test_what_a_page_links_to_exists(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text())
    local = [target for target in targets if not re.match(r"[a-z]+:", target)]
    missing = [target for target in local if not (page.parent / target).exists()]
    assert missing == []


def test_every_make_command_of_the_readme_and_of_contributing_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (CHECKOUT / "Makefile").read_text(), re.MULTILINE))
    for page in ("README.md", "CONTRIBUTING.md"):
        named = set(
            re.findall(
                r"^\s*\$?\s*make ([a-z-]+)|`make ([a-z-]+)", (CHECKOUT / page).read_text(), re.MULTILINE
            )
        )
        assert {one or other for one, other in named} <= targets


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_pins_every_package_with_hashes_and_names_no_host(lock: str) -> None:
    text = (CHECKOUT / lock).read_text()
    assert "://" not in text
    requirements = re.split(
        r"^(?=[a-z])", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE), flags=re.MULTILINE
    )[1:]
    assert requirements
    for requirement in requirements:
        assert re.match(r"[a-z0-9-]+==\S+", requirement)
        assert "--hash=sha256:" in requirement


def test_the_tools_are_locked_to_the_same_versions_as_the_program() -> None:
    program, tools = (set(pins(name)) for name in ("requirements.lock", "requirements-dev.lock"))
    assert program <= tools


def pins(lock: str) -> list[str]:
    return re.findall(r"^([a-z0-9-]+==\S+)", (CHECKOUT / lock).read_text(), re.MULTILINE)


def test_textual_is_pinned_exactly_where_people_install_it() -> None:
    textual = next(pin for pin in pins("requirements.lock") if pin.startswith("textual=="))
    assert textual in pyproject()["project"]["dependencies"]


def test_every_script_can_be_run() -> None:
    scripts = [*(CHECKOUT / ".ci").glob("*.sh"), CHECKOUT / ".ci" / "run"]
    assert [script.name for script in scripts if not script.stat().st_mode & 0o100] == []
