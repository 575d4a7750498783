"""How a run of the wizard ended, and what is printed on the restored terminal."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, assert_never

from tunewiz.core.values.record import dataclass
from tunewiz.core.words.harmless import harmless

if TYPE_CHECKING:
    from tunewiz.bundle.keepers.review import KeptPlan
    from tunewiz.bundle.placement import Placement
    from tunewiz.bundle.reverting import Systemd
    from tunewiz.core.planning.plan import Plan
    from tunewiz.wizard.ports import Ports


_NAME_LENGTH = 64
"""The longest that Linux gives a host (HOST_NAME_MAX); with the day, a file system takes it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ForHost:
    """A bundle changes files of the host itself."""


FOR_HOST = ForHost()


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """A bundle was written."""

    directory: str
    plan: Plan
    made_for: KeptPlan | ForHost = FOR_HOST
    """The settings for the keeper, if the bundle is for one."""

    @property
    def can_be_tried(self) -> bool:
        """Whether it has an apply.sh, which offers a dry run."""
        match self.made_for:
            case ForHost():
                return True
            case kept:
                return kept.has_scripts


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """Left on purpose; the session is on disk."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Dropped:
    """Left on purpose; there is nothing to resume."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetWritten:
    """The bundles of many hosts were written."""

    directory: str
    words: str
    """What was written, and what to do with it."""


Outcome: TypeAlias = Written | FleetWritten | Kept | Dropped


def conclude(ports: Ports, outcome: Outcome | None) -> None:
    """What becomes of this run's session; raises SessionError."""
    match outcome:
        case Written():
            ports.finish()
        case FleetWritten() | Dropped():
            ports.forget()
        case Kept() | None:
            pass
        case _:
            assert_never(outcome)


def outcome_in_words(outcome: Outcome) -> str:
    """The text for standard output; without a final newline, may be empty."""
    match outcome:
        case Written():
            return "\n".join(f"{label:<8} {text}" for label, text in next_steps(outcome))
        case FleetWritten(words=words):
            return words
        case Kept():
            return "Nothing was changed. `tunewiz --resume` continues where you stopped."
        case Dropped():
            return "Nothing was changed."
        case _:
            assert_never(outcome)


def next_steps(written: Written) -> tuple[tuple[str, str], ...]:
    """Commands for what can follow, each with its label."""
    return tuple((label, harmless(command)) for label, command in _next_steps(written))


def _next_steps(written: Written) -> tuple[tuple[str, str], ...]:
    again = ("again", f"tunewiz --reopen {shlex.quote(written.directory)}")
    match written.made_for:
        case ForHost():
            return (*_for_host(written), again)
        case kept:
            from tunewiz.wizard.for_keeper import kept_steps  # noqa: PLC0415 - as below

            return (*kept_steps(kept, written.directory), again)


def _for_host(written: Written) -> tuple[tuple[str, str], ...]:
    # Imported after the bundle is written: no page waits for it.
    from tunewiz.bundle.placing import placed  # noqa: PLC0415 - see above
    from tunewiz.bundle.reverting import needs_watcher, systemd_of  # noqa: PLC0415 - see above
    from tunewiz.bundle.review.page_one import changes_in_words  # noqa: PLC0415 - see above

    made = placed(written.plan)
    changes, restart = made.count, "1 restart" if made.restart else "no restart"
    price = f"{changes_in_words(made)}, {restart}"
    at = shlex.quote(written.directory)
    settings = _for_keeper(written.plan, at)
    begin = (
        ("bundle", f"{at}  ({price})"),
        ("review", f"less {at}/REVIEW.md"),
        ("page", f"tunewiz review {at}  (or open REVIEW.html)"),
    )
    if not changes:
        return (*begin, ("note", "there is nothing to apply: REVIEW.md says what you can do"), *settings)
    return (
        *begin,
        ("try", f"sudo sh {at}/apply.sh --dry-run"),
        *_apply(written.plan, made, at),
        ("confirm", f"sudo sh {at}/apply.sh --confirm  (from a new login)"),
        ("verify", f"sudo sh {at}/verify.sh"),
        ("undo", f"sudo sh {at}/rollback.sh"),
        *_note_of_reverting(systemd_of(written.plan.start), watched=needs_watcher(written.plan.start, made)),
        *settings,
    )


def _apply(plan: Plan, made: Placement, at: str) -> tuple[tuple[str, str], ...]:
    """Kept if somebody confirms it; with the guard, rolled back at once if the server is unhealthy."""
    from tunewiz.bundle.reverting import confirming  # noqa: PLC0415 - as above
    from tunewiz.bundle.review.guarding import guard_is_first, guarded, has_guard  # noqa: PLC0415 - as above

    plain = ("apply", f"sudo sh {at}/apply.sh {confirming(plan.start, made)}")
    if not has_guard(made):
        return (plain,)
    command = f"sudo sh {at}/apply.sh {guarded(plan.start, made)}"
    about = ("guard", "watches 1 min before, 5 after; rolls back if unhealthy, else confirm")
    if guard_is_first(made):
        return (("apply", command), about)
    return (plain, ("or", command), about)


def _note_of_reverting(systemd: Systemd, *, watched: bool) -> tuple[tuple[str, str], ...]:
    match systemd:
        case "absent":
            return (("note", "no systemd here: after a reboot nothing is reverted by itself"),)
        case _ if watched:
            return (("note", "a role's setting: after a reboot nothing is reverted by itself"),)
        case "runs":
            return ()
        case "not known":
            return (("note", "without systemd: plain apply.sh, which stays until it is undone"),)


def _for_keeper(plan: Plan, at: str) -> tuple[tuple[str, str], ...]:
    """The command that writes a bundle for the keeper, from the same facts and answers."""
    from tunewiz.core.planning.keeper_targets import target_for  # noqa: PLC0415 - as above
    from tunewiz.core.planning.ownership import keeper_of  # noqa: PLC0415 - as above
    from tunewiz.core.proof.measured_parts import NoProof  # noqa: PLC0415 - as above

    target = target_for(keeper_of(plan.start))
    if target == "host":
        return ()
    proof = "" if isinstance(plan.start.proof, NoProof) else f" --proof {at}/proof.json"
    made_of = f"--facts {at}/facts.json --answers {at}/answers.toml{proof}"
    return (("settings", f"tunewiz bundle {made_of} --target {target} -o {at}-{target}"),)


def bundle_name(host: str, day: str) -> str:
    """A directory name for the bundle of a host: letters, digits, dots and dashes."""
    safe = "".join(letter if letter.isalnum() or letter in ".-_" else "-" for letter in host).strip(".-")
    return str(Path(f"{safe[:_NAME_LENGTH] or 'host'}-{day}"))
