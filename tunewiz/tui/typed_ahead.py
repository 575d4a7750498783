"""Type-ahead: a key is handled only after the previous one, on whatever page that led to.

Textual forwards keys as they arrive: some keys of a burst would reach the page that the first one has left.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from textual import events, on
from textual.widget import Widget

from tunewiz.tui.terminal.driver import TerminalDriver
from tunewiz.tui.terminal_app import TerminalApp

if TYPE_CHECKING:
    from textual.dom import DOMNode
    from textual.message_pump import MessagePump
    from textual.screen import Screen

AT_ONCE = frozenset({"ctrl+c", "ctrl+q", "ctrl+l", "ctrl+z"})
"""Never queued: leaving, and what concerns only the terminal."""
LEAVES = frozenset({"ctrl+c", "ctrl+q"})
"""These discard the queue, as a terminal's interrupt key does."""
LOOK_AGAIN = 0.01
"""Seconds between two looks at work in progress."""
CALM_ROUNDS = 2
"""Rounds without new messages: a message reaches the parent widget one round later."""


class TypedAheadApp(TerminalApp):
    """Queues keys while an earlier key is handled, and until the page that it opens is laid out."""

    def __init__(self, report: Callable[[BaseException], str], driver: type[TerminalDriver]) -> None:
        super().__init__(report, driver)
        self._typed = deque[events.Key | events.Paste]()
        self._answering: asyncio.Task[None] | None = None

    @property
    def is_fetching(self) -> bool:
        """Whether the page that the keys are meant for is still loading."""
        raise NotImplementedError

    @property
    def is_answering(self) -> bool:
        """Whether a key is being answered, or waits for that."""
        return self._answering is not None and not self._answering.done()

    def forget_typed(self) -> None:
        """Discard the queue: the page that it was typed for will not be shown."""
        self._typed.clear()

    async def on_event(self, event: events.Event) -> None:
        """Queue keys, drop clicks while a page is loading, and pass everything else on."""
        match event:
            case events.Key(key=key) if not event.is_forwarded and key in AT_ONCE:
                if key in LEAVES:
                    self.forget_typed()
                await super().on_event(event)
            case events.Key() | events.Paste() if not event.is_forwarded:
                self._typed.append(event)
                self._answer_typed()
            case events.MouseEvent() if not event.is_forwarded and self._is_held:
                pass
            case _:
                await super().on_event(event)

    def _answer_typed(self) -> None:
        if not self.is_answering:
            self._answering = asyncio.get_running_loop().create_task(self._answer_one_by_one())

    async def _answer_one_by_one(self) -> None:
        await self._settle()
        while self._typed:
            await super().on_event(self._typed.popleft())
            await self._settle()

    @on(events.Unmount)
    def end_answering(self) -> None:
        """Handle no keys after the end."""
        if self._answering is not None:
            _ = self._answering.cancel()

    async def _settle(self) -> None:
        """Wait until everything that the last key started is done."""
        calm = 0
        while calm < CALM_ROUNDS:
            shown = (self.screen, self.focused)
            busy = await self._hear_from_all()
            busy = busy or self._is_held or self._awaits_layout
            is_calm = not busy and shown == (self.screen, self.focused)
            calm = calm + 1 if is_calm else 0
            if self._is_held or self._awaits_layout:
                await asyncio.sleep(LOOK_AGAIN)

    @property
    def _awaits_layout(self) -> bool:
        """Whether a widget that a key can reach has no room yet, or has yet to scroll where a key sent it.

        The next key would not know how far it can scroll, or from where.
        """
        return any(
            _awaits_layout(pump) or self.animator.is_being_animated(pump, "scroll_y")
            for pump in self._reached
        ) or _awaits_repaint(self.screen)

    @property
    def _is_held(self) -> bool:
        """An overlay can be answered in the meantime."""
        return self.is_fetching and len(self.screen_stack) == 1

    async def _hear_from_all(self) -> bool:
        """Let every widget that a key can reach drain its messages; true if new ones arrived."""
        reached = self._reached
        for pump in reached:
            await _hear_from(pump)
        return any(pump.message_queue_size for pump in reached)

    @property
    def _reached(self) -> list[DOMNode]:
        return (self.focused or self.screen).ancestors_with_self


def _awaits_layout(node: DOMNode) -> bool:
    return isinstance(node, Widget) and node._layout_required  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - Textual tells it nowhere else


def _awaits_repaint(screen: Screen[object]) -> bool:
    """Whether something is to be done after the next repaint, as Textual does with every scroll."""
    return bool(screen._callbacks)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - Textual tells it nowhere else


async def _hear_from(pump: MessagePump) -> None:
    """Return when it has handled the messages it has now, or takes no more because it is closing.

    A screen that was just pushed takes messages before it runs, and handles them once it does.
    """
    heard = asyncio.Event()
    # As call_later does, whose partial Textual would inspect each time: twenty times for a key.
    while not heard.is_set() and pump.post_message(events.Callback(heard.set)):
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_AGAIN):
                _ = await heard.wait()
