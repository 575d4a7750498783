"""Changes to the dynamic configuration of a Patroni cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tunewiz.core.recommendation.actions import Row


@dataclass(frozen=True, kw_only=True, slots=True)
class DynamicSetting:
    """A setting under postgresql.parameters, its values in the server's own unit."""

    name: str
    before: str
    """What every member shows in pg_settings; `?` where the facts do not tell."""
    before_text: str
    """As a person writes it: `128MB`."""
    value: str
    effect: Literal["reload", "restart"]
    text: str
    """As it stands in the configuration: `16GB`, `200`."""
    everywhere: bool
    """Whether Patroni passes it on the command line, the same on every member."""

    @property
    def row(self) -> Row:
        """Data of the step that follows."""
        place = "everywhere" if self.everywhere else "file"
        return "dynamic", self.name, self.before, self.value, self.effect, self.text, place, self.before_text


def dynamic_rows(settings: Sequence[DynamicSetting], major: str, system_identifier: str) -> Iterator[Row]:
    """The settings, then the one step that puts them all in force: one write, one round of restarts."""
    for setting in settings:
        yield setting.row
    if settings:
        yield "patroni", major, system_identifier
