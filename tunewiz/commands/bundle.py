"""`tunewiz bundle`: the change bundle without the wizard."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tunewiz.bundle.write import write_bundle
from tunewiz.commands.inputs import Inputs, planned, read_inputs
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.planning.target_names import KeptTarget
from tunewiz.core.values.errors import UsageError
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.wizard.outcome import Written, outcome_in_words


def run_bundle(options: Options) -> int:
    """Write the bundle and say what to do with it."""
    if options.out is None:
        raise UsageError("bundle: expected -o DIR")
    inputs = read_inputs(options)
    directory = Path(options.out)
    if options.target == "host":
        output.write(_for_host(inputs, directory) + "\n")
    else:
        output.write(_for_keeper(inputs, directory, options.target) + "\n")
    return 0


def _for_host(inputs: Inputs, directory: Path) -> str:
    plan = planned(inputs)
    write_bundle(plan, directory, facts_to_json(inputs.facts), answers_to_toml(inputs.answers))
    return outcome_in_words(Written(directory=str(directory), plan=plan))


def _for_keeper(inputs: Inputs, directory: Path, target: KeptTarget) -> str:
    """What is kept by someone else: the facts say so from here on, in the bundle too."""
    from tunewiz.bundle.keepers.kept import Texts, kept_plan, write_kept_bundle  # noqa: PLC0415 - rarely asked for
    from tunewiz.core.planning.keeper_targets import kept_by  # noqa: PLC0415 - as above
    from tunewiz.knowledge.keepers import load_rulebook  # noqa: PLC0415 - as above
    from tunewiz.planning import chosen_server  # noqa: PLC0415 - as above
    from tunewiz.text.for_keeper import kept_in_words  # noqa: PLC0415 - as above

    facts = kept_by(inputs.facts, chosen_server(inputs.facts, inputs.answers), target)
    plan = planned(replace(inputs, facts=facts))
    kept = kept_plan(plan, target, load_rulebook(target))
    texts = Texts(facts_json=facts_to_json(facts), answers_toml=answers_to_toml(inputs.answers))
    write_kept_bundle(plan, kept, directory, texts)
    return kept_in_words(kept, directory)
