"""`tunewiz upgrade --to MAJOR`: what becomes of a server's settings in a newer major version."""

from __future__ import annotations

from collections.abc import Iterable

from tunewiz.commands.inputs import Inputs, planned, read_inputs
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.answers.parsing import major as parsed_major
from tunewiz.core.upgrade.items import Upgrade
from tunewiz.core.upgrade.upgrade import server_of, upgrade_of
from tunewiz.core.values.errors import InputError, UsageError
from tunewiz.core.values.names import in_words
from tunewiz.core.values.versions import Major
from tunewiz.formats.upgrade import upgrade_json
from tunewiz.knowledge.upgrades import load_release_notes

NEEDS_HAND = 1


def run_upgrade(options: Options) -> int:
    """Print what an upgrade does; exit status 0 if nothing has to be done, else 1."""
    to = _target(options)
    inputs = read_inputs(options)
    upgrade = _upgrade(inputs, to)
    if options.json:
        output.write(upgrade_json(upgrade, inputs.facts))
    else:
        from tunewiz.text.upgrade import upgrade_text  # noqa: PLC0415 - scripts need no rich

        output.write(upgrade_text(upgrade, inputs.facts))
    return NEEDS_HAND if upgrade.needs_hand else 0


def _target(options: Options) -> Major:
    """Refused before the machine is read."""
    return Major.parse(parsed_major("--to", options.to or ""))


def _upgrade(inputs: Inputs, to: Major) -> Upgrade:
    plan, knowledge = planned(inputs), inputs.knowledge
    try:
        server_of(plan.start)
        if to <= plan.start.major:
            raise UsageError(f"--to: found {to}, expected {_newer(plan.start.major, knowledge.settings)}")
        return upgrade_of(plan, knowledge.settings[to], load_release_notes(), knowledge.catalogue)
    except InputError as error:
        raise InputError(f"{inputs.facts_from}: {error.message}", error.hint) from error


def _newer(than: Major, known: Iterable[Major]) -> str:
    newer = [str(major) for major in known if major > than]
    there = in_words(newer) if newer else "none is known here"
    return f"a version newer than {than}, which this server runs: {there}"
