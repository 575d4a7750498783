"""Is a bundle intact, and does this host still match what it was planned on?"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tunewiz.bundle.manifest import MANIFEST, SCHEMA, SIGNATURE, SUMS, digest_of, read_checksums
from tunewiz.catalogue import kernel_targets
from tunewiz.collect.system import regular_content
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer
from tunewiz.core.planning.placed import NOT_KNOWN
from tunewiz.core.recommendation.target_words import value_in_words
from tunewiz.core.values.errors import BundleError, InputError
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.formats import toml
from tunewiz.formats.structure import structure
from tunewiz.knowledge.loading import load_settings


@dataclass(frozen=True, kw_only=True, slots=True)
class HostPart:
    """Which machine."""

    name: str
    identity: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerPart:
    """Which server."""

    major: str
    data_directory: str
    config_file: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ValueChange:
    """One value before and after."""

    kind: str
    name: str
    fact: str
    before: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ProofPart:
    """What was measured on the server before the bundle was written."""

    verdict: str
    bundle: str
    """SHA-256 of the SHA256SUMS of the bundle that was measured."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BundleManifest:
    """manifest.toml."""

    schema: int
    tunewiz: str
    host: HostPart
    restart: bool
    files: tuple[str, ...]
    changes: tuple[ValueChange, ...]
    server: ServerPart | None = None
    target: str = "host"
    """Its target: the host, or the keeper of its server's configuration."""
    proof: ProofPart | None = None


def check_bundle(directory: Path, facts: Facts) -> tuple[str, ...]:
    """What is wrong, a sentence each; nothing if the bundle is intact and matches the host.

    Raises:
        BundleError: It is not a directory, or contains no bundle.
    """
    broken = damage_of(directory)
    try:
        manifest = read_manifest(directory / MANIFEST)
    except InputError as error:
        return (*broken, str(error))
    return (*broken, *_mismatches(manifest, facts))


def damage_of(directory: Path) -> tuple[str, ...]:
    """What is missing, added or changed since the bundle was written, a sentence each; raises BundleError."""
    if not directory.exists():
        raise BundleError(f"{directory}: expected the directory of a bundle, found nothing there")
    if not directory.is_dir():
        raise BundleError(f"{directory}: expected the directory of a bundle, found a file")
    if not (directory / SUMS).is_file():
        raise BundleError(f"{directory}: expected a bundle, found no {SUMS} in it")
    return tuple(_broken(directory))


def _broken(directory: Path) -> Iterator[str]:
    expected = read_checksums((directory / SUMS).read_text(encoding="utf-8", errors="surrogateescape"))
    there = {str(path.relative_to(directory)) for path in directory.rglob("*") if not path.is_dir()}
    for name, digest in expected.items():
        if name not in there:
            yield f"{name}: is missing"
        elif (content := _content(directory / name)) is None:
            yield f"{name}: expected a file, found something else"
        elif digest_of(content) != digest:
            yield f"{name}: was changed since the bundle was written"
    for name in sorted(there - {SUMS, SIGNATURE, *expected}):
        yield f"{name}: does not belong to the bundle"


def _content(file: Path) -> bytes | None:
    """None of a directory, a pipe, a device, which might never answer; raises other OSErrors."""
    try:
        return regular_content(str(file))
    except OSError as error:
        if error.errno in {errno.EISDIR, errno.EINVAL, errno.ENXIO}:
            return None
        raise


def read_manifest(file: Path) -> BundleManifest:
    """What a bundle says of itself; raises InputError."""
    where = str(file)
    try:
        text = regular_content(str(file)).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{where}: cannot be read: {error}") from error
    document = toml.loads(text, where)
    if document.get("schema") != SCHEMA:
        raise InputError(f"{where}: schema: found {document.get('schema')!r}, expected {SCHEMA}")
    return structure(document, BundleManifest, where)


