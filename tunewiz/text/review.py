"""The plan as it will be carried out: order, cost, values before and after, memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from tunewiz.core.answers.answers import Replaced
from tunewiz.core.answers.corrections import corrected, title_of
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.decisions import is_refused, note_of, tally
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.impact import by_impact
from tunewiz.core.planning.plan import BudgetUnknown, Plan, actions_of
from tunewiz.core.planning.proved import how_measured
from tunewiz.core.proof.proof import Proof
from tunewiz.core.recommendation.actions import HostAction
from tunewiz.core.recommendation.targets import Effect, HostTarget, PgTarget, SysctlTarget, SysfsTarget
from tunewiz.core.recommendation.verdicts import Advice, Proposal
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes
from tunewiz.core.words.finding import NOT_KNOWN, NOTHING, UNREAD, Phrase, name_of, words_of
from tunewiz.core.words.harmless import harmless
from tunewiz.core.words.memory import parts_in_brief, parts_without_sums
from tunewiz.core.words.proof import result_in_words
from tunewiz.text.bars import bar
from tunewiz.text.colors import CAUTION, CHANGES, DANGER
from tunewiz.text.memory_bar import bar_of, legend
from tunewiz.wizard.bundle_preview import Previewed
from tunewiz.wizard.journey import Journey
from tunewiz.wizard.proved_plan import not_counted_in_words

LABEL = 11
BAR = 24
STACKED = 64
"""Cells of a bar that shows all parts."""
IN_ROW = 13
"""The same where two stand in one row."""
SETTING = 37
SERVER_FILE = "in a drop-in file, or by ALTER SYSTEM where none is included"
DOWNTIME = "connections are cut for a few seconds, longer after heavy writing"


def summary(journey: Journey, previewed: Previewed, *, draws: bool = True) -> tuple[Text, ...]:
    """What happens, in which order, at what cost; then every value before and after."""
    plan = journey.plan
    steps = _steps(done_of(plan, previewed))
    return (
        *steps,
        *not_reached(plan, previewed),
        *_rest(journey),
        _memory_line(plan, draws=draws),
        *_warnings(plan),
        Text(),
        *_values(plan, previewed),
    )


def done_of(plan: Plan, previewed: Previewed) -> tuple[Finding, ...]:
    """The changes that the bundle makes."""
    left_out = {
        name
        for changes_out_of_reach in previewed.out_of_reach
        for name in changes_out_of_reach.recommendations
    }
    return tuple(change for change in plan.changes if change.recommendation.id not in left_out)


def counted(plan: Plan, previewed: Previewed) -> str:
    """How many changes, restarts and reboots the bundle makes."""
    done = done_of(plan, previewed)
    restarts, reboots = (_any(done, effect) for effect in (Effect.RESTART, Effect.REBOOT))
    return (
        f"{how_many(len(done), 'change')} · {how_many(restarts, 'restart')} · {how_many(reboots, 'reboot')}"
    )


def _any(done: Sequence[Finding], effect: Effect) -> int:
    return int(any(finding.takes_effect is effect for finding in done))


def _line(label: str, text: str) -> Text:
    style = CAUTION if label.startswith("!") else "bold"
    return Text.assemble((label.ljust(LABEL), style), "\t", text)


def _steps(done: Sequence[Finding]) -> Iterator[Text]:
    done = by_impact(done)
    kernel = [
        finding for finding in done if isinstance(finding.recommendation.target, SysctlTarget | SysfsTarget)
    ]
    server = [finding for finding in done if isinstance(finding.recommendation.target, PgTarget)]
    host = [finding for finding in done if isinstance(finding.recommendation.target, HostTarget)]
    restart = _any(done, Effect.RESTART)
    steps: list[tuple[str, str]] = []
    if kernel:
        names = ", ".join(name_of(finding).short for finding in kernel)
        steps.append(("kernel", f"{how_many(len(kernel), 'setting')}, now and after each reboot: {names}"))
    if host:
        steps.append(
            (
                "host",
                f"{how_many(len(host), 'change')}: {', '.join(name_of(finding).short for finding in host)}",
            )
        )
    if server:
        steps.append(("server", f"{how_many(len(server), 'setting')}: {SERVER_FILE}"))
    if server or restart:
        after = "then a connection proves that it is up" if restart else "then each value is read back"
        steps.append(
            (
                "restart" if restart else "reload",
                f"{DOWNTIME if restart else 'no downtime'}; {after}",
            )
        )
    for number, (label, text) in enumerate(steps, 1):
        yield _line(f"{number} {label}", text)
    if not steps:
        yield _line("nothing", "The bundle changes nothing.")
    else:
        yield _line("  undo", "rollback.sh restores every file and value, server up or down")


def _rest(journey: Journey) -> Iterator[Text]:
    plan = journey.plan
    counts = tally(plan.findings)
    parts = (
        f"{counts.undecided} for you to decide",
        f"{counts.refused} declined by you",
        f"{counts.left_alone} left alone",
    )
    notes = how_many(len([finding for finding in plan.findings if note_of(finding)]), "note")
    yield _line("  not done", " · ".join((*parts, notes)))
    yield from _measured(journey)
    for key, value in corrected(journey.facts):
        yield _line("  by hand", f"{title_of(key)} is {value}: corrected by hand, differs from what was read")


def _measured(journey: Journey) -> Iterator[Text]:
    """What was measured of this plan, or why the measurement does not count."""
    proof = journey.plan.start.proof
    if isinstance(proof, Proof):
        yield _line("  measured", harmless(f"{result_in_words(proof)} ({how_measured(proof)})"))
    elif journey.not_counted:
        yield _line("! measured", harmless(not_counted_in_words(journey.not_counted)))


def not_reached(plan: Plan, previewed: Previewed) -> Iterator[Text]:
    """What the plan proposes but no script can do, with the reason."""
    named = {finding.recommendation.id: name_of(finding).short for finding in plan.findings}
    for changes_out_of_reach in previewed.out_of_reach:
        names = ", ".join(named[name] for name in changes_out_of_reach.recommendations)
        many = how_many(len(changes_out_of_reach.recommendations), "change")
        yield _line("! by hand", f"{many} out of the bundle's reach: {changes_out_of_reach.why}: {names}")


def commands(plan: Plan, previewed: Previewed) -> Iterator[Text]:
    """What apply.sh runs, in order, apart from installing the files."""
    done = done_of(plan, previewed)
    yield Text("What apply.sh runs, each after saving the previous value in /var/lib/tunewiz", style="bold")
    for finding in done:
        match finding.recommendation.target, finding.verdict:
            case SysctlTarget(name=name), Proposal(value=value):
                yield Text(f"$ sysctl -w {name}={value}")
            case SysfsTarget(name=path), Proposal(value=value):
                yield Text(f"$ echo {value} > {path}")
            case HostTarget(), _:
                for action in actions_of(finding, plan.start):
                    if isinstance(action, HostAction):
                        yield Text(f"# {action.action_in_words}")
            case _:
                pass
    if any(finding.takes_effect is Effect.RESTART for finding in done):
        yield Text(
            "$ restart the server the way it is run here (systemd, pg_ctlcluster or pg_ctl), then SELECT"
        )
    elif any(isinstance(finding.recommendation.target, PgTarget) for finding in done):
        yield Text("$ SELECT pg_reload_conf()")


def _values(plan: Plan, previewed: Previewed) -> Iterator[Text]:
    done = done_of(plan, previewed)
    for finding in by_impact(plan.changes):
        yield _value("+ " if finding in done else "! ", finding, plan)
    for finding in by_impact(filter(is_refused, plan.findings)):
        yield _declined(finding, plan)
    for finding in by_impact(plan.advised):
        label = "by hand" if isinstance(finding.verdict, Advice) else "open"
        yield Text.assemble((f"  {label:<9}", "dim"), "\t", finding.recommendation.title)


def _value(mark: str, finding: Finding, plan: Plan) -> Text:
    words = words_of(finding, plan.start)
    own = "your value" if isinstance(finding.decision, Replaced) else ""
    about = ", ".join(text for text in (own, _was(words.now)) if text)
    note = f"; note: {note_of(finding)}" if note_of(finding) else ""
    setting = f"{words.name.short} = {words.then.short}"
    is_short = len(setting) < SETTING
    return Text.assemble(
        (mark, CHANGES if mark == "+ " else CAUTION),
        "" if is_short else "\t",
        (setting.ljust(SETTING), "bold"),
        "\t" if is_short else " ",
        (f"{about}{note}", "dim"),
    )


def _declined(finding: Finding, plan: Plan) -> Text:
    """What a person declined: what stays, and what was proposed instead."""
    words = words_of(finding, plan.start)
    note = f"; note: {note_of(finding)}" if note_of(finding) else ""
    stays = f"{words.name.short} stays as it is"
    instead = (
        f"you declined {words.then.short}" if isinstance(finding.verdict, Proposal) else "you declined it"
    )
    return Text.assemble(("- ", CAUTION), (stays.ljust(SETTING), "bold"), " ", (f"{instead}{note}", "dim"))


def _was(present: Phrase) -> str:
    if present.short == NOTHING:
        return ""
    is_read = present.more != UNREAD and present.short != NOT_KNOWN
    return f"was {present.in_full}" if is_read else present.in_full


def _warnings(plan: Plan) -> Iterator[Text]:
    for number, warned in enumerate(plan.warnings):
        yield _line("! note" if number == 0 else "!", warned.text)


def _memory_line(plan: Plan, *, draws: bool) -> Text:
    """Where the memory goes now and then, in one row."""
    before, after = plan.before, plan.after
    if not isinstance(before, MemoryBudget) or not isinstance(after, MemoryBudget):
        unknown = before if isinstance(before, BudgetUnknown) else after
        why = unknown.why if isinstance(unknown, BudgetUnknown) else ""
        return _line("  memory", f"the budget is not known: {why}")
    cache = parts_in_brief(after)[-1][1].human()
    left = f"{cache} for the cache" if after.fits else "! more is claimed than there is"
    if not draws:
        claimed = f"{before.claimed.human()} claimed now, {after.claimed.human()} then"
        return _line("  memory", f"{claimed}, of {after.total.human()}; {left}")
    return Text.assemble(
        ("  memory".ljust(LABEL), "bold"),
        "now [",
        bar_of(before, IN_ROW),
        "] then [",
        bar_of(after, IN_ROW),
        "] ",
        (left, "" if after.fits else DANGER),
        no_wrap=True,
        overflow="ellipsis",
    )


def memory(plan: Plan, *, draws: bool = True) -> tuple[Text, ...]:
    """The memory budget before and after."""
    before, after = plan.before, plan.after
    if isinstance(before, BudgetUnknown):
        return (Text(f"The memory budget is unknown: {before.why}"),)
    if isinstance(after, BudgetUnknown):
        return (Text(f"The memory budget is unknown: {after.why}"),)
    rows = [
        _memory_row(label, old, new, after.total)
        for (label, old), (_, new) in zip(parts_without_sums(before), parts_without_sums(after), strict=True)
    ]
    return (
        Text(f"Where {after.total.short()} of memory goes when the server is as busy as you said:"),
        Text(),
        Text(f"{'':<25}{'now':>11}{'then':>11}", style="dim"),
        *rows,
        Text(),
        *((*_bars(before, after), Text()) if draws else ()),
        _verdict(after),
    )


def _bars(before: MemoryBudget, after: MemoryBudget) -> Iterator[Text]:
    for label, budget in (("now", before), ("then", after)):
        yield Text.assemble((f"{label:<5}", "dim"), "[", bar_of(budget, STACKED), "]")
    yield Text.assemble("      ", legend(after))


def _memory_row(label: str, before: Bytes, after: Bytes, total: Bytes) -> Text:
    share = bar(after.count, total.count, BAR)
    return Text.assemble(f"{label:<25}", (f"{before.human():>11}", "dim"), f"{after.human():>11}  ", share)


def _verdict(after: MemoryBudget) -> Text:
    if after.fits:
        return Text(f"Upper bounds: {after.claimed.human()} is claimed, the rest serves as page cache.")
    return Text(
        f"! {after.claimed.human()} of {after.total.human()} is claimed: expect fewer connections, or use a "
        f"pool.",
        style=DANGER,
    )
