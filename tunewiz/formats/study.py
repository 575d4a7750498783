"""The public form of a study beside a plan, and of the list of studies."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tunewiz.core.comparison.study import Study
from tunewiz.core.comparison.study_outcomes import Retold, ToldStep
from tunewiz.core.planning.measurement_series import Point, Series, waterfall
from tunewiz.core.recommendation.evidence import Claim, Library

SCHEMA = 1


def studies_json(studies: Mapping[str, Study], library: Library) -> str:
    """The list, in ASCII."""
    listed = [_head(name, study, library) for name, study in studies.items()]
    return json.dumps({"schema": SCHEMA, "studies": listed}, indent=2) + "\n"


def study_json(outcome: Retold, figures: tuple[Series, ...]) -> str:
    """One study beside a plan, in ASCII."""
    system, fit, because = outcome.closest
    document = {
        "schema": SCHEMA,
        "study": _head(outcome.name, outcome.study, outcome.plan.start.library),
        "closest": {"key": system.key, "fit": fit, "because": because},
        "counts": dict(outcome.counts),
        "steps": [_step(step) for step in outcome.steps],
        "also": [_claim(claim) for claim in outcome.also],
        "figures": [_figure(figure) for figure in figures],
    }
    return json.dumps(document, indent=2) + "\n"


def _head(name: str, study: Study, library: Library) -> dict[str, object]:
    return {
        "name": name,
        "title": study.title,
        "year": study.year,
        "documents": [
            {"key": key, "title": source.title, "author": source.author, "date": source.date}
            for key in study.documents
            for source in (library.sources[key],)
        ],
        "systems": [{"key": key, "name": library.systems[key].name} for key in study.systems],
        "measured": study.measured,
    }


def _step(retold: ToldStep) -> dict[str, object]:
    return {
        "title": retold.step.title,
        "place": retold.step.place,
        "value": retold.step.value,
        "claims": [_claim(claim) for claim in retold.claims],
        "recommendation": retold.step.recommendation,
        "outcome": retold.outcome,
        "because": retold.because,
        "now": retold.in_words.now.in_full,
        "then": retold.in_words.then.in_full,
    }


def _claim(claim: Claim) -> dict[str, object]:
    return {
        "id": claim.id,
        "text": claim.text,
        "figure": claim.figure,
        "measured_on": list(claim.measured_on),
        "place": claim.place,
        "today": claim.today,
        "caution": claim.caution,
    }


def _figure(series: Series) -> dict[str, object]:
    return {
        "title": series.title,
        "source": series.source,
        "place": series.place,
        "unit": series.unit,
        "claims": list(series.claims),
        "steps": [
            {"label": bar.label, "from": round(bar.before, 1), "to": round(bar.after, 1)}
            for bar in (waterfall(series) if series.kind == "steps" else ())
        ],
        "pairs": [_pair(point, series) for point in series.points if series.kind == "pairs"],
    }


def _pair(point: Point, series: Series) -> dict[str, object]:
    return {"label": point.label, "value": point.value, "with": series.second, "then": point.tuned}
