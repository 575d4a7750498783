"""What both forms of an export say of settings, for comments."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.keepers.exported import ProviderSetting

_WIDTH = 110


def comment_on(setting: ProviderSetting) -> str:
    """For the comment of a setting: what the server then has, and why."""
    other = f" (the plan: {setting.planned})" if setting.planned != setting.text else ""
    formula = f"; the default there: {setting.parameter.formula}" if setting.parameter.formula else ""
    return f"{setting.name} = {setting.text}{other}: {setting.because}{formula}"


def wrapped(label: str, names: list[str]) -> Iterator[str]:
    """The names in lines that fit, if there are any."""
    line = label
    for number, name in enumerate(names):
        more = f"{name}{',' if number < len(names) - 1 else ''}"
        if len(line) + len(more) > _WIDTH:
            yield line.rstrip()
            line = "    "
        line += f"{more} "
    if names:
        yield line.rstrip()
