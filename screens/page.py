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
from textual.widget import Widget

from tunewiz.core.answers.steps import Step
from tunewiz.screens.messages import CommandsAsked, GlossaryAsked, HelpAsked, LeaveAsked
from tunewiz.screens.widgets.key_bar import Key, KeyBar
from tunewiz.screens.widgets.lines import Lines, Rule
from tunewiz.screens.widgets.paint import any_app
from tunewiz.screens.widgets.split_line import Spread

T = TypeVar("T")

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
    """The step that it belongs to."""
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
