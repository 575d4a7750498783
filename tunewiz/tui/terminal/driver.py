"""Textual's terminal driver, made robust against bad lines.

Textual's own crashes on a single byte that is not UTF-8, and loops for ever when the terminal is gone.
"""

from __future__ import annotations

import os
import selectors
import signal
from codecs import getincrementaldecoder
from collections.abc import Iterable

from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from tunewiz.core.words.ascii import in_ascii

READ_AT_ONCE = 4096
WAIT = 0.1
"""Seconds between polls, as in Textual: a lone escape is told from a key sequence by time."""


class TerminalDriver(LinuxDriver):
    """Invalid bytes become U+FFFD; a lost terminal ends the program."""

    def run_input_thread(self) -> None:
        """Read keys until told to stop."""
        parser = XTermParser(self._debug)
        decoder = getincrementaldecoder("utf-8")(errors="replace")
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(WAIT):
                    received = self._received()
                    if not received:
                        os.kill(os.getpid(), signal.SIGHUP)
                        break
                    # An incomplete multi-byte character; an empty text would mean the end.
                    if text := decoder.decode(received):
                        self._process(parser.feed(text))
                self._process(parser.tick())
        try:
            self._process(parser.feed(""))
        except (EOFError, ParseError):
            return

    def _received(self) -> bytes:
        try:
            return os.read(self.fileno, READ_AT_ONCE)
        except OSError:
            return b""

    def _process(self, messages: Iterable[Message]) -> None:
        for message in messages:
            self.process_message(message)


class AsciiDriver(TerminalDriver):
    """The same for terminals with ASCII characters only; all output passes here."""

    def write(self, data: str) -> None:
        """Send text and control sequences."""
        super().write(in_ascii(data))