def _mismatches(manifest: BundleManifest, facts: Facts) -> Iterator[str]:
    identity = known_or(facts.host.identity, "")
    if manifest.host.identity and identity != manifest.host.identity:
        yield f"host: planned for {manifest.host.name}, this is another machine"
    server = server_of(manifest, facts)
    if manifest.server is not None:
        yield from _server_mismatches(manifest.server, server)
    # What is done to the machine as a whole is looked at by apply.sh, with more than facts.
    single = (change for change in manifest.changes if change.kind != "host")
    current = {change: current_value(change, facts, server) for change in single}
    in_force = sum(value == change.value for change, value in current.items())
    if not in_force:
        yield from (_since_the_plan(manifest, change, value) for change, value in _unlike(current))
        return
    if in_force == len(current):
        yield "applied already: every value is as planned"
        return
    yield f"{in_force} of {how_many(len(current), 'value')} are as planned, the others differ:"
    for change, value in current.items():
        if value != change.value:
            yield _since_it_was_applied(manifest, change, value, waits=waits_for_restart(change, server))


def _unlike(current: Mapping[ValueChange, str]) -> Iterator[tuple[ValueChange, str]]:
    """What is no longer as it was when it was planned."""
    for change, value in current.items():
        if change.before not in (value, NOT_KNOWN):
            yield change, value


def _since_the_plan(manifest: BundleManifest, change: ValueChange, value: str) -> str:
    before, current = (in_words(manifest, change, text) for text in (change.before, value))
    return f"{change.name}: {before} when planned, found {current}"


def _since_it_was_applied(manifest: BundleManifest, change: ValueChange, value: str, *, waits: bool) -> str:
    before, planned, current = (
        in_words(manifest, change, text) for text in (change.before, change.value, value)
    )
    if waits:
        return f"{change.name}: {current} until the server is restarted, then {planned}"
    if value == change.before:
        return f"{change.name}: planned {planned}, found {current} as before"
    return f"{change.name}: planned {planned} instead of {before}, found {current}"


def waits_for_restart(change: ValueChange, server: PostgresServer | None) -> bool:
    """Whether the files have it and the running server has not."""
    settings = NO_SETTINGS if server is None else known_or(server.settings, NO_SETTINGS)
    return change.name in settings and settings[change.name].pending_restart


def in_words(manifest: BundleManifest, change: ValueChange, value: str) -> str:
    """As a person writes it; settings that are not known here stay as they are."""
    if change.kind == "sysctl" and change.name in kernel_targets():
        return value_in_words(kernel_targets()[change.name], value) or "nothing"
    if not value or manifest.server is None or change.kind != "setting":
        return value or "nothing"
    by_major = {str(major): settings for major, settings in load_settings().items()}
    settings = by_major.get(manifest.server.major)
    return value if settings is None else settings.show(change.name, value)


def server_of(manifest: BundleManifest, facts: Facts) -> PostgresServer | None:
    """The server that the bundle changes, as it is now."""
    if manifest.server is None:
        return None
    directory = manifest.server.data_directory
    return next(
        (server for server in facts.postgres if known_or(server.data_directory, "") == directory), None
    )


def _server_mismatches(planned: ServerPart, server: PostgresServer | None) -> Iterator[str]:
    if server is None:
        yield f"{planned.data_directory}: expected a PostgreSQL server there, found none"
    elif known_or(server.major, planned.major) != planned.major:
        yield f"{planned.data_directory}: planned for {planned.major}, found {known_or(server.major, '')}"


def current_value(change: ValueChange, facts: Facts, server: PostgresServer | None) -> str:
    """What this host has now; empty where that is not known."""
    if change.kind in ("sysctl", "sysfs"):
        fact = facts.kernel.settings.get(change.fact)
        return str(fact.value) if isinstance(fact, Known) else ""
    settings = NO_SETTINGS if server is None else known_or(server.settings, NO_SETTINGS)
    return settings[change.name].value if change.name in settings else ""
