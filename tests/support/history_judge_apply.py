"""What apply.sh may end in, and what must be so then."""

from collections.abc import Iterator
from typing import Final

from history_model import (
    Model,
    Standing,
    as_planned,
    called,
    claims_all_is_as_before,
    foreign_restart,
    stays_in_force,
)
from history_run import DONE, Run, has_obstacles
from history_truth import AUTO, DROP_IN, LATER, NEEDS_RESTART, SWAPPINESS, SYSCTL_FILE, Truth, lines_of

FORMER_SWAPPINESS: Final = "60"


def judge_apply(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    """Each rule that the run broke."""
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
    if any(standing.waits_for_confirmation for standing in model.standings.values()):
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
    kernel = (then.text(SWAPPINESS) or "").strip()
    if bundle.changes_kernel and (SYSCTL_FILE in then.files or kernel != FORMER_SWAPPINESS):
        return False
    return bundle.name == "upon" or DROP_IN not in then.files


def _is_outdone(standing: Standing, then: Truth) -> bool:
    names = set(standing.bundle.settings)
    later = {line[0] for line in lines_of(then.text(LATER) or "") if line is not None}
    if standing.bundle.way == "drop-in":
        later |= {line[0] for line in lines_of(then.text(AUTO) or "") if line is not None}
    return bool(names & later)


def _applied(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    if standing.stage == "applied":
        yield "applied a second time"
    for entry in model.standings.values():
        if entry.waits_for_confirmation:
            yield f"applied while {entry.bundle.name} is waiting for confirmation"
    if run.then.up and not run.no_restart:
        if not as_planned(standing, run.now):
            yield "apply.sh said that it is done, and the server has not what was planned"
    elif not stays_in_force(standing, run.now):
        yield "apply.sh said that it is done, and it is neither in force nor waiting for a restart"


def _undone(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    assert standing.before is not None
    left = model.differences(standing, run.now)
    confesses = "NOT restored" in run.ran.said
    others = {called(cell) for cell in standing.bundle.cells if model.is_others(standing, run.now, cell)}
    waiting = model.waits(standing, run.now)
    for name, text in left.items():
        if name not in run.ran.said and not confesses:
            yield f"apply.sh has undone its work, but for {name}: {text}, without a word"
    if claims_all_is_as_before(run.ran) and left:
        yield f"apply.sh said that everything is as before, and it is not: {left}"
    if confesses and not (has_obstacles(model, standing, run) or others or waiting):
        yield "apply.sh could not undo its work, and nothing stands in its way"
