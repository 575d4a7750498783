"""The text for a managed service: what waits for a restart, what is left out, then the settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tunewiz.core.keepers.exported import Export, NotExported
from tunewiz.core.keepers.services import ExportFormat, ServiceName
from tunewiz.core.values.plural import how_many
from tunewiz.managed.command_lines import command_lines
from tunewiz.managed.quoting import comment
from tunewiz.managed.terraform import terraform_lines
from tunewiz.managed.words import wrapped


def export_text(export: Export, service: ServiceName, form: ExportFormat, *, undo: bool) -> str:
    """The whole text, in ASCII; the same plan gives the same text."""
    return "".join(f"{line}\n" for line in _lines(export, service, form, undo=undo))


def _lines(export: Export, service: ServiceName, form: ExportFormat, *, undo: bool) -> Iterator[str]:
    if form == "cli":
        yield "#!/bin/sh"
    yield from map(comment, _head(export, undo=undo))
    if not export.settings:
        yield ""
        yield comment("Nothing to set: the plan has no change that this service takes.")
    elif form == "cli":
        yield from command_lines(export, service, undo=undo)
    else:
        yield from terraform_lines(export, service, undo=undo)


def _head(export: Export, *, undo: bool) -> Iterator[str]:
    settings = export.settings
    what = "takes back" if undo else "sets"
    yield (
        f"tunewiz: {what} {how_many(len(settings), 'setting')} of PostgreSQL {export.major} "
        f"in {export.service.title}, planned for {export.host}"
    )
    if undo:
        yield "Values are what the facts say was set; what nobody had set goes back to the default there."
    yield from wrapped("In force at once: ", [entry.name for entry in settings if not entry.static])
    yield from wrapped("Waits for a restart: ", [entry.name for entry in settings if entry.static])
    yield "Settings of the kernel, the storage and the host are left out: there they are the provider's."
    if not undo:
        yield from _left_out(export.left_out)
    yield "What can be set there was read in (address, date):"
    for source in export.service.sources:
        yield f"  {source.address} ({source.date})"


def _left_out(left_out: Iterable[NotExported]) -> Iterator[str]:
    """Each reason once, with the settings that it is for."""
    by_reason = dict[str, list[str]]()
    for entry in left_out:
        by_reason.setdefault(entry.why, []).append(f"{entry.name} = {entry.text.strip()}")
    for why, settings in by_reason.items():
        yield f"Left out, {why}:"
        yield from wrapped("  ", settings)
