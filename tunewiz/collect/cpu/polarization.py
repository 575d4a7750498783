"""How much of a real processor each one of a vertically dispatched partition gets (s390x)."""

from __future__ import annotations

from collections import Counter

from tunewiz.collect import file_values
from tunewiz.collect.cpu.online import FOLDER
from tunewiz.collect.system import System
from tunewiz.core.facts.partition import Polarization
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown

_HORIZONTAL = "horizontal"
_VERTICAL = ("vertical:high", "vertical:medium", "vertical:low")
_HOW = f"{FOLDER}/cpu*/polarization"


def read_polarization(system: System, online: frozenset[int], s390: Fact[bool]) -> MaybeFact[Polarization]:
    """Processors of each kind; absent where all get the same, as on every other architecture.

    While the kernel changes from one way to the other, it writes `unknown`.
    """
    match s390:
        case Unknown():
            return s390
        case Known(value=False):
            return Absent("only s390x machines dispatch their processors vertically")
        case Known():
            return _counted(system, online)


def _counted(system: System, online: frozenset[int]) -> MaybeFact[Polarization]:
    kinds = Counter[str]()
    for cpu in sorted(online):
        word = file_values.text(system, f"{FOLDER}/cpu{cpu}/polarization")
        if isinstance(word, Unknown):
            return word
        kinds[word.value] += 1
    if set(kinds) == {_HORIZONTAL}:
        return Absent(f"all are horizontal: {_HOW}")
    if not kinds or not set(kinds) <= set(_VERTICAL):
        return Unknown(f"expected horizontal, or vertical with high, medium or low for each: {_HOW}")
    high, medium, low = (kinds[kind] for kind in _VERTICAL)
    return Known(Polarization(high=high, medium=medium, low=low), _HOW)
