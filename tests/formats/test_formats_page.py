"""The page of the outside formats names every key of a facts file, and which of them may be missing."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tunewiz.core.facts import counters, machine, owners, server

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
SECTIONS: dict[str, type[DataclassInstance]] = {
    "host": machine.Host,
    "cpu": machine.Cpu,
    "memory": machine.Memory,
    "virtualization": machine.Virtualization,
    "limits": machine.Limits,
    "kernel": machine.Kernel,
    "storage": machine.Storage,
    "postgres": server.PostgresServer,
    "owners": owners.Owners,
}
ALSO_NEWER = (counters.Statements, machine.Disk, server.Activity, server.Window)


def named(text: str) -> set[str]:
    """What stands between backticks."""
    return set(re.findall(r"`([^`]+)`", text))


@pytest.mark.parametrize("section", SECTIONS)
def test_the_page_names_every_key_of_a_section_of_the_facts(section: str) -> None:
    row = re.search(rf"^\| `{section}` \| (.*) \|$", PAGE, re.MULTILINE)
    assert row is not None
    assert {field.name for field in dataclasses.fields(SECTIONS[section])} <= named(row[1])


def test_the_page_names_exactly_the_keys_that_a_file_of_an_earlier_version_may_lack() -> None:
    match = re.search(r"^A file that an earlier version wrote may lack (.*)$", PAGE, re.MULTILINE)
    assert match is not None
    newer = {
        field.name
        for kind in (*SECTIONS.values(), *ALSO_NEWER)
        for field in dataclasses.fields(kind)
        if field.default is not dataclasses.MISSING
    }
    owner_keys = {field.name for field in dataclasses.fields(owners.Owners)}
    assert named(match[1]) == newer - owner_keys | {"owners", "activity"}
