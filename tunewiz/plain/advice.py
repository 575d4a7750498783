"""What should change: by subject, then one by one: accept, decline, another value, a note."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tunewiz.core.answers.answers import Answers
from tunewiz.core.planning.decisions import is_open, note_of, noted, takes_value, toggled
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.verdicts import Declined, Proposal
from tunewiz.core.words.finding import words_of
from tunewiz.core.words.weighing import weighing_in_words
from tunewiz.plain.line_io import BackRequested, Talk
from tunewiz.plain.prompts import ask_choice, ask_text
from tunewiz.plain.question_sequence import Keep, answered_or_told
from tunewiz.text.choice import Choice
from tunewiz.text.finding_detail import in_full
from tunewiz.text.findings import grounds_of, grouped
from tunewiz.wizard.journey import Journey, with_value

ON, TOGGLE, VALUE, NOTE, FULL = "on", "toggle", "value", "note", "full"
NEVER_A_KEY = "/"
"""Prefix of subjects' keys, which tells them from other choices."""
STATES = {
    "change": "yes",
    "advise": "open",
    "keep": "right already",
    "declined": "no",
    "not_applicable": "not here",
}


def recommendations(talk: Talk, journey: Journey, keep: Keep) -> Journey:
    """Asks until the person continues; raises BackRequested to go back."""
    while True:
        talk.say("", *_warnings(journey.plan))
        subjects = dict(grouped(journey.plan.findings, everything=True))
        choices = (
            Choice(key=ON, title="Continue to the review"),
            *(
                Choice(key=f"/{title}", title=title, about=_counted(subject))
                for title, subject in subjects.items()
            ),
        )
        chosen = ask_choice(talk, choices, ON)
        if chosen == ON:
            return journey
        journey = _subject(talk, journey, chosen.removeprefix(NEVER_A_KEY), keep)


def _warnings(plan: Plan) -> Iterator[str]:
    for warned in plan.warnings:
        yield f"! \t{warned.text}"


def _counted(results: Sequence[Finding]) -> str:
    names = {"change": "to change", "advise": "open", "declined": "declined"}
    states = [finding.state for finding in results if is_open(finding)]
    result = [f"{states.count(state)} {words}" for state, words in names.items() if state in states]
    return ", ".join(result) or f"{len(results)} with reasons"


def _subject(talk: Talk, journey: Journey, title: str, keep: Keep) -> Journey:
    """The findings of one subject, until the person continues."""
    while True:
        result = dict(grouped(journey.plan.findings, everything=True)).get(title, [])
        on = Choice(key=ON, title="Back to the subjects")
        talk.say("", f"{title}:")
        try:
            chosen = ask_choice(talk, (on, *(_choice(finding, journey.plan) for finding in result)), ON)
        except BackRequested:
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
    """One finding, until the person continues."""
    while True:
        finding = next(finding for finding in journey.plan.findings if finding.recommendation.id == key)
        talk.say("", *_short(finding, journey.plan))
        try:
            chosen = ask_choice(talk, tuple(_ways(finding)), ON)
            if chosen == ON:
                return journey
            journey = _done(talk, journey, finding, chosen)
        except BackRequested:
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
    if weighing := weighing_in_words(finding):
        yield f"based on: \t{weighing}"
    yield from (f"for: \t{pro}" for pro in finding.recommendation.pros)
    yield from (f"against: \t{con}" for con in finding.recommendation.cons)
    if note_of(finding):
        yield f"note: \t{note_of(finding)}"


def _ways(finding: Finding) -> Iterator[Choice]:
    yield Choice(key=ON, title="Leave it as it is")
    if is_open(finding):
        taken = finding.state in ("change", "advise")
        yield Choice(key=TOGGLE, title="Leave it out" if taken and not _undecided(finding) else "Take it")
    if takes_value(finding):
        named = isinstance(finding.verdict, Proposal)
        yield Choice(
            key=VALUE, title="Another value" if named else "A directory of your own: the bundle then does it"
        )
    if is_open(finding):
        yield Choice(key=NOTE, title="A note for the reviewer of the bundle")
    yield Choice(key=FULL, title="Everything about it, with the measurements")


def _undecided(finding: Finding) -> bool:
    return finding.state == "advise" and isinstance(finding.verdict, Proposal)


def _done(talk: Talk, journey: Journey, finding: Finding, chosen: str) -> Journey:
    match chosen:
        case "toggle":
            return answered_or_told(talk, journey, toggled(finding, journey.answers))
        case "value":
            usual = finding.verdict.value if isinstance(finding.verdict, Proposal) else ""
            return ask_text(talk, "Value", "", usual, lambda text: with_value(journey, finding, text))
        case "note":

            def take(text: str) -> Answers:
                return noted(finding, text, journey.answers)

            answers = ask_text(talk, "Note", "one line; it appears in REVIEW.md", note_of(finding), take)
            return answered_or_told(talk, journey, answers)
        case _:
            talk.say("")
            talk.read(in_full(finding, journey.plan))
            return journey
