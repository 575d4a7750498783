"""Adapts Textual's application to servers and SSH."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from functools import partial
from typing import ClassVar

from rich.console import COLOR_SYSTEMS, RenderableType
from rich.text import Text
from textual import events, on
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.screen import Screen
from textual.scrollbar import ScrollBar
from textual.worker import WorkerFailed

from tunewiz.package_files import package_file
from tunewiz.screens.messages import CopyAsked
from tunewiz.screens.page import Page
from tunewiz.screens.too_small import TooSmall, is_too_small
from tunewiz.screens.widgets.scrollbar import Thumb
from tunewiz.tui.terminal.clipboard import osc_52, takes_links, why_not_copied
from tunewiz.tui.terminal.driver import TerminalDriver
from tunewiz.tui.terminal.screen_diff import TerminalContents
from tunewiz.wizard.outcome import Outcome

SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
BY_SIGNAL = 128
"""What shells add to a signal's number for an exit status."""
FATAL = 1
"""Textual's return code for an internal error."""


class TerminalApp(App[Outcome], inherit_bindings=False):
    """The terminal's own colours, a clean exit on signals and errors, a message if there is no room."""

    CSS_PATH = package_file("tunewiz.screens", "screens.tcss")
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "suspend_process", "Suspend", show=False),
        Binding("ctrl+l", "paint_anew", "Paint the page anew", show=False, priority=True),
    ]

    ended_by = ""
    """The name of the signal that stopped it."""

    def __init__(self, report: Callable[[BaseException], str], driver: type[TerminalDriver]) -> None:
        super().__init__(driver_class=driver, ansi_color=True)
        ScrollBar.renderer = Thumb
        self.theme = "ansi-dark"
        self._report = report
        colors = COLOR_SYSTEMS[self.console.color_system or "truecolor"]
        self._shown = TerminalContents(colors, links=takes_links(os.environ))

    @on(Driver.SignalResume)
    def action_paint_anew(self) -> None:
        """Repaint everything, in case something else wrote to the terminal."""
        self._shown.forget()
        _ = self.screen.refresh()

    @on(CopyAsked)
    def copy(self, event: CopyAsked) -> None:
        """Send it to the terminal's clipboard, and say so; whether the terminal takes it is not known."""
        page = self.screen
        why_not = why_not_copied(event.text, os.environ)
        if not why_not and self._driver is not None:
            self._driver.write(osc_52(event.text, os.environ))
        if isinstance(page, Page) and why_not:
            page.complain(why_not)
        elif isinstance(page, Page):
            page.say(f"Sent to your terminal's clipboard: {event.text.splitlines()[0]}")

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Send only what is not yet shown."""
        sends = not (self._batch_count or self.is_headless)
        if sends and isinstance(renderable, LayoutUpdate | ChopsUpdate):
            renderable = self._shown.lean(renderable, self.size.width)
        super()._display(screen, renderable)  # pyright: ignore[reportUnknownMemberType] - a Screen of anything

    @on(events.Mount)
    def take_signals(self) -> None:
        """Restore the terminal when the connection drops or the machine shuts down."""
        if not self.is_headless:
            loop = asyncio.get_running_loop()
            for number in SIGNALS:
                loop.add_signal_handler(number, partial(self._end_by, number))

    def _end_by(self, number: signal.Signals) -> None:
        self.ended_by = number.name
        self.exit(None, BY_SIGNAL + number)

    async def on_resize(self, event: events.Resize) -> None:
        """Show a message while the terminal is too small for the pages."""
        self._shown.forget()
        top = self.screen
        if isinstance(top, TooSmall):
            if is_too_small(event.size):
                top.tell(event.size)
            else:
                await self.pop_screen()
        elif is_too_small(event.size):
            await self.push_screen(TooSmall(event.size))

    def _fatal_error(self) -> None:
        """Print one line and write a private report; Textual would print the values of all variables."""
        observation = self._exception
        error = observation.error if isinstance(observation, WorkerFailed) else observation
        if error is not None:
            kind = type(error).__name__
            line = f"tunewiz: stopped by an internal error ({kind}); {self._report(error)}"
            self._exit_renderables[:] = [Text(line)]
        self._close_messages_no_wait()
