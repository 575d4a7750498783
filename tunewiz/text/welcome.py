"""The first page's rows: continue, here, elsewhere, look around."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rich.text import Text

from tunewiz.core.values.record import dataclass
from tunewiz.core.words.harmless import harmless
from tunewiz.text.colors import ACCENT
from tunewiz.text.row import Row

if TYPE_CHECKING:
    from tunewiz.core.facts.server_here import ServerHere

LABEL, TITLE = 12, 24
EXAMPLE = 14
"""Cells of an example's name: what is interesting about it gets the rest."""
DIRECTORY = 30
"""Cells of a data directory, of which the end says most."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Offer:
    """What can be chosen."""

    begun: str = ""
    """The machine of this run; empty until one was read."""
    saved: str = ""
    """What an earlier run left; empty if nothing."""
    servers: tuple[ServerHere, ...] = ()
    examples: Mapping[str, str]
    """Their names, each with what is interesting about it."""
    unfolded: bool = False
    """Whether the examples are listed."""


def welcome_rows(offer: Offer) -> tuple[Row, ...]:
    """All of them, each with the key that it is chosen by."""
    return tuple(_rows(offer))


def _rows(offer: Offer) -> Iterator[Row]:
    if offer.begun:
        yield _row("begun", "Continue", f"with {offer.begun}", "your answers so far are kept")
    elif offer.saved:
        yield Row(key="saved", text=Text.assemble(_label("Continue"), (harmless(offer.saved), ACCENT)))
    yield _row("host", "Here", "This host", "reads /proc, /sys and its servers")
    yield from map(_server, offer.servers)
    yield _row("file", "Elsewhere", "A facts file", "from another machine: tunewiz facts")
    yield _row("fleet", "", "Many servers", "a directory of facts, or a project")
    shown = "enter folds them" if offer.unfolded else "enter shows them"
    yield _row("examples", "Look around", f"{len(offer.examples)} example machines", shown)
    if offer.unfolded:
        for name, about in offer.examples.items():
            title = f"  {name:<{EXAMPLE}} "
            yield Row(key=f"example {name}", text=Text.assemble(_label(""), title, (about, "dim")))


def _server(server: ServerHere) -> Row:
    """Servers of which the directory is unknown run in containers: they cannot be chosen from here."""
    port = f":{server.port}" if server.port else ""
    size = "" if server.size is None else server.size.human()
    state = "running" if server.is_running else "stopped"
    text = Text.assemble(
        _label(""),
        f"  {server.version or '?':<7}{port:<7}{_end(server.directory or 'in a container'):<{DIRECTORY}}",
        (f"{size:>9} ", "dim"),
        (state, "" if server.is_running else "dim"),
    )
    return Row(key=f"server {server.directory}" if server.directory else "", text=text)


def _end(directory: str) -> str:
    shown = harmless(directory)
    return shown if len(shown) < DIRECTORY else f"…{shown[-DIRECTORY + 2 :]}"


def _row(key: str, label: str, title: str, about: str) -> Row:
    return Row(key=key, text=Text.assemble(_label(label), title.ljust(TITLE), " ", (about, "dim")))


def _label(label: str) -> tuple[str, str]:
    return label.ljust(LABEL), "bold"
