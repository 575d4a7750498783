"""What can be recommended: one module each, found because it exists."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module

from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.targets import SysctlTarget


@cache
def recommendations() -> tuple[Recommendation, ...]:
    """Every recommendation, by id.

    Raises:
        TypeError: A module of this package holds no `RECOMMENDATION`.
    """
    result = (_recommendation(module.name) for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(result, key=lambda recommendation: recommendation.id))


@cache
def kernel_targets() -> Mapping[str, SysctlTarget]:
    """The kernel settings that are recommended, by their names and by those among the facts."""
    targets = [recommendation.target for recommendation in recommendations()]
    named = [target for target in targets if isinstance(target, SysctlTarget)]
    return {name: target for target in named for name in (target.name, target.fact) if name}


def _recommendation(module: str) -> Recommendation:
    value: object = getattr(import_module(f"{__name__}.{module}"), "RECOMMENDATION", None)
    if not isinstance(value, Recommendation):
        raise TypeError(f"{__name__}.{module} holds no RECOMMENDATION")
    return value
