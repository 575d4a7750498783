"""The plan's data of an applied bundle, read again: what it changes, by which keys the scripts compare it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tunewiz.bundle.check import BundleManifest, HostPart, ServerPart, ValueChange, in_words
from tunewiz.bundle.manifest import SCHEMA
from tunewiz.bundle.steps import FORMAT, unescaped
from tunewiz.core.generations.generation import RecordedChange
from tunewiz.core.planning.placed import NOT_KNOWN
from tunewiz.core.values.errors import InputError

ITEMS = frozenset({
    *("auto", "boot", "file", "include", "mount", "patroni", "queue", "rolesetting", "service", "swap"),
    *("sysctl", "sysfs", "timer", "wal"),
})  # fmt: skip
"""Kinds of steps that are put in force by themselves (do_KIND of the scripts)."""
CARRIERS = frozenset({"auto", "cron", "file", "include", "patroni"})
"""Those that only carry what others change."""
VALUES = frozenset({"setting", "dynamic", "sysctl", "sysfs", "queue"})
"""Those with a value before and after."""
_KEYS: Mapping[str, tuple[int, ...]] = {
    "boot": (),
    "file": (1,),
    "queue": (1, 2),
    "rolesetting": (0, 1, 2),
    "unit": (0, 1),
    "setting": (0,),
    "dynamic": (0,),
}
"""Which fields of a step say what it changes; of other items it is the first."""
_WITHOUT_KEYS = frozenset({"auto", "patroni"})
_DONE, _NOT_DONE, _NOT_SET = "done", "not done", "not set"
_BLANK = r"\0040"
_SHORTEST: Mapping[str, int] = {
    "setting": 8,
    "dynamic": 6,
    "sysctl": 6,
    "sysfs": 4,
    "queue": 6,
    "rolesetting": 6,
    "cluster": 5,
    "host": 3,
}
"""Words of a line that are read here."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedSteps:
    """What steps.txt says."""

    host: str
    server: ServerPart | None
    changes: tuple[RecordedChange, ...]
    carriers: tuple[str, ...]


def keys_of_step(fields: tuple[str, ...]) -> tuple[str, ...]:
    """What a step changes, in the words of the scripts (keys_KIND); its fields as they stand in the file."""
    kind, rest = fields[0], (*fields[1:], "", "", "", "")
    if kind == "sysctl":
        return tuple(f"sysctl:{name}" for name in (rest[0], rest[3]) if name)
    if kind in _KEYS:
        key = ":".join((kind, *(rest[field] for field in _KEYS[kind])))
        # A blank parts two keys of the scripts.
        return (key.replace(" ", _BLANK) if kind == "rolesetting" else key,)
    return (f"{kind}:{rest[0]}",) if kind in ITEMS - _WITHOUT_KEYS else ()


def read_steps(text: str, where: str, put_off: frozenset[int]) -> RecordedSteps:
    """What a bundle changes; `put_off` are numbers of steps. Raises InputError for what cannot be read."""
    lines = tuple(tuple(line.split("|")) for line in text.splitlines())
    if not lines or lines[0][:2] != ("tunewiz", str(FORMAT)):
        head = "|".join(lines[0][:2]) if lines else "nothing"
        raise InputError(f"{where}: found {head!r}, expected tunewiz|{FORMAT}")
    for number, fields in enumerate(lines, 1):
        if len(fields) < _SHORTEST.get(fields[0], 1):
            raise InputError(f"{where}: line {number}: found too few fields for {fields[0]!r}")
    plain = tuple(tuple(map(unescaped, fields)) for fields in lines)
    manifest = _manifest(plain)
    changes = tuple(
        _change(manifest, fields, keys_of_step(raw), put_off=number in put_off)
        for number, (raw, fields) in enumerate(zip(lines, plain, strict=True), 1)
        if _is_change(fields[0])
    )
    carriers = tuple(key for raw in lines if not _is_change(raw[0]) for key in keys_of_step(raw))
    return RecordedSteps(host=manifest.host.name, server=manifest.server, changes=changes, carriers=carriers)


def _is_change(kind: str) -> bool:
    return kind not in CARRIERS and (kind in ITEMS or kind in VALUES or kind == "unit")


def _manifest(lines: tuple[tuple[str, ...], ...]) -> BundleManifest:
    """As much of it as the plan's data have: its values are shown in the same words."""
    server, name, identity = None, "", ""
    for kind, *rest in lines:
        match kind:
            case "host":
                identity, name = rest[:2]
            case "cluster":
                server = ServerPart(major=rest[0], data_directory=rest[1], config_file=rest[2])
            case "patroni":
                server = ServerPart(major=rest[0] if rest else "", data_directory="", config_file="")
            case _:
                pass
    host = HostPart(name=name, identity=identity)
    return BundleManifest(
        schema=SCHEMA, tunewiz="", host=host, restart=False, files=(), changes=(), server=server
    )


def _change(
    manifest: BundleManifest, fields: tuple[str, ...], keys: tuple[str, ...], *, put_off: bool
) -> RecordedChange:
    value = _value_of(fields)
    before, after = (
        "not known" if text == NOT_KNOWN else in_words(manifest, value, text)
        for text in (value.before, value.value)
    )
    twin, twin_before = fields[4:6] if fields[0] == "sysctl" else ("", "")
    return RecordedChange(
        kind=fields[0],
        name=value.name,
        before=value.before,
        value=value.value,
        before_in_words=before,
        value_in_words=after,
        keys=keys,
        twin=twin,
        twin_before=twin_before,
        put_off=put_off,
    )


def _value_of(fields: tuple[str, ...]) -> ValueChange:
    kind, *rest = fields
    match kind:
        case "setting":
            return _value("setting", rest[0], rest[3], rest[5])
        case "dynamic":
            return _value("setting", rest[0], rest[1], rest[2])
        case "sysctl" | "sysfs":
            return _value(kind, rest[0], rest[1], rest[2])
        case "queue":
            return _value("host", f"/sys/block/{rest[0]}/queue/{rest[2]}", rest[3], rest[4])
        case "rolesetting":
            where = f" in {rest[1]}" if rest[1] else ""
            return _value("host", f"{rest[0]}{where}: {rest[2]}", rest[3] or _NOT_SET, rest[4])
        case _:
            return _value("host", " ".join((kind, *filter(None, rest))), _NOT_DONE, _DONE)


def _value(kind: str, name: str, before: str, value: str) -> ValueChange:
    return ValueChange(kind=kind, name=name, fact=name, before=before, value=value)


def host_changes(manifest: BundleManifest, steps: RecordedSteps) -> Iterator[RecordedChange]:
    """What is done to the machine as a whole, in sentences of the review; each has the keys of all."""
    keys = tuple(key for change in steps.changes if not _is_value(change) for key in change.keys)
    put_off = any(change.put_off for change in steps.changes if not _is_value(change))
    for change in manifest.changes:
        if change.kind == "host":
            yield RecordedChange(
                kind="host",
                name=change.name,
                before="",
                value=change.value,
                before_in_words=_NOT_DONE,
                value_in_words=_DONE,
                keys=keys,
                put_off=put_off,
            )


def in_review_words(manifest: BundleManifest, steps: RecordedSteps) -> tuple[RecordedChange, ...]:
    """The changes of a bundle that is still there: values by their steps, all else as its review says it."""
    values = (change for change in steps.changes if _is_value(change))
    return (*values, *host_changes(manifest, steps))


def _is_value(change: RecordedChange) -> bool:
    return change.kind in VALUES - {"queue"}
