"""What all pages share: machine and step at the top, the question, a message line, the keys."""

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
from textual.widget import Widget

from tunewiz.core.answers.steps import Step
from tunewiz.screens.messages import CommandsAsked, GlossaryAsked, HelpAsked, LeaveAsked
from tunewiz.screens.widgets.key_bar import Key, KeyBar, KeyButton
from tunewiz.screens.widgets.lines import Lines, Rule
from tunewiz.screens.widgets.paint import any_app
from tunewiz.screens.widgets.split_line import SplitLine

T = TypeVar("T")

WIDEST = 100
"""Columns of text; in longer rows the eye loses its place. The style sheet has the same number."""

WARNS = "!"
"""Begins a hint that is a warning."""

BACK = Key(key="esc", does="back", action="step_back")
LEAVE = Key(key="q", does="leave", action="leave", full="leave the wizard; you are asked first")
HELP = Key(key="?", does="help", action="help", full="help with this page")
HELP_IN_A_FIELD = Key(key="F1", does="help", action="help", full="help with this page")
GLOSSARY = Key(key="", does="glossary", action="glossary", full="glossary: what a word means")


class Page(Screen[None]):
    """Top line, question, body, message, keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "Leave", show=False),
        Binding("f1,question_mark", "help", "Help", show=False),
        Binding("f2,colon", "commands", "Commands", show=False),
    ]
    STEP: ClassVar[Step] = Step.WELCOME
    """The step that the page belongs to."""
    KEYS: ClassVar[tuple[Key, ...]] = ()
    HELPED: ClassVar[bool] = True
    """Whether the page has help: help itself has none."""

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    """Refreshes only the widgets that lose and get the focus: Textual would repaint the page."""

    app = getters.app(any_app)
    top = query_one("#top", SplitLine)
    question = query_one("#question", SplitLine)
    message = query_one("#message", Lines)

    def compose(self) -> ComposeResult:
        """The parts of the page, from the top."""
        yield SplitLine(self.who(), self.where(), cuts_left=True, id="top")
        yield SplitLine(Text(self.heading(), style="bold"), Text(self.aside(), style="dim"), id="question")
        yield Rule(self.legend(), classes="under-question")
        with VerticalScroll(id="body", can_focus=False):
            yield from self.body()
        yield Rule(classes="above-message")
        yield Lines(self.hint(), id="message")
        yield KeyBar((*self.keys(), self.help_key()) if self.HELPED else self.keys())

    def help_name(self) -> str:
        """The name of this page's help."""
        raise NotImplementedError

    def keys(self) -> tuple[Key, ...]:
        """The keys of the footer, for pages on which they differ from machine to machine."""
        return self.KEYS

    def help_key(self) -> Key:
        """The key shown for help: in a field a question mark is just a character."""
        return HELP

    def commands(self) -> tuple[Key, ...]:
        """The commands of this page."""
        return (*(key for key in self.keys() if key.action), HELP, GLOSSARY)

    def who(self) -> Text:
        """The program, and the machine."""
        return Text.assemble(("tunewiz", "bold"))

    def where(self) -> Text:
        """The step, and whether it is saved."""
        return Text()

    def heading(self) -> str:
        """The page's question."""
        raise NotImplementedError

    def aside(self) -> str:
        """A remark beside it."""
        return ""

    def legend(self) -> Text:
        """What the marks on the page mean; empty where there are none."""
        return Text()

    def hint(self) -> str:
        """The text of the message line while there is no message."""
        return ""

    def body(self) -> Iterable[Widget]:
        """The page's own widgets."""
        raise NotImplementedError

    def say(self, text: str) -> None:
        """Show a message."""
        self.message.write(Text(f" {text}"))

    def complain(self, text: str) -> None:
        """Show an error: marked by a word, not only by colour."""
        self.message.write(_complaint(text))

    def complain_beside_hint(self, text: str) -> None:
        """Show what concerns more than this page, and what to do here."""
        self.message.write(_complaint(text), _one_line(self.hint(), "dim"))

    def tell_not_saved(self, why: str) -> None:
        """Say that the session is not being saved."""
        self.complain(f"Your answers are not being saved: {why}")

    def be_quiet(self) -> None:
        """Replace the message by the hint."""
        self.message.write(_one_line(self.hint(), "dim"))

    def focus_field(self) -> None:
        """Where the focus was left on a key of the footer, give it to the first field: enter goes on."""
        if isinstance(self.focused, KeyButton):
            fields = [field for field in self.focus_chain if not isinstance(field, KeyButton)]
            self.set_focus(fields[0] if fields else None)

    def on_mount(self) -> None:
        """Start with the hint."""
        self.be_quiet()

    def open(self, screen: Screen[T], answered: Callable[[T | None], None] | None = None) -> None:
        """Show another screen over this one; its answer is passed to the callback."""
        _ = self.app.push_screen(screen, answered)

    def action_help(self) -> None:
        """Show what is asked here, and why."""
        if self.HELPED:
            self.post_message(HelpAsked(self.help_name()))

    def action_glossary(self) -> None:
        """Show what a word means."""
        self.post_message(GlossaryAsked())

    def action_commands(self) -> None:
        """Find a command by its name."""
        if self.HELPED:
            self.post_message(CommandsAsked(self.commands()))

    def action_leave(self) -> None:
        """Ask whether to end."""
        self.post_message(LeaveAsked())


def _complaint(text: str) -> Text:
    return Text.assemble(" ", ("! ", "bold red"), (text.replace("\n", ". "), "bold"))


def _one_line(text: str, style: str = "") -> Text:
    line = Text(f" {text}", style=style, no_wrap=True, overflow="ellipsis")
    if text.startswith(WARNS):
        line.stylize("not dim bold yellow", 1, 1 + len(WARNS))
    return line
