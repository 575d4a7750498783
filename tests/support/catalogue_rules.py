"""What every recommendation must be: rules that name what is wrong, so that they can be seen to fail."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping

from tunewiz.core.recommendation.evidence import Claim
from tunewiz.core.recommendation.recommendation import Declines, Explanation, Recommendation, no_actions
from tunewiz.core.recommendation.targets import HostTarget, PgTarget, SysctlTarget, SysfsTarget

MIN_TITLE, MAX_TITLE = 10, 60
MIN_PART, MAX_PART = 20, 78 * 6  # six lines of a terminal of 80 columns
MIN_POINT, MAX_POINT = 10, 78 * 2

UNMEASURED = re.compile("No source of this project measured it|Not measured by any source")
HOLLOW = ("best practice", "simply", "obviously", "just ", "please", "leverage", "utilize", "tbd", "todo")


def faults(recommendation: Recommendation, claims: Mapping[str, Claim]) -> list[str]:
    """What is wrong with a recommendation; claims are all that are known, by id."""
    return [
        *_name(recommendation),
        *_title(recommendation),
        *_parts(recommendation),
        *_points(recommendation),
        *_words(recommendation),
        *_citations(recommendation, claims),
        *_grounds(recommendation, claims),
        *_versions(recommendation),
        *_examples(recommendation),
    ]


def uncited(catalogue: Collection[Recommendation], claims: Collection[str]) -> set[str]:
    """Claims that no recommendation leans on or argues with."""
    return {*claims} - {cite.claim for recommendation in catalogue for cite in recommendation.cites}


def parts(explanation: Explanation) -> dict[str, str]:
    """The parts of an explanation by name."""
    return {
        "changes": explanation.changes,
        "helps": explanation.helps,
        "leave_alone": explanation.leave_alone,
        "costs": explanation.costs,
        "watch": explanation.watch,
    }


def _name(recommendation: Recommendation) -> Iterator[str]:
    if not re.fullmatch(r"(pg|kernel|storage|host|role)\.[a-z0-9_]+", recommendation.id):
        yield f"id: {recommendation.id}"
    match recommendation.target:
        case PgTarget(name=name):
            if recommendation.id != f"pg.{name}":
                yield f"id: {recommendation.id} changes {name}"
        case SysctlTarget() | SysfsTarget():
            if not recommendation.id.startswith(("kernel.", "storage.")):
                yield f"id: {recommendation.id} changes the kernel"
        case HostTarget():
            if recommendation.actions is no_actions:
                yield f"actions: {recommendation.id} has none"
        case _:
            pass


def _title(recommendation: Recommendation) -> Iterator[str]:
    if not MIN_TITLE < len(recommendation.title) < MAX_TITLE:
        yield "title: length"
    if not recommendation.title[:1].isupper() or recommendation.title.endswith("."):
        yield "title: no imperative of its own"


def _parts(recommendation: Recommendation) -> Iterator[str]:
    for name, text in parts(recommendation.explanation).items():
        if not MIN_PART <= len(text) <= MAX_PART:
            yield f"{name}: length"
        if not text.rstrip("”").endswith((".", "?", ")", ";")):
            yield f"{name}: no whole sentence"


def _points(recommendation: Recommendation) -> Iterator[str]:
    for name, points in (("pros", recommendation.pros), ("cons", recommendation.cons)):
        if not points:
            yield f"{name}: none"
        for point in points:
            if not MIN_POINT <= len(point) <= MAX_POINT or not point.endswith("."):
                yield f"{name}: {point!r}"
    if {*recommendation.pros} & {*recommendation.cons}:
        yield "pros: also among the cons"


def _words(recommendation: Recommendation) -> Iterator[str]:
    sides = (text for it in recommendation.disputes for text in (it.one, it.other, it.follows))
    for text in (
        recommendation.title,
        *parts(recommendation.explanation).values(),
        *recommendation.pros,
        *recommendation.cons,
        *sides,
    ):
        yield from (f"hollow: {word}" for word in HOLLOW if word in text.lower())
        if "  " in text or not text.isprintable():
            yield f"spacing: {text!r}"


def _citations(recommendation: Recommendation, claims: Mapping[str, Claim]) -> Iterator[str]:
    cited = [cite.claim for cite in recommendation.cites]
    for cite in recommendation.cites:
        if not cite.near and cite.claim in claims and recommendation.id not in claims[cite.claim].speaks_of:
            yield f"cites: {cite.claim} does not speak of it: it is only near"
    if not cited:
        yield "cites: none"
    yield from (f"cites: {claim} is unknown" for claim in cited if claim not in claims)
    if len(cited) != len({*cited}):
        yield "cites: one claim twice"
    for dispute in recommendation.disputes:
        yield from (f"disputes: {claim} is not cited" for claim in dispute.claims if claim not in cited)


def _grounds(recommendation: Recommendation, claims: Mapping[str, Claim]) -> Iterator[str]:
    """Nobody is told that something was measured which was not, nor the other way round."""
    speaking = [cite.claim for cite in recommendation.cites if not cite.near and not cite.opposes]
    speaking += [
        cite.claim for cite in recommendation.cites if cite.opposes and recommendation.basis == "measured"
    ]
    known = [claims[claim] for claim in speaking if claim in claims]
    measured = [claim.id for claim in known if claim.measured_on and not claim.undecided]
    if recommendation.basis == "well understood" and not any(map(_documents(recommendation), known)):
        yield "basis: no documentation is cited"
    if recommendation.basis == "measured" and not measured:
        yield "basis: no claim was measured"
    if recommendation.basis == "reasoned" and measured:
        yield f"basis: {', '.join(measured)} was measured"
    if measured and any(UNMEASURED.match(con) for con in recommendation.cons):
        yield f"cons: {', '.join(measured)} was measured"


def _documents(recommendation: Recommendation) -> Callable[[Claim], bool]:
    """A value needs a manual that describes it; for advice, any source that speaks of it will do."""
    is_value = isinstance(recommendation.target, PgTarget | SysctlTarget | SysfsTarget)
    return lambda claim: claim.figure == "documented" or not is_value


def _versions(recommendation: Recommendation) -> Iterator[str]:
    if isinstance(recommendation.target, PgTarget) == bool(recommendation.versions):
        yield "versions: a setting has its own, everything else says them"


def _examples(recommendation: Recommendation) -> Iterator[str]:
    declining = [example for example in recommendation.examples if isinstance(example.outcome, Declines)]
    if not declining:
        yield "examples: none declines"
    if len(declining) == len(recommendation.examples):
        yield "examples: none applies"
    names = [example.name for example in recommendation.examples]
    if len(names) != len({*names}):
        yield "examples: one name twice"
