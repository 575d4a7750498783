"""The three scripts that are called begin alike: what keeps strangers out of one keeps them out of all."""

from pathlib import Path
from typing import Final

import pytest

from small_bundles import small_bundle
from tunewiz.bundle.parts import SCRIPTS

BEGINS: Final = "# bash imports functions"
LAST: Final = "enter_bundle() {"
LINES: Final = 80
"""Fewer than they have in common: a preamble that was not found whole is not compared with another."""


def preamble(script: str) -> list[str]:
    lines = script.splitlines()
    begins = next(number for number, line in enumerate(lines) if line.startswith(BEGINS))
    ends = lines.index("}", lines.index(LAST))
    return lines[begins : ends + 1]


def called_before_parts(script: str) -> list[str]:
    """What `main` does until it reads another file."""
    lines = script.splitlines()
    begins = lines.index("main() {") + 1
    ends = next(number for number, line in enumerate(lines) if line.strip() == '. "$PWD/lib/base.sh"')
    return [line.strip() for line in lines[begins:ends]]


@pytest.fixture
def scripts(tmp_path: Path) -> dict[str, str]:
    bundle = small_bundle(tmp_path / "bundle")
    return {name: (bundle / name).read_text() for name in SCRIPTS}


def test_every_script_has_the_same_preamble(scripts: dict[str, str]) -> None:
    first, *others = (preamble(script) for script in scripts.values())
    assert len(first) >= LINES
    assert others
    assert all(other == first for other in others)


def test_every_script_leaves_its_environment_and_checks_its_bundle_before_it_reads_a_part(
    scripts: dict[str, str],
) -> None:
    for text in scripts.values():
        done = called_before_parts(text)
        assert done[0] == "leave_environment"
        assert "enter_bundle" in done
        assert not any(line.startswith(". ") for line in done)
