"""What follows a written bundle: the next commands, and what its dry run said."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rich.text import Text

from tunewiz.bundle.dry_run import DryRun
from tunewiz.core.words.harmless import harmless
from tunewiz.wizard.outcome import Written, next_steps

LABEL = 9
ENDED: Mapping[int, str] = MappingProxyType(
    {
        0: "Nothing stands in its way on this machine.",
        2: "It did not begin; the reason is below.",
        3: "It was applied here before.",
        4: "Refused: this machine is not what was planned on.",
        75: "Another run holds the lock: try again when it has ended.",
    }
)
"""By the exit statuses of apply.sh, which its first lines name."""


def steps_after(written: Written) -> tuple[Text, ...]:
    """The commands, as they are printed when the wizard ends."""
    return tuple(
        Text.assemble((f"{label:<{LABEL}}", "bold"), "\t", harmless(text))
        for label, text in next_steps(written)
    )


def dry_run_rows(tried: DryRun) -> tuple[Text, ...]:
    """How it ended, then what it said."""
    ended = ENDED.get(tried.status, "It failed; the reason is below.")
    said = (Text(harmless(line.expandtabs())) for line in tried.lines)
    return (
        Text(ended, style="bold"),
        Text(f"apply.sh --dry-run ended with exit status {tried.status}. Nothing was changed."),
        Text(),
        *said,
    )
