"""`tunewiz study`: a study retold beside this machine's plan, or the list of the studies."""

from __future__ import annotations

from tunewiz.commands.inputs import planned, read_inputs
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.comparison.study_outcomes import retold
from tunewiz.formats.study import studies_json, study_json
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.studies import load_studies, load_study, series_of


def run_study(options: Options) -> int:
    """Print one study or the list."""
    if options.study is None:
        output.write(_list(as_json=options.json))
        return 0
    name, study = load_study(options.study)  # refused before the machine is read
    outcome = retold(name, study, planned(read_inputs(options)))
    if options.json:
        output.write(study_json(outcome, series_of(study)))
        return 0
    from tunewiz.text.study import study_text  # noqa: PLC0415 - scripts need no rich

    output.draw(study_text(outcome))
    return 0


def _list(*, as_json: bool) -> str:
    library = load_knowledge().library
    if as_json:
        return studies_json(load_studies(), library)
    from tunewiz.text.study import study_list  # noqa: PLC0415 - as above

    return study_list(load_studies(), library)
