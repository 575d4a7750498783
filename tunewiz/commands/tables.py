"""`tunewiz tables`: what can be done for single tables of the server."""

from __future__ import annotations

from tunewiz.commands.inputs import planned, read_inputs
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.tables.tables import advice_on_tables
from tunewiz.formats.tables import tables_json


def run_tables(options: Options) -> int:
    """Print what is said of tables; the SQL for it is in the bundle."""
    inputs = read_inputs(options)
    advice = advice_on_tables(planned(inputs))
    if options.json:
        output.write(tables_json(advice, inputs.facts))
        return 0
    from tunewiz.text.tables import tables_text  # noqa: PLC0415 - scripts need no rich

    output.write(tables_text(advice, inputs.facts))
    return 0
