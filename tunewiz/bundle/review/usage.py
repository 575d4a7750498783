"""How a bundle is applied, checked and undone: what page one, which has the commands, has no room for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tunewiz.bundle.placement import Placement
from tunewiz.bundle.review.blocks import Block, Bullets, Line, heading, line, marked, names
from tunewiz.bundle.review.guarding import has_guard

SENTENCES = (
    "`apply.sh` refuses (exit status 4) another host, server or value than planned.",
    "If a step fails, it undoes what was done (5).",
    "What is not confirmed in time is reverted, even after a killed run or a reboot.",
    "That needs systemd; `--watcher` does without, but after a reboot nothing is reverted.",
    "`rollback.sh` leaves alone what someone else changed since, and lists it (4).",
    "Keep the bundle where only root can write; what was there before is kept under `/var/lib/tunewiz`.",
    "A reviewer signs with `ssh-keygen -Y sign -f KEY -n tunewiz SHA256SUMS`.",
    "`apply.sh --require-signature ALLOWED_SIGNERS` refuses without a good signature (4).",
)
OF_THE_GUARD = (
    "With `--confirm-within 30 --guard` the server is watched about 1 min before and 5 min after.",
    "What made it unhealthy is rolled back by itself (5); otherwise it waits for the confirmation as before.",
    "Once confirmed, a server that does not start after the next boot is rolled back too (systemd alone).",
)
"""Where there is a server."""


def usage(placement: Placement, installed: Mapping[str, bytes]) -> Iterator[Block]:
    """The section; each kind of action adds its own sentences."""
    yield heading(2, "How to apply, check and undo")
    yield Bullets(tuple(_sentences(placement, installed)))


def _sentences(placement: Placement, installed: Mapping[str, bytes]) -> Iterator[Line]:
    yield from map(marked, SENTENCES)
    if has_guard(placement):
        yield from map(marked, OF_THE_GUARD)
    actions = [change.action for change in placement.host]
    yield from (marked(text) for text in dict.fromkeys(text for action in actions for text in action.usage))
    if placement.restart and not any(action.stops_server for action in actions):
        yield marked("With `--no-restart` the settings that need one wait for the next restart.")
    if placement.pool and placement.restart:
        yield marked(
            "No huge pages are reserved then; `apply.sh`, run again, reserves them and restarts the server."
        )
    if installed:
        yield line("Read them in the bundle's files/ before they are installed: ", *names(*installed), ".")
