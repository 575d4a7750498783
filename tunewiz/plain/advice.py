"""What should change: by subject, then one by one, with yes and no, another value, a note."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tunewiz.core.answers.answers import Answers
from tunewiz.core.planning.decisions import is_open, note_of, noted, takes_value, toggled
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.verdicts import Declined, Proposal
from tunewiz.core.words.finding import words_of
from tunewiz.plain.asking import choose, typed
from tunewiz.plain.talk import BackAsked, Talk
from tunewiz.plain.turn import Keep, answered_or_told
from tunewiz.text.choice import Choice
from tunewiz.text.finding_detail import in_full
from tunewiz.text.findings import grounds_of, grouped
from tunewiz.wizard.journey import Journey, with_value

ON, TOGGLE, VALUE, NOTE, FULL = "on", "toggle", "value", "note", "full"
NEVER_A_KEY = "/"
"""Before the titles of subjects, which are no keys."""
STATES = {
    "change": "yes",
    "advise": "open",
    "keep": "right already",
    "declined": "no",
    "not_applicable": "not here",
}


def recommendations(talk: Talk, journey: Journey, keep: Keep) -> Journey:
    """Until the person goes on; raises BackAsked where the way leads back."""
    while True:
        talk.say("", *_warnings(journey.plan))
        subjects = dict(grouped(journey.plan.findings, everything=True))
        choices = (
            Choice(key=ON, title="Go on to the review"),
            *(
                Choice(key=f"/{title}", title=title, about=_counted(found))
                for title, found in subjects.items()
            ),
        )
        chosen = choose(talk, choices, ON)
        if chosen == ON:
            return journey
        journey = _subject(talk, journey, chosen.removeprefix(NEVER_A_KEY), keep)


def _warnings(plan: Plan) -> Iterator[str]:
    for warned in plan.warnings:
        yield f"! \t{warned.text}"


def _counted(found: Sequence[Finding]) -> str:
    names = {"change": "to change", "advise": "open", "declined": "declined"}
    states = [each.state for each in found if is_open(each)]
    told = [f"{states.count(state)} {words}" for state, words in names.items() if state in states]
    return ", ".join(told) or f"{len(found)} with reasons"


def _subject(talk: Talk, journey: Journey, title: str, keep: Keep) -> Journey:
    """The findings of one subject, until the person goes on."""
    while True:
        found = dict(grouped(journey.plan.findings, everything=True)).get(title, [])
        on = Choice(key=ON, title="Back to the subjects")
        talk.say("", f"{title}:")
        try:
            chosen = choose(talk, (on, *(_choice(each, journey.plan) for each in found)), ON)
        except BackAsked:
            return journey
        if chosen == ON:
            return journey
        journey = _one(talk, journey, chosen, keep)


def _choice(finding: Finding, plan: Plan) -> Choice:
    words = words_of(finding, plan.start)
    if isinstance(finding.verdict, Declined):
        about = f"{words.now.short}; {finding.because}"
    else:
        about = (
            f"{words.now.short} -> {words.then.short}, {words.takes}, "
            f"risk {words.risk}, {grounds_of(finding)}"
        )
    title = f"{words.name.short} [{STATES[finding.state]}]"
    return Choice(key=finding.recommendation.id, title=title, about=about)


def _one(talk: Talk, journey: Journey, key: str, keep: Keep) -> Journey:
    """One finding, until the person goes on."""
    while True:
        finding = next(each for each in journey.plan.findings if each.recommendation.id == key)
        talk.say("", *_short(finding, journey.plan))
        try:
            chosen = choose(talk, tuple(_ways(finding)), ON)
            if chosen == ON:
                return journey
            journey = _done(talk, journey, finding, chosen)
        except BackAsked:
            return journey
        keep(journey)


def _short(finding: Finding, plan: Plan) -> Iterator[str]:
    words = words_of(finding, plan.start)
    yield f"{words.name.in_full} [{STATES[finding.state]}]: {finding.recommendation.title}"
    yield f"now: \t{words.now.in_full}"
    if not isinstance(finding.verdict, Declined):
        yield f"then: \t{words.then.in_full}"
        yield f"computed: \t{finding.verdict.computed}"
        yield f"takes: \t{words.takes}, risk {words.risk}"
    yield f"why: \t{finding.because}"
    yield from (f"for: \t{each}" for each in finding.recommendation.pros)
    yield from (f"against: \t{each}" for each in finding.recommendation.cons)
    if note_of(finding):
        yield f"note: \t{note_of(finding)}"


def _ways(finding: Finding) -> Iterator[Choice]:
    yield Choice(key=ON, title="Leave it so")
    if is_open(finding):
        taken = finding.state in ("change", "advise")
        yield Choice(key=TOGGLE, title="Leave it out" if taken and not _undecided(finding) else "Take it")
    if takes_value(finding):
        named = isinstance(finding.verdict, Proposal)
        yield Choice(key=VALUE, title="Another value" if named else "A place of your own, which has it done")
    if is_open(finding):
        yield Choice(key=NOTE, title="A note for whoever reviews the bundle")
    yield Choice(key=FULL, title="Everything about it, with what was measured")


def _undecided(finding: Finding) -> bool:
    return finding.state == "advise" and isinstance(finding.verdict, Proposal)


def _done(talk: Talk, journey: Journey, finding: Finding, chosen: str) -> Journey:
    match chosen:
        case "toggle":
            return answered_or_told(talk, journey, toggled(finding, journey.answers))
        case "value":
            usual = finding.verdict.value if isinstance(finding.verdict, Proposal) else ""
            return typed(talk, "Value", "", usual, lambda text: with_value(journey, finding, text))
        case "note":

            def take(text: str) -> Answers:
                return noted(finding, text, journey.answers)

            answers = typed(talk, "Note", "one line; it stands in REVIEW.md", note_of(finding), take)
            return answered_or_told(talk, journey, answers)
        case _:
            talk.say("")
            talk.read(in_full(finding, journey.plan))
            return journey
