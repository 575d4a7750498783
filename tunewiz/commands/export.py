"""`tunewiz export`: a plan for a managed service, as Terraform or as lines for its command-line program."""

from __future__ import annotations

from dataclasses import replace

from tunewiz.bundle.services.document import export_text
from tunewiz.commands.inputs import Inputs, planned, read_inputs
from tunewiz.commands.named_files import write_text
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.keepers.exported import Export, answers_there, exported
from tunewiz.core.keepers.services import ServiceName
from tunewiz.core.values.errors import UsageError
from tunewiz.core.values.known import known_or
from tunewiz.knowledge.services import load_service


def run_export(options: Options) -> int:
    """Print the plan for the service, or its undo, or write it to a file."""
    if options.managed_by is None:
        raise UsageError("export: expected --service SERVICE")
    result = _export(read_inputs(options), options.managed_by)
    text = export_text(result, options.managed_by, options.export_format, undo=options.undo)
    if options.out is None:
        output.write(text)
    else:
        write_text(options.out, text)
    return 0


def _export(inputs: Inputs, name: ServiceName) -> Export:
    service = load_service(name)
    answers = answers_there(
        inputs.answers, service, inputs.knowledge.catalogue, inputs.answers_from or "answers"
    )
    host = known_or(inputs.facts.host.name, "") or inputs.facts_from
    return exported(planned(replace(inputs, answers=answers)), service, host)
