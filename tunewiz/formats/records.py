"""The public forms of facts (JSON) and answers (TOML), read strictly and written so that they read back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import field

from tunewiz.core.answers import answers as answers_record
from tunewiz.core.answers.answers import Accepted, Answers, Decision, Refused, Replaced
from tunewiz.core.answers.bounds import ImpossibleValue
from tunewiz.core.answers.form import answers_document
from tunewiz.core.answers.limits import impossible_answers, impossible_facts
from tunewiz.core.facts import facts as facts_record
from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.record import dataclass
from tunewiz.formats import json as strict_json
from tunewiz.formats import toml
from tunewiz.formats.every_mismatch import read_around
from tunewiz.formats.mismatch import MismatchError, shown, unknown_key
from tunewiz.formats.provenance import FactsForm, RecordWriter, check_all_used
from tunewiz.formats.structure import DocumentForm, Notes, is_table, refusal, structure

_BESIDE = ("learned", "unknown")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Beside:
    """What accompanies the facts: the source of each, or why it is unknown, by dotted key."""

    learned: Mapping[str, str] = field(default_factory=dict[str, str])
    unknown: Mapping[str, str] = field(default_factory=dict[str, str])


def facts_document(facts: Facts) -> dict[str, object]:
    """The facts as plain data, with their sources."""
    apart = RecordWriter()
    plain = apart.fields(facts)
    return {"schema": facts_record.SCHEMA, **plain, "unknown": apart.unknown, "learned": apart.learned}


def facts_to_json(facts: Facts) -> str:
    """The facts as JSON: the same facts give the same bytes, in ASCII."""
    return json.dumps(facts_document(facts), indent=2) + "\n"


def facts_from_json(text: str, where: str) -> Facts:
    """The facts in a JSON text.

    Args:
        text: The document.
        where: Its file, for the message.

    Raises:
        InputError: It is not valid JSON, of another schema, or has unknown keys or impossible values.
    """
    return facts_from_document(strict_json.loads(text, where), where)


def facts_from_document(data: object, where: str) -> Facts:
    """The facts in plain data; raises InputError as `facts_from_json` does."""
    document = _with_schema(data, facts_record.SCHEMA, where)
    beside = structure({name: document.pop(name) for name in _BESIDE if name in document}, _Beside, where)
    if not (document or beside.learned or beside.unknown):
        raise InputError(
            f"{where}: expected facts (host, cpu, memory, …), found none",
            "`tunewiz facts -o FILE` writes them on the machine.",
        )
    notes = Notes(beside.learned, beside.unknown)
    try:
        facts = _FACTS.read(document, Facts, notes)
        check_all_used(notes)
    except MismatchError as error:
        raise refusal(where, error) from error
    _refuse_strange(impossible_facts(facts), where)
    return facts


def answers_to_toml(answers: Answers) -> str:
    """The answers as TOML that reads back as the same answers; what the facts say is left out."""
    return toml.dumps({"schema": answers_record.SCHEMA, **answers_document(answers)})


def answers_from_toml(text: str, where: str) -> Answers:
    """The answers in a TOML text.

    Args:
        text: The document.
        where: Its file, for the message.

    Raises:
        InputError: It is not valid TOML, of another schema, or has unknown keys or impossible values.
    """
    document = _with_schema(toml.loads(text, where), answers_record.SCHEMA, where)
    return answers_from_document(document, where)


def answers_from_document(document: dict[str, object], where: str) -> Answers:
    """The answers in plain data without a schema number; raises InputError as `answers_from_toml` does."""
    answers = read_around(document, lambda rest: _ANSWERS.read(rest, Answers, Notes()), _COMPLETE)
    wrong = [refusal(where, mismatch).message for mismatch in answers.mismatches]
    wrong += [_strange(problem, where) for problem in _impossible(answers.value)]
    if answers.value is None or wrong:
        raise InputError("\n".join(wrong))
    return answers.value


def _impossible(answers: Answers | None) -> Iterable[ImpossibleValue]:
    return () if answers is None else impossible_answers(answers)


_SAYINGS = ("accept", "decline", "set")


def _decision(data: object, _: str, __: Notes) -> Decision:
    """One of accept, decline and set, with a note."""
    if not is_table(data):
        raise MismatchError("{ accept = true }, { decline = true } or { set = VALUE }", shown(data))
    note = data.get("note", "")
    if not isinstance(note, str):
        raise MismatchError("text", shown(note), ("note",))
    for name in data:
        if name not in {*_SAYINGS, "note"}:
            raise unknown_key(name, [*_SAYINGS, "note"])
    said = [name for name in _SAYINGS if name in data]
    if len(said) != 1:
        raise MismatchError("exactly one of accept, decline and set", " and ".join(said) or "none of them")
    if said == ["set"]:
        return Replaced(value=_value(data["set"]), note=note)
    if data[said[0]] is not True:
        raise MismatchError("true", shown(data[said[0]]), (said[0],))
    return Accepted(note=note) if said == ["accept"] else Refused(note=note)


def _value(data: object) -> str:
    match data:
        case bool():
            return "on" if data else "off"
        case int() | float():
            return str(data)
        case str():
            return data
        case _:
            raise MismatchError("text or a number", shown(data), ("set",))


def _number_or_word(data: object, _: str, __: Notes) -> int | str:
    if isinstance(data, int | str) and not isinstance(data, bool):
        return data
    raise MismatchError("a whole number or text", shown(data))


def _with_schema(data: object, expected: int, where: str) -> dict[str, object]:
    """The document without its schema number, which must be the supported one."""
    if not is_table(data):
        raise InputError(f"{where}: found {shown(data)}, expected keys and values")
    value = data.get("schema")
    if value != expected or isinstance(value, bool):
        stated = shown(value) if "schema" in data else "nothing"
        hint = "Was it written by a newer tunewiz?" if isinstance(value, int) and value > expected else ""
        raise InputError(f"{where}: schema: found {stated}, expected {expected}", hint)
    return {name: entry for name, entry in data.items() if name != "schema"}


def _refuse_strange(problems: Iterable[ImpossibleValue], where: str) -> None:
    for problem in problems:
        raise InputError(_strange(problem, where))


def _strange(problem: ImpossibleValue, where: str) -> str:
    return f"{where}: {problem.key}: found {problem.found}, expected {problem.expected}"


_COMPLETE: Mapping[str, object] = {
    "workload": {"kind": "oltp", "connections": 1, "database_size": "1GB"},
}
"""What answers must not lack: read instead of what cannot be, so that the rest is checked too."""
_FACTS = FactsForm("whole numbers", {int | str: _number_or_word})
_ANSWERS = DocumentForm("texts", {Decision: _decision})
