"""What the command line prints for people: all of it, within the window, harmless to the terminal."""

import dataclasses
import io
from collections.abc import Callable
from contextlib import redirect_stdout

import pytest

from situations import declines, plan, proposes, recommendation, situation
from tunewiz.catalogue import recommendations
from tunewiz.core.answers.answers import Accepted, Refused, Replaced
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.example_facts import facts_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.targets import AdviceTarget, SysctlTarget
from tunewiz.core.recommendation.verdicts import Advice
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.words.harmless import harmless
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.text.explanation import catalogue_list, explained
from tunewiz.text.report import (
    line,
    machine_line,
    plan_in_short,
    plan_table,
    printed,
)

DIRTY = SysctlTarget(name="vm.dirty_bytes", twin="vm.dirty_ratio", unit="bytes")
PAGES = SysctlTarget(name="vm.nr_hugepages", unit="huge pages")
KNOWLEDGE = load_knowledge()


class Terminal(io.StringIO):
    """A standard output that says it is a terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


def test_a_change_is_a_line_of_values_and_its_reason() -> None:
    shown = lines(plan_table(plan(proposes("pg.work_mem", "8MB")), answered=True))
    place = shown.index("To change (1)")
    assert shown[place + 1].split(maxsplit=4) == [
        "work_mem",
        "4MB",
        "->",
        "8MB",
        "reload, risk low  documented",
    ]
    assert shown[place + 2] == "a test says so"


def test_kernel_values_are_shown_with_their_units() -> None:
    made = plan(
        proposes("kernel.dirty_bytes", "536870912", target=DIRTY),
        proposes("kernel.nr_hugepages", "1250", target=PAGES),
        now=situation(Given(settings={"shared_buffers": "2GB"})),
    )
    shown = plan_table(made, answered=True)
    assert "512MB" in shown
    assert "1,250 pages" in shown


def test_everything_that_was_considered_is_shown_under_its_outcome() -> None:
    advice = Advice(because="there is none", steps=("mkswap",), undo=())
    made = plan(
        recommendation("kernel.swap", lambda _: advice, target=AdviceTarget(name="swap space")),
        declines("pg.autovacuum"),
        proposes("pg.work_mem", "4MB"),
        proposes("pg.io_method", "worker"),
        proposes("pg.jit", "off"),
        now=situation(decisions={"pg.jit": Refused(note="not now")}),
    )
    shown = lines(plan_table(made, answered=True))
    for title in (
        "For you to decide (1)",
        "Right already (1)",
        "Left alone (2)",
        "Not applicable, or not known (1)",
    ):
        assert title in shown
    assert any("declined by the administrator: not now" in line for line in shown)


def test_in_short_what_somebody_decided_is_shown_with_the_note() -> None:
    made = plan(
        proposes("pg.work_mem", "8MB"),
        proposes("pg.max_wal_size", "2GB"),
        proposes("pg.jit", "off"),
        now=situation(
            decisions={
                "pg.work_mem": Replaced(value="16MB", note="for reports"),
                "pg.max_wal_size": Accepted(note="agreed on"),
                "pg.jit": Refused(note="not now"),
            }
        ),
    )
    shown = lines(plan_in_short(made, answered=True))
    for text in ("value set by hand: for reports", "accepted: agreed on", "Declined (1)"):
        assert text in shown
    assert "jit  declined by the administrator: not now" in shown


def test_in_short_what_was_never_proposed_is_not_called_declined() -> None:
    refused = Refused(note="never")
    decisions = {"pg.autovacuum": refused, "pg.work_mem": refused}
    made = plan(declines("pg.autovacuum"), proposes("pg.work_mem", "8MB"), now=situation(decisions=decisions))
    shown = lines(plan_in_short(made, answered=True))
    assert "Declined (1)" in shown
    assert not any(text.startswith("autovacuum") for text in shown)


def considered() -> Plan:
    advice = Advice(because="there is none", steps=("mkswap",), undo=())
    return plan(
        recommendation("kernel.swap", lambda _: advice, target=AdviceTarget(name="swap space")),
        declines("pg.autovacuum"),
        proposes("pg.work_mem", "8MB"),
        proposes("pg.io_method", "worker"),
        now=situation(Given(major="9.6")),
    )


def test_in_short_a_plan_has_what_is_to_be_done_and_decided_its_warnings_and_counts() -> None:
    shown = lines(plan_in_short(considered(), answered=True))
    titles = [line for line in shown if line in {"To change (1)", "For you to decide (1)", "Careful"}]
    assert titles == ["To change (1)", "For you to decide (1)", "Careful"]
    assert "a test says so" in shown
    assert "Left alone: 1, Not applicable, or not known: 1" in shown
    assert any(line.startswith("Memory when the server is busy: ") for line in shown)


def test_in_short_nothing_is_said_of_what_needs_no_decision() -> None:
    short, whole = (show(considered(), answered=True) for show in (plan_in_short, plan_table))
    assert ("autovacuum" in short, "autovacuum" in whole) == (False, True)
    assert ("io_method" in short, "io_method" in whole) == (False, True)
    assert ("there is none" in short, "there is none" in whole) == (False, True)


@pytest.mark.parametrize("show", [plan_in_short, plan_table])
def test_what_matters_most_comes_first(show: Callable[..., str]) -> None:
    made = plan(proposes("pg.log_temp_files", "64MB"), proposes("pg.shared_buffers", "1GB"))
    shown = show(made, answered=True)
    assert shown.index("shared_buffers") < shown.index("log_temp_files")


def test_a_memory_that_is_not_known_is_told() -> None:
    made = plan(declines("pg.jit"), now=situation(Given(memory_unknown=True)))
    assert "Memory: the size of memory is not known: not part of the example" in plan_table(
        made, answered=True
    )


def test_a_server_that_was_not_found_is_a_warning_under_the_plan() -> None:
    made = plan(declines("pg.jit"), now=situation(Given(major="9.6")))
    shown = lines(plan_table(made, answered=True))
    assert "Careful" in shown
    assert any("had no fixes since 2021-11-11" in line for line in shown)


def test_a_machine_is_one_line_even_when_little_is_known() -> None:
    facts = facts_of(Given(cores_unknown=True, memory_unknown=True), {})
    assert machine_line(facts) == "x86_64, ? cores, ? memory, PostgreSQL 15"
    assert machine_line(dataclasses.replace(facts, postgres=())).endswith("no PostgreSQL")


def test_a_server_is_named_by_what_is_known_of_its_version() -> None:
    facts = situation().facts
    packaged, stopped = Known("15.18 (Debian 15.18-0+deb12u1)", "test"), Unknown("the server is not running")
    for version, shown in ((packaged, "PostgreSQL 15.18"), (stopped, "PostgreSQL 15")):
        servers = tuple(dataclasses.replace(server, version=version) for server in facts.postgres)
        assert machine_line(dataclasses.replace(facts, postgres=servers)).endswith(f", {shown}")


def test_servers_of_one_release_are_counted() -> None:
    facts = situation().facts
    (server,) = facts.postgres
    other = dataclasses.replace(server, version=Known("16.2", "test"), major=Known("16", "test"))
    servers = (server, other, server, server)
    shown = machine_line(dataclasses.replace(facts, postgres=servers))
    assert shown.endswith(", PostgreSQL 15 (3 servers), PostgreSQL 16.2")


@pytest.mark.parametrize("name", ["\x1b[2J", "a\nb", "\x9b31m", "\u202eevil"])
def test_no_control_character_reaches_the_terminal(name: str) -> None:
    facts = facts_of(Given(), {})
    host = dataclasses.replace(facts.host, architecture=Known(name, "test"), name=Unknown(name))
    assert machine_line(dataclasses.replace(facts, host=host)).isprintable()
    assert harmless(name).isprintable()


def test_plain_text_is_left_as_it_is() -> None:
    assert harmless("Zürich, 4 Stück") == "Zürich, 4 Stück"


def test_colour_is_for_terminals() -> None:
    made = plan(proposes("pg.work_mem", "8MB"))
    assert "\x1b[" not in plan_table(made, answered=True)
    with redirect_stdout(Terminal()):
        assert "\x1b[1m" in plan_table(made, answered=True)


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colour_can_be_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with redirect_stdout(Terminal()):
        assert "\x1b" not in plan_table(plan(proposes("pg.work_mem", "8MB")), answered=True)


@pytest.mark.parametrize("entry", recommendations(), ids=lambda value: value.id)
def test_every_recommendation_can_be_explained(entry: Recommendation) -> None:
    sentence = " ".join(explained(entry, KNOWLEDGE).split())
    for text in (*entry.pros, *entry.cons, entry.explanation.changes, entry.explanation.watch):
        assert " ".join(text.split()) in sentence
    for cite in entry.cites:
        assert f"(claim {cite.claim})" in sentence


def test_the_list_holds_every_recommendation_with_its_title() -> None:
    listed = catalogue_list(recommendations())
    for entry in recommendations():
        assert entry.id in listed
        assert entry.title in listed


def test_nothing_prints_as_nothing() -> None:
    assert printed(()) == ""


@pytest.mark.parametrize("width", range(60, 80))
def test_a_number_and_its_percent_sign_stay_together(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = printed([line("almost +6 % of what was there before, and ca. -2 % of the rest " * 3)])
    assert not [text for text in text.splitlines() if text.startswith("%")]
    assert " ".join(text.split()).count("+6 %") == 3


def test_the_character_that_holds_them_together_is_not_let_in_from_outside() -> None:
    assert printed([line("a\ue000b 5 % \x1b[31m")]) == "a\\ue000b 5 % \\x1b[31m\n"
