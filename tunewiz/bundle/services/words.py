"""What both forms of an export say of a setting."""

from __future__ import annotations

from tunewiz.core.keepers.exported import ProviderSetting


def setting_in_words(setting: ProviderSetting) -> str:
    """For the comment of a setting: what the server then has, and why."""
    other = f" (the plan: {setting.planned})" if setting.planned != setting.text else ""
    formula = f"; the default there: {setting.parameter.formula}" if setting.parameter.formula else ""
    return f"{setting.name} = {setting.text}{other}: {setting.because}{formula}"
