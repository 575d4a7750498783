"""Bundles that overlap or not, rolled back in any order, returned to: machine, history and a model agree."""

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from generations import facts_of_machine, id_of
from pretend_root import DROP_IN, SYSCTL_FILE, TMPFILES_FILE, Entry, PretendRoot, make_root
from small_bundles import small_bundle
from small_plans import THP
from tunewiz.bundle.records import read_history
from tunewiz.core.generations.generation import Generation
from tunewiz.core.generations.in_force import standing_of

DONE, NOTHING_TO_DO, REFUSED = 0, 3, 4
SWAPPINESS, HUGE, WORK_MEM = "kernel.swappiness", "kernel.transparent_hugepage", "pg.work_mem"
CHOICES: Mapping[str, tuple[str, ...]] = {
    SWAPPINESS: ("10", "20", "30"),
    HUGE: ("never", "madvise"),
    WORK_MEM: ("16MB", "64MB", "256MB"),
}
FILES: Mapping[str, str] = {SWAPPINESS: SYSCTL_FILE, HUGE: TMPFILES_FILE, WORK_MEM: DROP_IN}
"""What keeps each of them."""
NAMES: Mapping[str, str] = {SWAPPINESS: "vm.swappiness", HUGE: THP, WORK_MEM: "work_mem"}
"""As a bundle's records name them."""
AT_FIRST: Mapping[str, str] = {SWAPPINESS: "60", HUGE: "always", WORK_MEM: "4MB"}
MB = 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Applied:
    """A bundle, and the values that it found."""

    id: str
    directory: Path
    wanted: Mapping[str, str]
    before: Mapping[str, str]


def values_of(machine: PretendRoot) -> Mapping[str, str]:
    """What is in force, by the machine's own files."""
    drop_in = machine.path(DROP_IN)
    kept = drop_in.read_text().partition("work_mem = '")[2].partition("'")[0] if drop_in.exists() else ""
    return {
        SWAPPINESS: machine.read("/proc/sys/vm/swappiness").strip(),
        HUGE: machine.read(THP).partition("[")[2].partition("]")[0],
        WORK_MEM: kept or AT_FIRST[WORK_MEM],
    }


def of_others(machine: PretendRoot) -> Mapping[str, Entry]:
    """Everything that no bundle here has anything to do with."""
    ours = {path.lstrip("/") for path in (*FILES.values(), "/proc/sys/vm/swappiness", THP)}
    return {path: entry for path, entry in machine.tree().items() if path not in ours}


@cache
def shelf() -> Path:
    """Where bundles are written once: the same values make the same bundle."""
    return Path(tempfile.mkdtemp(prefix="tunewiz-generations-"))


@pytest.fixture(autouse=True, scope="module")
def cleared_shelf() -> object:
    yield
    shutil.rmtree(shelf())
    shelf.cache_clear()


