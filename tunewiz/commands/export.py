"""`tunewiz export`: a plan's settings for whoever runs the server, in a form that others carry out."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from tunewiz.commands.inputs import Inputs, planned, read_inputs
from tunewiz.commands.named_files import write_text
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.keepers.exported import Export, answers_there, exported
from tunewiz.core.keepers.services import ServiceName
from tunewiz.core.planning.target_names import KeptTarget
from tunewiz.core.values.errors import UsageError
from tunewiz.core.values.known import known_or
from tunewiz.managed.gitops import RepositoryFormat, repository_text, request_text
from tunewiz.managed.loading import load_service


def run_export(options: Options) -> int:
    """Print the settings, or what takes them back, or write them to a file."""
    if options.managed_by is not None:
        text = _for_service(options, options.managed_by)
    elif options.operator is not None:
        text = _for_operator(options, options.operator)
    else:
        raise UsageError("export: expected --service SERVICE or --operator OPERATOR")
    if options.out is None:
        output.write(text)
    else:
        write_text(options.out, text)
    return 0


def _for_service(options: Options, name: ServiceName) -> str:
    from tunewiz.managed.document import export_text  # noqa: PLC0415 - the other form needs none of it

    form = options.export_format or "terraform"
    if form not in ("terraform", "cli"):
        raise UsageError(f"--format: found {form}, expected terraform or cli beside --service")
    return export_text(_export(read_inputs(options), name), name, form, undo=options.undo)


def _export(inputs: Inputs, name: ServiceName) -> Export:
    service = load_service(name)
    answers = answers_there(
        inputs.answers, service, inputs.knowledge.catalogue, inputs.answers_from or "answers"
    )
    host = known_or(inputs.facts.host.name, "") or inputs.facts_from
    return exported(planned(replace(inputs, answers=answers)), service, host)


def _for_operator(options: Options, target: KeptTarget) -> str:
    from tunewiz.bundle.keepers.documents import patch  # noqa: PLC0415 - as above
    from tunewiz.bundle.keepers.keeper_bundle import kept_plan  # noqa: PLC0415 - as above
    from tunewiz.core.planning.keeper_targets import kept_by  # noqa: PLC0415 - as above
    from tunewiz.knowledge.keepers import load_rulebook  # noqa: PLC0415 - as above
    from tunewiz.planning import chosen_server  # noqa: PLC0415 - as above

    form = _form_of(options, target)
    inputs, rules = read_inputs(options), load_rulebook(target)
    facts = kept_by(inputs.facts, chosen_server(inputs.facts, inputs.answers), target)
    kept = kept_plan(planned(replace(inputs, facts=facts)), target, rules)
    if form == "manifest":
        return request_text(kept.handed, undo=options.undo)
    return repository_text(rules, patch(kept.handed, kept.plain), form)


def _form_of(options: Options, target: KeptTarget) -> RepositoryFormat | Literal["manifest"]:
    """KubeBlocks takes orders; the others are told how things shall be, which a repository says."""
    form = options.export_format or ("manifest" if target == "kubeblocks" else "kustomize")
    if target == "kubeblocks":
        if form != "manifest":
            raise UsageError(f"--format: found {form}, expected manifest beside --operator kubeblocks")
        return form
    if form not in ("kustomize", "helm"):
        raise UsageError(f"--format: found {form}, expected kustomize or helm beside --operator")
    if options.undo:
        raise UsageError("--undo: not with --operator: to undo, leave away what it printed")
    return form
