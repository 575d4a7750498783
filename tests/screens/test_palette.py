"""The list of a page's commands: a name, room, then the key that does it."""

import inspect
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

import pytest

import tunewiz.screens
from tunewiz.screens.page import Page
from tunewiz.screens.palette import NAME
from tunewiz.screens.widgets.key_bar import Key


def keys() -> Iterator[tuple[str, Key]]:
    for module in iter_modules(tunewiz.screens.__path__, "tunewiz.screens."):
        for name, actual in inspect.getmembers(import_module(module.name), inspect.isclass):
            if issubclass(actual, Page) and actual.__module__ == module.name:
                yield from ((name, key) for key in actual.KEYS)


KEYS = sorted(keys(), key=lambda results: (results[0], results[1].key))


def test_pages_with_commands_are_found() -> None:
    assert {"Review", "Recommendations", "FleetPage"} <= {page for page, _ in KEYS}


@pytest.mark.parametrize(
    ("page", "key"), KEYS, ids=lambda value: value if isinstance(value, str) else value.key
)
def test_every_command_has_room_for_its_name_before_its_key(page: str, key: Key) -> None:
    assert len(key.named) <= NAME - 2, (page, key.named)
