"""What is kept as JSON of the TOML files is what they say, and a changed file is read itself."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tunewiz.core.values.errors import InputError
from tunewiz.formats import toml
from tunewiz.knowledge.compiled import FILE, toml_data
from tunewiz.knowledge.profiles import package_data, package_text

ROOT = Path(__file__).parents[2]
COMPILED = sorted(json.loads(package_text(FILE)))
OTHERS = sorted(
    name
    for path in package_data().rglob("*.toml")
    if (name := path.relative_to(package_data()).as_posix()) not in COMPILED
)


def test_the_file_is_what_the_others_say(tmp_path: Path) -> None:
    made = tmp_path / FILE
    subprocess.run([sys.executable, ROOT / ".ci" / "compiled.py", made], check=True)
    assert made.read_bytes() == package_data(FILE).read_bytes(), "make docs writes it anew"


@pytest.mark.parametrize("name", [*COMPILED, *OTHERS])
def test_the_data_of_a_file_are_those_that_toml_reads(name: str) -> None:
    text = package_text(name)
    # As text: 1 is equal to true and to 1.0, and they are not the same.
    assert repr(toml_data(name, text)) == repr(toml.loads(text, name))


@pytest.mark.parametrize("name", COMPILED)
def test_a_changed_file_is_read_itself(name: str) -> None:
    changed = f'added = "by hand"\n{package_text(name)}'
    data = toml_data(name, changed)
    assert isinstance(data, dict)
    assert data["added"] == "by hand"


def test_a_file_that_toml_cannot_read_is_refused_by_its_name() -> None:
    with pytest.raises(InputError, match=r"^profiles/seen\.toml: not valid TOML"):
        toml_data("seen.toml", "=")


def test_what_a_plan_needs_is_not_parsed_anew_and_the_rest_is() -> None:
    parsed = {name: text for name in (*COMPILED, *OTHERS) if (text := package_text(name))}
    again = {name for name, text in parsed.items() if toml_data(name, text) is not toml_data(name, text)}
    assert again == set(OTHERS)
    assert {"help/glossary.toml"} <= again
