"""What every page has in common: who and where at the top, the question, a line to speak on, the keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar, TypeVar

from rich.text import Text
from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.getters import query_one
from textual.reactive import Reactive
from textual.screen import Screen
from textual.types import CSSPathType
from textual.widget import Widget
from textual.widgets import Input

from tunewiz.core.flow import Step, before, info, place
from tunewiz.core.known import known_or
from tunewiz.screens.journey import Journey
from tunewiz.screens.messages import CommandsAsked, Direction, GlossaryAsked, HelpAsked, LeaveAsked, StepLeft
from tunewiz.screens.widgets.lines import Lines, Rule
from tunewiz.screens.widgets.paint import any_app
from tunewiz.screens.widgets.press import Key, KeyBar
from tunewiz.screens.widgets.rows import RowList
from tunewiz.screens.widgets.spread import Spread

T = TypeVar("T")

BACK = Key(key="esc", does="back", action="step_back")
LEAVE = Key(key="q", does="leave", action="leave", full="leave the wizard; you are asked first")
HELP = Key(key="?", does="help", action="help", full="help with this page")
HELP_IN_A_FIELD = Key(key="F1", does="help", action="help", full="help with this page")
GLOSSARY = Key(key="", does="glossary", action="glossary", full="glossary: what a word means")


class Page(Screen[None]):
    """Top line, question, body, message, keys."""

    CSS_PATH: ClassVar[CSSPathType | None] = ["page.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "Leave", show=False),
        Binding("f1,question_mark", "help", "Help", show=False),
        Binding("f2,colon", "commands", "Commands", show=False),
    ]
    KEYS: ClassVar[tuple[Key, ...]] = ()
    HELPED: ClassVar[bool] = True
    """Whether there is help with it: help itself has none."""

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    """Only the widgets that lose and get the focus look different: Textual would repaint the page."""

    app = getters.app(any_app)
    top = query_one("#top", Spread)
    question = query_one("#question", Spread)
    message = query_one("#message", Lines)

    def compose(self) -> ComposeResult:
        """The parts, from the top."""
        yield Spread(self.who(), self.where(), cuts_left=True, id="top")
        yield Spread(Text(self.asked(), style="bold"), Text(self.aside(), style="dim"), id="question")
        yield Rule()
        with VerticalScroll(id="body", can_focus=False):
            yield from self.body()
        yield Rule(classes="above-message")
        yield Lines(self.hint(), id="message")
        yield KeyBar((*self.KEYS, self.help_key()) if self.HELPED else self.KEYS)

    def help_name(self) -> str:
        """What the help calls this page."""
        raise NotImplementedError

    def help_key(self) -> Key:
        """The key that is named for it: in a field a question mark is a letter."""
        return HELP

    def commands(self) -> tuple[Key, ...]:
        """What can be done here by name."""
        return (*(each for each in self.KEYS if each.action), HELP, GLOSSARY)

    def who(self) -> Text:
        """Which program on which machine."""
        return Text.assemble(("tunewiz", "bold"))

    def where(self) -> Text:
        """Which step, and whether it is saved."""
        return Text()

    def asked(self) -> str:
        """The page's question."""
        raise NotImplementedError

    def aside(self) -> str:
        """A remark beside it."""
        return ""

    def hint(self) -> str:
        """What the message line says while there is nothing else to say."""
        return ""

    def body(self) -> Iterable[Widget]:
        """The page's own widgets."""
        raise NotImplementedError

    def say(self, text: str) -> None:
        """Speak on the message line."""
        self.message.write(Text(f" {text}"))

    def complain(self, text: str) -> None:
        """Tell of something that did not go: marked by a word, not by colour alone."""
        self.message.write(Text.assemble(" ", ("! ", "bold red"), (text.replace("\n", ". "), "bold")))

    def be_quiet(self) -> None:
        """Back to the hint."""
        self.message.write(_one_line(self.hint(), "dim"))

    def on_mount(self) -> None:
        """Start with the hint."""
        self.be_quiet()

    def open(self, screen: Screen[T], answered: Callable[[T | None], None] | None = None) -> None:
        """Put another screen over this one; its answer comes by itself."""
        _ = self.app.push_screen(screen, answered)

    def action_help(self) -> None:
        """What is asked here, and why."""
        if self.HELPED:
            self.post_message(HelpAsked(self.help_name()))

    def action_glossary(self) -> None:
        """What a word means."""
        self.post_message(GlossaryAsked())

    def action_commands(self) -> None:
        """Find a command by its name."""
        if self.HELPED:
            self.post_message(CommandsAsked(self.commands()))

    def action_leave(self) -> None:
        """Ask whether to end."""
        self.post_message(LeaveAsked())


