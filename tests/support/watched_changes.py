"""What happens while a change is watched."""

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from pretend_root import PretendRoot


@contextmanager
def once_applied(machine: PretendRoot, happens: Callable[[], None], *, seconds: float = 2) -> Generator[None]:
    """So many seconds after the watch after the change has begun; never where it does not begin."""

    def wait() -> None:
        while not over.wait(0.1):
            if any(machine.state.glob("*/applied")):
                time.sleep(seconds)
                happens()
                return

    over = threading.Event()
    thread = threading.Thread(target=wait)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
