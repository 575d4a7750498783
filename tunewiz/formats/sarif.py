"""Remarks about a fleet as SARIF 2.1.0, which forges show beside the changed files of a pull request."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import PurePath
from urllib.parse import quote

from tunewiz import __version__
from tunewiz.core.fleet.remarks import KINDS, Remark
from tunewiz.core.words.harmless import harmless

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_FINGERPRINT = "tunewiz/v1"


def sarif(remarks: Sequence[Remark]) -> str:
    """One run; the same remarks give the same bytes, in ASCII."""
    driver = {
        "name": "tunewiz",
        "version": __version__,
        "rules": [{"id": name, "shortDescription": {"text": f"{text}."}} for name, text in KINDS.items()],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "results": [_result(remark) for remark in remarks],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _result(remark: Remark) -> dict[str, object]:
    digest = hashlib.sha256("\0".join((remark.kind, *remark.key)).encode("utf-8", "replace")).hexdigest()
    return {
        "ruleId": remark.kind,
        "ruleIndex": list(KINDS).index(remark.kind),
        "level": remark.level,
        "message": {"text": _escaped(remark.text)},
        "locations": [{"physicalLocation": _location(remark)}],
        "partialFingerprints": {_FINGERPRINT: digest},
    }


def _escaped(text: str) -> str:
    r"""A message may hold links, [text](address), and {0} for its arguments: what a host says is neither.

    >>> print(_escaped("[a](b) {0}"))
    \[a\](b) {{0}}
    """
    shown = harmless(text).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return shown.replace("{", "{{").replace("}", "}}")


def _location(remark: Remark) -> dict[str, object]:
    artifact = {"artifactLocation": {"uri": _uri(remark.file)}}
    return {**artifact, "region": {"startLine": remark.line or 1}}


def _uri(file: str) -> str:
    """A relative reference, or a whole address.

    >>> _uri("facts/a b.json"), _uri("/srv/db:1.json"), _uri("db:1.json")
    ('facts/a%20b.json', 'file:///srv/db%3A1.json', 'db%3A1.json')
    """
    path = quote(PurePath(file).as_posix().encode("utf-8", "surrogateescape"), safe="/~")
    return f"file://{path}" if path.startswith("/") else path
