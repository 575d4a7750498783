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


def faults(each: Recommendation, claims: Mapping[str, Claim]) -> list[str]:
    """What is wrong with a recommendation; claims are all that are known, by id."""
    return [
        *_name(each),
        *_title(each),
        *_parts(each),
        *_points(each),
        *_words(each),
        *_citations(each, claims),
        *_grounds(each, claims),
        *_versions(each),
        *_examples(each),
    ]


def uncited(catalogue: Collection[Recommendation], claims: Collection[str]) -> set[str]:
    """Claims that no recommendation leans on or argues with."""
    return {*claims} - {cite.claim for each in catalogue for cite in each.cites}


def parts(explanation: Explanation) -> dict[str, str]:
    """The parts of an explanation by name."""
    return {
        "changes": explanation.changes,
        "helps": explanation.helps,
        "leave_alone": explanation.leave_alone,
        "costs": explanation.costs,
        "watch": explanation.watch,
    }


def _name(each: Recommendation) -> Iterator[str]:
    if not re.fullmatch(r"(pg|kernel|storage|host)\.[a-z0-9_]+", each.id):
        yield f"id: {each.id}"
    match each.target:
        case PgTarget(name=name):
            if each.id != f"pg.{name}":
                yield f"id: {each.id} changes {name}"
        case SysctlTarget() | SysfsTarget():
            if not each.id.startswith(("kernel.", "storage.")):
                yield f"id: {each.id} changes the kernel"
        case HostTarget():
            if each.actions is no_actions:
                yield f"actions: {each.id} has none"
        case _:
            pass


def _title(each: Recommendation) -> Iterator[str]:
    if not MIN_TITLE < len(each.title) < MAX_TITLE:
        yield "title: length"
    if not each.title[:1].isupper() or each.title.endswith("."):
        yield "title: no imperative of its own"


def _parts(each: Recommendation) -> Iterator[str]:
    for name, text in parts(each.explanation).items():
        if not MIN_PART <= len(text) <= MAX_PART:
            yield f"{name}: length"
        if not text.rstrip("”").endswith((".", "?", ")", ";")):
            yield f"{name}: no whole sentence"


def _points(each: Recommendation) -> Iterator[str]:
    for name, points in (("pros", each.pros), ("cons", each.cons)):
        if not points:
            yield f"{name}: none"
        for point in points:
            if not MIN_POINT <= len(point) <= MAX_POINT or not point.endswith("."):
                yield f"{name}: {point!r}"
    if {*each.pros} & {*each.cons}:
        yield "pros: also among the cons"


def _words(each: Recommendation) -> Iterator[str]:
    sides = (text for it in each.disputes for text in (it.one, it.other, it.follows))
    for text in (each.title, *parts(each.explanation).values(), *each.pros, *each.cons, *sides):
        yield from (f"hollow: {word}" for word in HOLLOW if word in text.lower())
        if "  " in text or not text.isprintable():
            yield f"spacing: {text!r}"


def _citations(each: Recommendation, claims: Mapping[str, Claim]) -> Iterator[str]:
    cited = [cite.claim for cite in each.cites]
    for cite in each.cites:
        if not cite.near and cite.claim in claims and each.id not in claims[cite.claim].speaks_of:
            yield f"cites: {cite.claim} does not speak of it: it is only near"
    if not cited:
        yield "cites: none"
    yield from (f"cites: {claim} is unknown" for claim in cited if claim not in claims)
    if len(cited) != len({*cited}):
        yield "cites: one claim twice"
    for dispute in each.disputes:
        yield from (f"disputes: {claim} is not cited" for claim in dispute.claims if claim not in cited)


def _grounds(each: Recommendation, claims: Mapping[str, Claim]) -> Iterator[str]:
    """Nobody is told that something was measured which was not, nor the other way round."""
    speaking = [cite.claim for cite in each.cites if not cite.near and not cite.opposes]
    speaking += [cite.claim for cite in each.cites if cite.opposes and each.basis == "measured"]
    known = [claims[claim] for claim in speaking if claim in claims]
    measured = [claim.id for claim in known if claim.measured_on and not claim.undecided]
    if each.basis == "well understood" and not any(map(_documents(each), known)):
        yield "basis: no documentation is cited"
    if each.basis == "measured" and not measured:
        yield "basis: no claim was measured"
    if each.basis == "reasoned" and measured:
        yield f"basis: {', '.join(measured)} was measured"
    if measured and any(UNMEASURED.match(con) for con in each.cons):
        yield f"cons: {', '.join(measured)} was measured"


def _documents(each: Recommendation) -> Callable[[Claim], bool]:
    """A value needs a manual that describes it; for advice, any source that speaks of it will do."""
    is_value = isinstance(each.target, PgTarget | SysctlTarget | SysfsTarget)
    return lambda claim: claim.figure == "documented" or not is_value


def _versions(each: Recommendation) -> Iterator[str]:
    if isinstance(each.target, PgTarget) == bool(each.versions):
        yield "versions: a setting has its own, everything else says them"


def _examples(each: Recommendation) -> Iterator[str]:
    declining = [example for example in each.examples if isinstance(example.outcome, Declines)]
    if not declining:
        yield "examples: none declines"
    if len(declining) == len(each.examples):
        yield "examples: none applies"
    names = [example.name for example in each.examples]
    if len(names) != len({*names}):
        yield "examples: one name twice"
