"""What managed services let their users set: profiles/services, checked against the table of settings."""

from __future__ import annotations

from collections import Counter
from functools import cache

from tunewiz.core.keepers.services import Service, ServiceName
from tunewiz.core.values.errors import InputError
from tunewiz.knowledge.loading import load_settings
from tunewiz.knowledge.profiles import read_record


@cache
def load_service(name: ServiceName) -> Service:
    """One service; raises InputError for a setting that no major has, or that is named twice."""
    service = read_record(Service, "services", f"{name}.toml")
    check_service(service, f"profiles/services/{name}.toml")
    return service


def check_service(service: Service, where: str) -> None:
    """Raises InputError for the first setting that no major has, or that is named twice."""
    known = {name for of_major in load_settings().values() for name in of_major.known}
    named = Counter(name for entry in service.left_alone for name in entry.names)
    named.update(service.parameters.keys())
    for name, count in named.items():
        if name not in known:
            raise InputError(f"{where}: found {name}, expected a setting that some major has")
        if count > 1:
            raise InputError(f"{where}: {name}: found {count} times, expected once")
