"""Whether a run did what the contract says: each rule that it broke, in words."""

from collections.abc import Iterator

from history_judge_apply import judge_apply
from history_judge_rollback import judge_rollback
from history_model import STRAY, Model, Standing, as_planned, called, stays_in_force
from history_run import DIFFERS, DONE, Run, cell_changed
from history_truth import AUTO, NEEDS_RESTART, Truth, lines_of


def judge(model: Model, standing: Standing, run: Run) -> list[str]:
    """Each rule that the run broke."""
    result = [
        *_leaves_others_alone(model, standing, run),
        *_server_is_up(model, run),
        *_nothing_of_others(standing, run),
    ]
    if not run.killed:
        by_script = {"apply": judge_apply, "rollback": judge_rollback, "verify": _verify, "confirm": _confirm}
        result += by_script[run.script](model, standing, run)
    return result


# Whatever the script is, and however it ends.


def _leaves_others_alone(model: Model, standing: Standing, run: Run) -> Iterator[str]:
    own = {cell for cell in standing.bundle.cells if not cell.startswith("auto:")}
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


def _alter_system_of_others(standing: Standing, run: Run) -> Iterator[str]:
    def others(truth: Truth) -> list[tuple[str, str] | None]:
        given = lines_of(truth.text(AUTO) or "")
        return [row for row in given if row is None or row[0] not in standing.bundle.settings]

    if others(run.then) != others(run.now):
        yield f"{AUTO} had lines of others {others(run.then)}, and has {others(run.now)}"


def _server_is_up(model: Model, run: Run) -> Iterator[str]:
    if run.then.up and not run.now.up and not run.killed:
        yield "the server was up and was left down"
    # Nobody can tell who stopped it then: what the killed run had called may have done it.
    if not run.then.up and run.now.up and not model.we_stopped_it and not run.after_word_to_stop:
        yield "the server was down, not by us, and was started"
    may_restart = not run.no_restart and run.script in {"apply", "rollback"}
    if not may_restart and run.then.up and run.now.up and run.then.postmaster != run.now.postmaster:
        yield "the server was restarted"


def _nothing_of_others(standing: Standing, run: Run) -> Iterator[str]:
    if not (run.then.up and run.now.up):
        return
    for name in sorted(NEEDS_RESTART - set(standing.bundle.settings)):
        if run.then.running[name] != run.now.running[name]:
            yield f"{name} of others came into force by our restart: {run.now.running[name]}"


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
            own = all(not model.is_others(standing, run.now, cell) for cell in standing.bundle.cells)
            if standing.waits_for_confirmation and holds and own and run.now.up and not model.locked_out:
                yield "refused to confirm what is in force"
        case status:
            yield f"--confirm ended with {status}"
