"""What of bundles that overlap is in force, how two states differ, and which way leads back."""

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.generations.between import (
    GenerationDifference,
    differences_between,
    return_to,
    state_after,
)
from tunewiz.core.generations.generation import BundleHistory, Generation, Outcome, RecordedChange, history_of
from tunewiz.core.generations.in_force import standing_of

NAMES = ("work_mem", "vm.swappiness", "shared_buffers")


def change(name: str, before: str, value: str) -> RecordedChange:
    return RecordedChange(
        kind="setting",
        name=name,
        before=before,
        value=value,
        before_in_words=before,
        value_in_words=value,
        keys=(f"setting:{name}",),
    )


def generation(order: int, *changes: RecordedChange, outcome: Outcome = "applied") -> Generation:
    name = f"{order:016x}"
    return Generation(
        id=name,
        records=name,
        order=order,
        outcome=outcome,
        changes=changes,
        scripts=f"/root/{order}",
        returns=True,
    )


FIRST = generation(1, change("work_mem", "4MB", "24MB"), change("vm.swappiness", "60", "10"))
SECOND = generation(2, change("work_mem", "24MB", "32MB"))
THIRD = generation(3, change("shared_buffers", "128MB", "256MB"))


def test_the_latest_that_changes_the_same_is_the_one_in_force() -> None:
    history = history_of((FIRST, SECOND, THIRD))
    standing = standing_of(history, FIRST)
    assert standing.stand == "in force in part"
    assert [one.superseded_by for one in standing.changes] == [SECOND.id, ""]
    assert standing_of(history, SECOND).stand == standing_of(history, THIRD).stand == "in force"
    newest = generation(4, change("work_mem", "32MB", "48MB"))
    history = history_of((FIRST, SECOND, THIRD, newest))
    assert standing_of(history, SECOND).stand == "superseded"
    assert standing_of(history, FIRST).superseded_by == (newest.id,)


def test_one_that_was_rolled_back_supersedes_nothing_and_is_not_rolled_back_again() -> None:
    away = dataclasses.replace(SECOND, outcome="restored")
    history = history_of((FIRST, away, THIRD))
    assert standing_of(history, FIRST).stand == "in force"
    assert standing_of(history, away).stand == "rolled back"
    assert return_to(history, FIRST).rolls_back == (THIRD,)


def test_an_earlier_application_of_the_same_bundle_is_history() -> None:
    aside = dataclasses.replace(SECOND, records=f"{SECOND.id}.1", order=1, outcome="applied")
    assert not aside.is_in_place
    assert history_of((aside, FIRST)).after(FIRST) == ()


def test_of_two_states_what_differs_is_told_both_ways() -> None:
    history = history_of((FIRST, SECOND, THIRD))
    assert differences_between(history, FIRST, THIRD) == (
        GenerationDifference(name="shared_buffers", before="128MB", value="256MB"),
        GenerationDifference(name="work_mem", before="24MB", value="32MB"),
    )
    assert differences_between(history, THIRD, FIRST) == (
        GenerationDifference(name="shared_buffers", before="256MB", value="128MB"),
        GenerationDifference(name="work_mem", before="32MB", value="24MB"),
    )
    assert differences_between(history, SECOND, SECOND) == ()


def test_what_the_kernel_sets_to_0_for_another_value_is_told_too() -> None:
    dirty = dataclasses.replace(
        change("vm.dirty_bytes", "0", "536870912"),
        value_in_words="512MB",
        keys=("sysctl:vm.dirty_bytes", "sysctl:vm.dirty_ratio"),
        twin="vm.dirty_ratio",
        twin_before="10",
    )
    ratio = dataclasses.replace(
        change("vm.dirty_ratio", "20", "10"), keys=("sysctl:vm.dirty_ratio", "sysctl:vm.dirty_bytes")
    )
    one, two = generation(1, ratio), generation(2, dirty)
    assert differences_between(history_of((one, two)), one, two) == (
        GenerationDifference(name="vm.dirty_bytes", before="0", value="512MB"),
        GenerationDifference(name="vm.dirty_ratio", before="10", value="0"),
    )


def test_sizes_that_round_to_the_same_words_are_told_in_full() -> None:
    rounded = [
        dataclasses.replace(change("vm.dirty_bytes", "0", value), value_in_words="~38MB")
        for value in ("39845888", "39846000")
    ]
    one, two = generation(1, rounded[0]), generation(2, rounded[1])
    (difference,) = differences_between(history_of((one, two)), one, two)
    assert (difference.before, difference.value) == ("39845888", "39846000")