def _one_line(text: str, style: str = "") -> Text:
    return Text(f" {text}", style=style, no_wrap=True, overflow="ellipsis")


class StepPage(Page):
    """A page of a journey that has begun."""

    STEP: ClassVar[Step]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "step_back", "Back", show=False),
        Binding("enter", "enter", "Next", show=False),
        Binding("up", "app.focus_previous", "Field above", show=False),
        Binding("down", "app.focus_next", "Field below", show=False),
    ]

    def __init__(self, journey: Journey) -> None:
        super().__init__()
        self.journey = journey
        self.saved = ""

    def help_name(self) -> str:
        """Its step."""
        return self.STEP

    def commands(self) -> tuple[Key, ...]:
        """Also back to any step before this one."""
        return (*super().commands(), *(_back_to(step) for step in before(self.STEP, self.journey.facts)))

    def show(self, journey: Journey) -> None:
        """Show what is known now."""
        self.journey = journey
        if self.is_mounted:
            self.top.write(self.who(), self.where())
            self.question.write(Text(self.asked(), style="bold"), Text(self.aside(), style="dim"))
            self.update_body()

    def update_body(self) -> None:
        """Show the journey in the page's own widgets, where they show any of it."""

    def note_saved(self, words: str) -> None:
        """Say at the top whether the session is on disk."""
        self.saved = words
        if self.is_mounted:
            self.top.write(self.who(), self.where())

    def who(self) -> Text:
        """Which machine, and whether it is another one than this."""
        architecture = known_or(self.journey.facts.host.architecture, "architecture unknown")
        origin = self.journey.origin
        if origin:
            origin = " (example)" if origin == self.journey.name else f" ({origin})"
        return Text.assemble(("tunewiz", "bold"), f" · {self.journey.name}{origin} · {architecture}")

    def where(self) -> Text:
        """Which step of how many."""
        number, of = place(self.STEP, self.journey.facts)
        saved = f" · {self.saved}" if self.saved else ""
        return Text(f"{number}/{of} {self.STEP}{saved}", style="dim")

    def asked(self) -> str:
        """As the flow has it."""
        return info(self.STEP).question

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Enter in a list."""
        event.stop()
        self.action_enter()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in a field."""
        event.stop()
        self.action_enter()

    def action_enter(self) -> None:
        """Enter goes on; pages on which it does something else say so."""
        self.action_step_forward()

    def action_step_forward(self) -> None:
        """On to the next step."""
        self.post_message(StepLeft(self.STEP, "forward", self.journey.answers))

    def action_step_back(self) -> None:
        """Back to the step before; nothing that was said is lost."""
        self.leave_for("back")

    def action_go_back_to(self, step: str) -> None:
        """Back to that step."""
        self.leave_for(Step(step))

    def leave_for(self, to: Direction) -> None:
        """Leave without asking whether everything is in order; what was answered stands."""
        self.post_message(StepLeft(self.STEP, to, self.journey.answers))


def _back_to(step: Step) -> Key:
    return Key(key="", does=step, action=f"go_back_to('{step}')", full=f"back to: {info(step).question}")