class Histories(RuleBasedStateMachine):
    """One machine from its first bundle on."""

    @initialize()
    def begin(self) -> None:
        """A machine to which nothing was applied."""
        self.beside = Path(tempfile.mkdtemp(prefix="tunewiz-history-"))
        self.machine = make_root(self.beside)
        self.others = of_others(self.machine)
        self.values = dict(AT_FIRST)
        self.known: dict[str, Applied] = {}
        self.in_force: list[str] = []
        """Ids, the oldest first."""

    def teardown(self) -> None:
        """Nothing is left."""
        shutil.rmtree(self.beside)

    @rule(
        wanted=st.fixed_dictionaries({}, optional={name: st.sampled_from(CHOICES[name]) for name in CHOICES})
    )
    def apply(self, wanted: Mapping[str, str]) -> None:
        """Of what is drawn, what is not so already."""
        wanted = {
            name: wanted[name] for name in CHOICES if wanted.get(name, "") not in ("", self.values[name])
        }
        if not wanted:
            return
        bundle = self.bundle_of(wanted)
        ran, name = self.machine.run(bundle / "apply.sh"), id_of(bundle)
        if name in self.in_force:
            # The very same one, whose values later ones have replaced: it must be rolled back first.
            assert ran.status == REFUSED, ran.said
            return
        assert ran.status == DONE, ran.said
        before = {one: self.values[one] for one in wanted}
        self.known[name] = Applied(id=name, directory=bundle, wanted=wanted, before=before)
        self.in_force.append(name)
        self.values.update(wanted)

    def bundle_of(self, wanted: Mapping[str, str]) -> Path:
        """The one for the values that are there."""
        named = "-".join((*wanted.values(), "of", *self.values.values()))
        if not (shelf() / named).exists():
            work_mem = str(int(self.values[WORK_MEM].removesuffix("MB")) * MB)
            facts = facts_of_machine(self.machine, {"work_mem": work_mem})
            small_bundle(shelf() / named, wanted, facts=facts)
        return shelf() / named

    @precondition(lambda self: self.known)
    @rule(data=st.data())
    def roll_back(self, data: st.DataObject) -> None:
        """Any that was ever applied; refused where a later one changes the same."""
        one = self.known[data.draw(st.sampled_from(sorted(self.known)))]
        ran = self.machine.run(one.directory / "rollback.sh")
        if one.id not in self.in_force:
            assert ran.status == NOTHING_TO_DO, ran.said
        elif any(self.known[name].wanted.keys() & one.wanted.keys() for name in self.after(one.id)):
            assert ran.status == REFUSED, ran.said
        else:
            assert ran.status == DONE, ran.said
            self.taken_back(one)

    def after(self, name: str) -> list[str]:
        """Those in force that came later, the oldest first."""
        return self.in_force[self.in_force.index(name) + 1 :]

    def taken_back(self, one: Applied) -> None:
        """What the model then has."""
        self.in_force.remove(one.id)
        self.values.update(one.before)

    @precondition(lambda self: self.known)
    @rule(data=st.data())
    def return_to(self, data: st.DataObject) -> None:
        """The state after any of them, asked of any of them."""
        to = data.draw(st.sampled_from(sorted(self.known)))
        by = self.known[data.draw(st.sampled_from(sorted(self.known)))]
        ran = self.machine.run(by.directory / "rollback.sh", "--to", to)
        if to not in self.in_force:
            assert ran.status == REFUSED, ran.said
        elif not (after := self.after(to)):
            assert ran.status == NOTHING_TO_DO, ran.said
        else:
            assert (ran.status, ran.err) == (DONE, ""), ran.said
            for name in reversed(after):
                self.taken_back(self.known[name])

    @invariant()
    def the_machine_is_as_the_model_has_it(self) -> None:
        """Values, files, and all that belongs to others."""
        assert values_of(self.machine) == self.values
        kept = {name for one in self.in_force for name in self.known[one].wanted}
        assert {name for name, file in FILES.items() if self.machine.path(file).exists()} == kept
        others = of_others(self.machine)
        assert {path: others[path] for path in self.others} == self.others

    @invariant()
    def the_history_tells_the_same(self) -> None:
        """Which is in force, and which later one changes the same."""
        history = read_history(self.machine.state)
        assert [one.id for one in reversed(history.generations) if one.is_in_place] == self.in_force
        for generation in history.generations:
            assert not generation.damage
            assert generation.scripts == str(self.known[generation.id].directory)
            standing = standing_of(history, generation)
            shown = {one.change.name: one.superseded_by for one in standing.changes}
            expected = {
                NAMES[name]: self.owner(generation, name) for name in self.known[generation.id].wanted
            }
            assert shown == expected, (shown, expected)

    def owner(self, generation: Generation, name: str) -> str:
        """The newest later one that changes it."""
        if not generation.is_in_place:
            return ""
        later = [one for one in self.after(generation.id) if name in self.known[one].wanted]
        return later[-1] if later else ""


FEW = settings(
    max_examples=5,
    stateful_step_count=10,
    deadline=None,
    database=None,
    derandomize=True,
    phases=(Phase.generate,),
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
)


class ManyHistories(Histories):
    """The same, now and then, for long."""


TestFewHistories = Histories.TestCase
TestFewHistories.settings = FEW
TestManyHistories = pytest.mark.timeout(900)(pytest.mark.slow(ManyHistories.TestCase))
TestManyHistories.settings = settings(FEW, max_examples=25, stateful_step_count=14, derandomize=False)
