"""The studies that come with the program: profiles/studies, checked against all that they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType

from tunewiz.core.comparison.study import Study, StudyStep
from tunewiz.core.comparison.study_outcomes import closest_system
from tunewiz.core.planning.evidence_fit import here_of, known_differences
from tunewiz.core.planning.measurement_series import Series
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.errors import InputError, UsageError
from tunewiz.core.values.names import expected_name
from tunewiz.core.values.versions import Major, MajorError
from tunewiz.knowledge.loading import Knowledge, load_knowledge
from tunewiz.knowledge.profiles import package_data, read_record
from tunewiz.knowledge.series import load_series


@cache
def load_studies() -> Mapping[str, Study]:
    """All studies by name.

    Raises:
        InputError: A study names something that does not exist; the message names file, step and key.
    """
    names = sorted(path.stem for path in package_data("studies").iterdir() if path.suffix == ".toml")
    studies = {name: read_record(Study, "studies", f"{name}.toml") for name in names}
    for name, study in studies.items():
        check_study(study, f"profiles/studies/{name}.toml", load_knowledge())
    return MappingProxyType(dict(sorted(studies.items(), key=lambda item: (item[1].year, item[0]))))


def load_study(name: str) -> tuple[str, Study]:
    """A study and its name, by that name or by a document of it; raises UsageError if there is none."""
    for key, study in load_studies().items():
        if name == key or name in study.documents:
            return key, study
    raise UsageError(f"study: found {name!r}, expected {expected_name(name, tuple(load_studies()))}")


def closest(start: Situation) -> str:
    """The study that measured the system most like this machine, the newest of those alike."""
    studies = load_studies()
    return min(reversed(list(studies)), key=lambda name: _distance(studies[name], start))


def _distance(study: Study, start: Situation) -> tuple[int, int]:
    return known_differences(closest_system(study, start), here_of(start))


def series_of(study: Study) -> tuple[Series, ...]:
    """The measurements that its documents give as numbers."""
    return tuple(series for series in load_series() if series.source in study.documents)


def check_study(study: Study, where: str, knowledge: Knowledge) -> None:
    """Raises InputError for the first name that does not exist."""
    library = knowledge.library
    _known(study.documents, library.sources, f"{where}: documents")
    _known(study.systems, library.systems, f"{where}: systems")
    _known(study.also, library.claims, f"{where}: also")
    for number, step in enumerate(study.steps):
        _check_step(step, f"{where}: steps.{number}", knowledge)


def _check_step(step: StudyStep, where: str, knowledge: Knowledge) -> None:
    claims = knowledge.library.claims
    _known(step.claims, claims, f"{where}.claims")
    _known((step.recommendation,), _ids(knowledge), f"{where}.recommendation")
    if not step.claims:
        raise InputError(f"{where}.claims: found none, expected the claim that the step rests on")
    if step.asks == "exactly" and not step.value:
        raise InputError(f'{where}.value: found nothing, expected the value that asks = "exactly" means')
    if (step.since_postgres or step.since_kernel) and not any(claims[claim].today for claim in step.claims):
        raise InputError(f"{where}.claims: found none with a text for today, which since_... refers to")
    _check_major(step.since_postgres, f"{where}.since_postgres")


def _check_major(text: str, where: str) -> None:
    try:
        _ = Major.parse(text) if text else text
    except MajorError as error:
        raise InputError(f"{where}: {error}") from error


def _ids(knowledge: Knowledge) -> Iterator[str]:
    return (recommendation.id for recommendation in knowledge.catalogue)


def _known(names: Iterable[str], expected: Iterable[str], where: str) -> None:
    there = tuple(expected)
    for name in names:
        if name not in there:
            raise InputError(f"{where}: found {name}, expected {expected_name(name, there)}")
