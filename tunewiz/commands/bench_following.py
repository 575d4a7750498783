"""Shows the progress of a run on standard error until it ends; the run does not need a viewer."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress

from tunewiz.bench.locks import is_under_way
from tunewiz.bench.progress import ProgressLine, lines_from
from tunewiz.bench.run import RunDirectory, put
from tunewiz.console.exit_status import say
from tunewiz.console.interrupts import InterruptFlag

LOOK = 0.2
"""Seconds between two checks for progress."""


def follow(place: RunDirectory) -> None:
    """Show its progress, ask its question; an interrupt stops it and waits until everything is put back."""
    observation, is_stopped = 0, False
    with InterruptFlag() as interrupted:
        while True:
            # The guarding process ends last: only then are the files final.
            is_over = not is_under_way(place)
            for line in lines_from(place.progress, observation):
                observation += 1
                _tell(place, line)
            if is_over:
                return
            if interrupted.is_set() and not is_stopped:
                is_stopped = True
                _stop(place)
            time.sleep(LOOK)


def tell_left(sentence: str) -> None:
    """Say what an interrupted run had left, and what became of it."""
    say(f"left by an interrupted run: {sentence}")


def _tell(place: RunDirectory, line: ProgressLine) -> None:
    match line.kind:
        case "question":
            say(line.text)
            if not place.answer.exists():
                put(place.answer, "yes\n" if _is_yes() else "no\n")
        case "step":
            say(f"{time.strftime('%H:%M:%S', time.localtime(line.at))} {line.text}")
        case "figure":
            say(f"         {line.text}")


def _is_yes() -> bool:
    sys.stderr.write("Continue? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _stop(place: RunDirectory) -> None:
    """Ask the process that measures to stop: it puts everything back first."""
    say("stopping; everything is put back first")
    with suppress(OSError, ValueError):
        os.kill(int(place.runner.read_text(encoding="ascii")), signal.SIGTERM)
