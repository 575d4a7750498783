"""Whether a run did what the contract says: each rule that it broke, in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from history_model import (
    OTHERS,
    STRAY,
    Model,
    Standing,
    as_planned,
    called,
    claims_all_is_as_before,
    foreign_restart,
    stays_in_force,
)
from history_truth import (
    AUTO,
    DROP_IN,
    LATER,
    NEEDS_RESTART,
    SWAPPINESS,
    SYSCTL_FILE,
    Truth,
    auto_line,
    lines_of,
)
from pretend_root import Ran

DONE, DIFFERS, ALREADY, REFUSED, FAILED = 0, 1, 3, 4, 5
FORMER_SWAPPINESS: Final = "60"

Script = Literal["apply", "rollback", "verify", "confirm"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """One run, with what was so before and after it."""

    script: Script
    then: Truth
    now: Truth
    ran: Ran
    no_restart: bool = False
    cut_off: bool = False
    """It was asked to stop, or killed."""

    @property
    def killed(self) -> bool:
        return self.ran.status < 0

    @property
    def changed_nothing(self) -> bool:
        return (self.then.files, self.then.postmaster, self.then.running) == (
            self.now.files,
            self.now.postmaster,
            self.now.running,
        )


def judge(model: Model, standing: Standing, run: Run) -> list[str]:
    """Each rule that the run broke."""
    found = [
        *_leaves_others_alone(model, standing, run),
        *_server_is_up(model, run),
        *_nothing_of_others(standing, run),
    ]
    if not run.killed:
        by_script = {"apply": _apply, "rollback": _rollback, "verify": _verify, "confirm": _confirm}
        found += by_script[run.script](model, standing, run)
    return found


# Whatever the script is, and however it ends.


def _leaves_others_alone(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    own = {each for each in standing.bundle.cells if not each.startswith("auto:")}
    if standing.bundle.way == "ALTER SYSTEM":
        own.add(AUTO)
    for path in sorted(set(run.then.files) | set(run.now.files)):
        is_stray = STRAY in path and (run.killed or path in run.then.files)
        if path not in own and not is_stray and run.then.files.get(path) != run.now.files.get(path):
            yield f"{path} is not the bundle's and was changed"
    if standing.before is not None:
        for name in standing.bundle.cells:
            if model.is_others(standing, run.then, name) and cell_changed(run, name):
                yield f"{called(name)} was changed by someone else, and that was overwritten"
    yield from _alter_system_of_others(standing, run)


def cell_changed(run: Run, name: str) -> bool:
    if name.startswith("auto:"):
        setting = name.removeprefix("auto:")
        return auto_line(run.then, setting) != auto_line(run.now, setting)
    return run.then.files.get(name) != run.now.files.get(name)


def _alter_system_of_others(standing: Standing, run: Run) -> Iterator[str]:
    def others(truth: Truth) -> list[tuple[str, str] | None]:
        given = lines_of(truth.text(AUTO) or "")
        return [each for each in given if each is None or each[0] not in standing.bundle.settings]

    if others(run.then) != others(run.now):
        yield f"{AUTO} had lines of others {others(run.then)}, and has {others(run.now)}"


def _server_is_up(model: Model, run: Run) -> Iterator[str]:
    if run.then.up and not run.now.up and not run.killed:
        yield "the server was up and was left down"
    if not run.then.up and run.now.up and not model.we_stopped_it:
        yield "the server was down, not by us, and was started"
    if run.then.up and run.now.up and run.then.postmaster != run.now.postmaster:
        if run.no_restart or run.script in {"verify", "confirm"}:
            yield "the server was restarted"


def _nothing_of_others(standing: Standing, run: Run) -> Iterator[str]:
    if not (run.then.up and run.now.up):
        return
    for name in sorted(NEEDS_RESTART - set(standing.bundle.settings)):
        if run.then.running[name] != run.now.running[name]:
            yield f"{name} of others came into force by our restart: {run.now.running[name]}"


# What each may end in.


def _verify(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    if not run.changed_nothing:
        yield "verify.sh changed something"
    if run.cut_off:
        return
    reachable = not (run.now.up and model.locked_out)
    expected = DONE if as_planned(standing, run.now) and reachable else DIFFERS
    if run.ran.status != expected:
        yield f"verify.sh ended with {run.ran.status}, and {expected} is right"


def _confirm(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    if not run.changed_nothing:
        yield "a confirmation changed something"
    holds = stays_in_force(standing, run.now)
    match run.ran.status:
        case 0:
            if not holds:
                yield "confirmed what is not in force"
            if standing.stage not in {"applied", "begun"}:
                yield f"confirmed what is {standing.stage}"
        case 3:
            if standing.waits_for_confirmation:
                yield "said that nothing waits for a confirmation"
        case 4:
            own = all(not model.is_others(standing, run.now, each) for each in standing.bundle.cells)
            if standing.waits_for_confirmation and holds and own and run.now.up and not model.locked_out:
                yield "refused to confirm what is in force"
        case status:
            yield f"--confirm ended with {status}"


def _apply(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    status = run.ran.status
    if _must_be_applied(model, standing, run) and status != DONE:
        yield f"apply.sh ended with {status} where nothing stands in its way"
    match status:
        case 0:
            yield from _applied(model, standing, run)
        case 3:
            if not run.changed_nothing:
                yield "apply.sh said that it did nothing, and changed something"
            if not stays_in_force(standing, run.now):
                yield "apply.sh said that it is applied already, and it is not"
        case 4:
            if not run.changed_nothing:
                yield "apply.sh refused, and changed something"
        case 5:
            yield from _undone(model, standing, run)
        case _:
            yield f"apply.sh ended with {status}"


def _must_be_applied(model: Model, standing: Standing, run: Run) -> bool:
    bundle, then = standing.bundle, run.then
    files = then.configured
    if run.cut_off or standing.in_between or files is None or model.locked_out or model.killed_once:
        return False
    if any(each.waits_for_confirmation for each in model.standings.values()):
        return False
    restarts = then.up and not run.no_restart and bool(NEEDS_RESTART & set(bundle.settings))
    if restarts and foreign_restart(standing, then):
        return False
    planned_on = PLANNED_ON_VALUES[bundle.name]
    if any(
        files[name] != value or (then.up and then.running[name] != value)
        for name, value in planned_on.items()
    ):
        return False
    return _lies_bare(standing, then) and not _is_outdone(standing, then)


PLANNED_ON_VALUES: Final = {
    "first": {"work_mem": "4096", "shared_buffers": "128"},
    "upon": {"work_mem": "24576"},
    "apart": {"maintenance_work_mem": "65536"},
}


def _lies_bare(standing: Standing, then: Truth) -> bool:
    bundle = standing.bundle
    if bundle.changes_kernel:
        if SYSCTL_FILE in then.files or (then.text(SWAPPINESS) or "").strip() != FORMER_SWAPPINESS:
            return False
    return bundle.name == "upon" or DROP_IN not in then.files


def _is_outdone(standing: Standing, then: Truth) -> bool:
    names = set(standing.bundle.settings)
    later = {each[0] for each in lines_of(then.text(LATER) or "") if each is not None}
    if standing.bundle.way == "drop-in":
        later |= {each[0] for each in lines_of(then.text(AUTO) or "") if each is not None}
    return bool(names & later)


def _applied(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    if standing.stage == "applied":
        yield "applied a second time"
    for each in model.standings.values():
        if each.waits_for_confirmation:
            yield f"applied while {each.bundle.name} waits for its confirmation"
    if run.then.up and not run.no_restart:
        if not as_planned(standing, run.now):
            yield "apply.sh said that it is done, and the server has not what was planned"
    elif not stays_in_force(standing, run.now):
        yield "apply.sh said that it is done, and it is neither in force nor waiting for a restart"


def _undone(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    assert standing.before is not None
    left = model.differences(standing, run.now)
    confesses = "NOT restored" in run.ran.said
    others = {called(each) for each in standing.bundle.cells if model.is_others(standing, run.now, each)}
    waiting = model.waits(standing, run.now)
    for name, found in left.items():
        if name not in run.ran.said and not confesses:
            yield f"apply.sh has undone its work, but for {name}: {found}, without a word"
    if claims_all_is_as_before(run.ran) and left:
        yield f"apply.sh said that everything is as before, and it is not: {left}"
    if confesses and not (_has_obstacles(model, standing, run) or others or waiting):
        yield "apply.sh could not undo its work, and nothing stands in its way"


def _has_obstacles(model: Model, standing: Standing, run: Run) -> bool:
    return (
        run.then.configured is None
        or run.now.configured is None
        or model.locked_out
        or bool(foreign_restart(standing, run.then))
        or (not run.then.up and bool(run.then.configured["shared_preload_libraries"]))
    )


def _rollback(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    status = run.ran.status
    match status:
        case 3:
            yield from _nothing_to_take_back(model, standing, run)
        case 0 | 4 | 5:
            if not standing.in_between:
                yield f"rollback.sh ended with {status}, and nothing was to be taken back"
            else:
                yield from _taken_back(model, standing, run)
        case _:
            yield f"rollback.sh ended with {status}"


def _nothing_to_take_back(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    if not run.changed_nothing:
        yield "rollback.sh said that it did nothing, and changed something"
    if standing.stage == "applied":
        yield "rollback.sh said that there is nothing to take back, and there is"
    if standing.stage == "begun":
        left = model.differences(standing, run.now)
        if left:
            yield f"rollback.sh said that there is nothing to take back, and there is: {left}"


def _taken_back(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    if model.below_is_gone(standing):
        yield from _taken_out_of_order(model, standing, run)
        return
    left = model.differences(standing, run.now)
    if claims_all_is_as_before(run.ran) and left:
        yield f"rollback.sh said that everything is as before, and it is not: {left}"
    match run.ran.status:
        case 0:
            yield from _restored(model, standing, run, left)
        case 4:
            yield from _restored_but(model, standing, run, left)
        case _:
            if not _has_obstacles(model, standing, run) and not model.above(standing):
                yield "rollback.sh ended with 5, and nothing stands in its way"
    yield from _upper_bundles_hold(model, standing, run)


def _restored(model: Model, standing: Standing, run: Run, left: dict[str, str]) -> Iterator[str]:
    may_wait = run.no_restart or bool(foreign_restart(standing, run.then))
    waiting = model.waits(standing, run.now) if may_wait else set()
    for name, found in left.items():
        if name not in waiting:
            yield f"rollback.sh ended with 0, and {name} is not as before: {found}"
        elif name not in run.ran.said:
            yield f"rollback.sh did not say that {name} waits for a restart"
    if model.we_stopped_it and not run.then.up and not run.now.up:
        yield "we had stopped the server, and rollback.sh left it down"
    yield from _file_of_alter_system(model, standing, run)
    yield from _no_strays(run)


def _restored_but(model: Model, standing: Standing, run: Run, left: dict[str, str]) -> Iterator[str]:
    if run.changed_nothing and (model.above(standing) or foreign_restart(standing, run.then)):
        return
    others = {called(each): each for each in standing.bundle.cells if model.writers.get(each) == OTHERS}
    theirs_is_drop_in = f"/{DROP_IN}" in others and f"/{DROP_IN}" in run.ran.said
    waiting = model.waits(standing, run.now)
    for name, found in left.items():
        if name not in run.ran.said and not (name in standing.former and theirs_is_drop_in):
            yield f"rollback.sh left {name}, and did not name it: {found}"
        elif name not in others and name not in standing.former and name not in waiting:
            yield f"rollback.sh left {name}, which nobody else has changed: {found}"
    if not left and not model.above(standing) and not foreign_restart(standing, run.then):
        yield "rollback.sh ended with 4, and everything is as before"
    yield from _still_ours(model, standing, run, theirs_is_drop_in)
    yield from _no_strays(run)


def _still_ours(model: Model, standing: Standing, run: Run, theirs_is_drop_in: bool) -> Iterator[str]:
    """A value of ours that is in force though nobody else has put it there."""
    files = run.now.configured
    above = {name for each in model.above(standing) for name in each.bundle.settings}
    if files is None or theirs_is_drop_in:
        return
    for name, planned in standing.bundle.settings.items():
        if files[name] == planned and name not in above and planned not in standing.former[name]:
            if not (standing.bundle.way == "ALTER SYSTEM" and model.writers.get(f"auto:{name}") == OTHERS):
                yield f"rollback.sh left our {name} in the files"


def _file_of_alter_system(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    assert standing.before is not None
    if standing.bundle.way != "ALTER SYSTEM" or model.above(standing):
        return
    if model.writers.get(AUTO) == OTHERS:
        return
    if run.now.files.get(AUTO) != standing.before.files.get(AUTO):
        yield f"{AUTO} is not to the byte as before, and nobody else has written there"


def _no_strays(run: Run) -> Iterator[str]:
    for path in run.now.files:
        if STRAY in path:
            yield f"{path} was left behind"


def _taken_out_of_order(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    files = run.now.configured
    if run.ran.status != DONE or files is None:
        return
    for name, planned in standing.bundle.settings.items():
        if files[name] == planned:
            yield f"rollback.sh ended with 0, and our {name} is still in the files"
    for each in model.standings.values():
        if each.stage == "restored" and each is not standing:
            for name, planned in each.bundle.settings.items():
                if files[name] == planned and run.then.configured != run.now.configured:
                    yield f"rollback.sh brought back {name} of the bundle {each.bundle.name}, which was taken back"


def _upper_bundles_hold(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    for each in model.above(standing):
        if each.stage == "applied" and as_planned(each, run.then) and not as_planned(each, run.now):
            yield f"rollback.sh took back what the later bundle {each.bundle.name} had put in force"
