"""What rollback.sh may end in, and what must be so then."""

from collections.abc import Iterator

from history_model import (
    OTHERS,
    STRAY,
    Model,
    Standing,
    as_planned,
    called,
    claims_all_is_as_before,
    foreign_way_back,
)
from history_run import DONE, Run, has_obstacles
from history_truth import AUTO, DROP_IN


def judge_rollback(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    """Each rule that the run broke."""
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
    if standing.stage == "begun" and standing.has_written:
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
            if not has_obstacles(model, standing, run) and not model.above(standing):
                yield "rollback.sh ended with 5, and nothing stands in its way"
    yield from _upper_bundles_hold(model, standing, run)


def _restored(model: Model, standing: Standing, run: Run, left: dict[str, str]) -> Iterator[str]:
    may_wait = run.no_restart or bool(foreign_way_back(standing, run.then))
    waiting = model.waits(standing, run.now) if may_wait else set[str]()
    for name, text in left.items():
        if name not in waiting:
            yield f"rollback.sh ended with 0, and {name} is not as before: {text}"
        elif name not in run.ran.said:
            yield f"rollback.sh did not say that {name} waits for a restart"
    if model.we_stopped_it and not run.then.up and not run.now.up:
        yield "we had stopped the server, and rollback.sh left it down"
    yield from _file_of_alter_system(model, standing, run)
    yield from _no_strays(run)


def _restored_but(model: Model, standing: Standing, run: Run, left: dict[str, str]) -> Iterator[str]:
    if run.changed_nothing and (model.above(standing) or foreign_way_back(standing, run.then)):
        return
    others = {called(cell): cell for cell in standing.bundle.cells if model.writers.get(cell) == OTHERS}
    theirs_is_drop_in = f"/{DROP_IN}" in others and f"/{DROP_IN}" in run.ran.said
    waiting = model.waits(standing, run.now)
    for name, text in left.items():
        if name not in run.ran.said and not (name in standing.former and theirs_is_drop_in):
            yield f"rollback.sh left {name}, and did not name it: {text}"
        elif name not in others and name not in standing.former and name not in waiting:
            yield f"rollback.sh left {name}, which nobody else has changed: {text}"
    if not left and not model.above(standing) and not foreign_way_back(standing, run.then):
        yield "rollback.sh ended with 4, and everything is as before"
    yield from _still_ours(model, standing, run, theirs_is_drop_in=theirs_is_drop_in)
    yield from _no_strays(run)


def _still_ours(model: Model, standing: Standing, run: Run, *, theirs_is_drop_in: bool) -> Iterator[str]:
    """A value of ours that is in force though nobody else has put it there."""
    files = run.now.configured
    if files is None or theirs_is_drop_in:
        return
    theirs = {name for entry in model.above(standing) for name in entry.bundle.settings}
    if standing.bundle.way == "ALTER SYSTEM":
        theirs |= {name for name in standing.former if model.writers.get(f"auto:{name}") == OTHERS}
    for name, planned in standing.bundle.settings.items():
        if files[name] == planned and name not in theirs and planned not in standing.former[name]:
            yield f"rollback.sh left our {name} in the files"


def _file_of_alter_system(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    assert standing.before is not None
    if standing.bundle.way != "ALTER SYSTEM" or model.above(standing):
        return
    if standing.others_set_something:
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
    for entry in model.standings.values():
        if entry.stage == "restored" and entry is not standing:
            for name, planned in entry.bundle.settings.items():
                if files[name] == planned and run.then.configured != run.now.configured:
                    yield f"rollback.sh brought back {name} of {entry.bundle.name}, which was taken back"


def _upper_bundles_hold(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    for entry in model.above(standing):
        if entry.stage == "applied" and as_planned(entry, run.then) and not as_planned(entry, run.now):
            yield f"rollback.sh took back what the later bundle {entry.bundle.name} had put in force"