def test_there_is_a_way_back_only_where_every_script_and_every_record_is_there() -> None:
    history = history_of((FIRST, SECOND, THIRD))
    way = return_to(history, FIRST)
    assert (way.rolls_back, way.script_directory, way.why_not) == ((THIRD, SECOND), "/root/1", "")
    assert "nothing that was applied later" in return_to(history, THIRD).why_not
    gone = dataclasses.replace(SECOND, scripts="", returns=False)
    assert f"the scripts of {gone.id}" in return_to(history_of((FIRST, gone, THIRD)), FIRST).why_not
    lost = dataclasses.replace(SECOND, outcome="lost")
    assert lost.id in return_to(history_of((FIRST, lost, THIRD)), FIRST).why_not
    assert return_to(history_of((FIRST, lost, THIRD)), lost).why_not
    unnumbered = dataclasses.replace(lost, order=None)
    assert unnumbered.id in return_to(history_of((FIRST, unnumbered)), FIRST).why_not
    away = dataclasses.replace(FIRST, outcome="restored")
    assert "not in force" in return_to(history_of((away, SECOND)), away).why_not


def test_damage_before_it_does_not_stand_in_the_way() -> None:
    lost = dataclasses.replace(FIRST, outcome="lost")
    way = return_to(history_of((lost, SECOND, THIRD)), SECOND)
    assert (way.rolls_back, way.why_not) == ((THIRD,), "")


def test_where_no_bundle_knows_the_option_none_is_named() -> None:
    old = tuple(dataclasses.replace(one, returns=False) for one in (FIRST, SECOND))
    assert return_to(history_of(old), old[0]).script_directory == ""
    assert return_to(history_of((*old, THIRD)), old[0]).script_directory == "/root/3"


@st.composite
def histories(draw: st.DrawFn) -> BundleHistory:
    outcomes: st.SearchStrategy[Outcome] = st.sampled_from(("applied", "restored"))
    values, result = dict.fromkeys(NAMES, "0"), list[Generation]()
    for order in range(1, draw(st.integers(1, 5)) + 1):
        names = draw(st.sets(st.sampled_from(NAMES), min_size=1))
        changes = tuple(change(name, values[name], f"v{order}") for name in sorted(names))
        outcome: Outcome = draw(outcomes)
        result.append(generation(order, *changes, outcome=outcome))
        if outcome == "applied":
            values.update((name, f"v{order}") for name in names)
    return history_of(tuple(draw(st.permutations(result))))


@given(histories())
def test_what_stands_and_is_not_superseded_is_the_state_after_the_newest(history: BundleHistory) -> None:
    in_place = [one for one in history.generations if one.is_in_place]
    state = dict[str, str]()
    for one in state_after(history, in_place[0]) if in_place else ():
        state.update((entry.name, entry.value) for entry in one.changes)
    standing = {
        entry.change.name: entry.change.value
        for one in in_place
        for entry in standing_of(history, one).changes
        if not entry.superseded_by
    }
    assert standing == state


@given(histories(), st.data())
def test_the_way_from_one_to_another_and_back_is_the_same_turned_round(
    history: BundleHistory, data: st.DataObject
) -> None:
    one, two = (data.draw(st.sampled_from(history.generations)) for _ in range(2))
    there, back = differences_between(history, one, two), differences_between(history, two, one)
    assert [(d.name, d.value, d.before) for d in there] == [(d.name, d.before, d.value) for d in back]


def test_each_way_to_stand_is_told_from_the_others() -> None:
    waiting = dataclasses.replace(SECOND.changes[0], put_off=True)
    ways = {
        "cut off": dataclasses.replace(SECOND, outcome="begun"),
        "rolled back in part": dataclasses.replace(SECOND, undone=True),
        "waits for confirmation": dataclasses.replace(SECOND, confirmation="pending"),
        "waits for a restart": dataclasses.replace(SECOND, changes=(waiting,)),
        "rolled back": dataclasses.replace(SECOND, outcome="restored"),
        "not begun": dataclasses.replace(SECOND, outcome="none"),
        "records damaged": dataclasses.replace(SECOND, outcome="lost"),
        "in force": dataclasses.replace(SECOND, confirmation="confirmed"),
    }
    for stand, one in ways.items():
        assert standing_of(history_of((FIRST, one, THIRD)), one).stand == stand
