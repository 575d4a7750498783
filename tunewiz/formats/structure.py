"""Reads plain data (from TOML or JSON) strictly into frozen records; the first mismatch is named by its key.

Nothing is converted silently: `"5"` is not a number, `true` is not 1, and an unknown key is an error.
A type's reader is built once and kept; reading a document is then one walk over its data.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import field
from fractions import Fraction
from types import MappingProxyType, NoneType, UnionType
from typing import (
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeGuard,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from tunewiz.core.values.errors import InputError
from tunewiz.core.values.names import meant
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes, Duration
from tunewiz.formats.mismatch import (
    MismatchError,
    choices_of,
    expected_for,
    is_words,
    shown,
    unknown_key,
)
from tunewiz.formats.plain_values import boolean, counted, fraction, number, text, whole, written
from tunewiz.formats.remembered import is_plain, remembering

T = TypeVar("T")
Sizes = Literal["whole numbers", "texts"]
"""How sizes and times are written: facts have bytes as numbers, people write `24MB`."""
KEY = "key"
"""In a field's metadata: its key in the document, if that is not a Python name (`from`)."""


@dataclass(frozen=True, slots=True)
class Notes:
    """A document's notes on its values, by dotted key; `used` grows as values are read."""

    learned: Mapping[str, str] = field(default_factory=dict[str, str])
    unknown: Mapping[str, str] = field(default_factory=dict[str, str])
    used: set[str] = field(default_factory=set[str])


Read: TypeAlias = Callable[[object, str, Notes], Any]
"""Turns data, its dotted key and the document's notes into a value; raises MismatchError."""


class FieldReader(NamedTuple):
    """One field of a record, and its reader."""

    name: str
    key: str
    as_it_is: Any
    """The type whose values need no reader, except for non-ASCII text; None if all do."""
    read: Read
    missing: Read
    """Reads the value of a missing key; it is called with NO_DATA."""


NO_DATA = object()
_WORDS_LIKENESS = 0.8
"""Of few short words another may be similar and its opposite: olap is not oltp."""


def structure(data: object, into: type[T], where: str, form: DocumentForm | None = None) -> T:
    """The record that the data describes.

    Args:
        data: As `json` or `tomllib` gave it.
        into: A frozen dataclass.
        where: The file, for the message.
        form: For records that need readers of their own; by default sizes are texts.

    Raises:
        InputError: The first mismatch: file, key, found, expected.
    """
    try:
        return (form or _PLAIN).read(data, into, Notes())
    except MismatchError as error:
        raise refusal(where, error) from error


def refusal(where: str, mismatch: MismatchError) -> InputError:
    """The message for a mismatch."""
    key = ".".join(mismatch.path)
    return InputError(
        f"{where}: {key + ': ' if key else ''}found {mismatch.found}, expected {mismatch.expected}"
    )


class DocumentForm:
    """How the values of one kind of document are written; keeps the readers of its types."""

    def __init__(self, sizes: Sizes, own: Mapping[object, Read] = MappingProxyType({})) -> None:
        size = counted if sizes == "whole numbers" else written
        self._readers: dict[object, Read] = {
            bool: boolean,
            int: whole,
            float: number,
            str: text,
            Fraction: fraction,
            Bytes: size(Bytes),
            Duration: size(Duration),
            **own,
        }

    def read(self, data: object, into: type[T], notes: Notes) -> T:
        """The record; raises MismatchError."""
        record: T = self.reader(into)(data, "", notes)
        return record

    def reader(self, into: Any) -> Read:  # noqa: ANN401 - any annotation may stand on a field
        """The reader of a type; raises TypeError for a type that documents cannot contain."""
        result = self._readers.get(into)
        if result is None:
            result = self._readers[into] = self.made(into)
        return result

    def made(self, into: Any) -> Read:  # noqa: ANN401 - as above
        """Build the reader of a type."""
        if dataclasses.is_dataclass(into) and isinstance(into, type):
            return self._record(into)
        if is_words(into):
            return _words(into)
        if get_origin(into) is tuple:
            return _items(self.reader(get_args(into)[0]))
        if get_origin(into) is Mapping:
            return _named(self.reader(get_args(into)[1]))
        if get_origin(into) in (Union, UnionType):
            return self._perhaps(into)
        raise TypeError(f"documents cannot contain {into!r}")

    def _perhaps(self, into: Any) -> Read:  # noqa: ANN401 - as above
        others = [argument for argument in get_args(into) if argument is not NoneType]
        if len(others) != 1:
            raise TypeError(f"documents cannot contain {into!r}")
        inner = self.reader(others[0])

        def read(data: object, key: str, notes: Notes) -> object:
            return None if data is None else inner(data, key, notes)

        return read

    def _record(self, into: type) -> Read:
        """Built for the first that is read: a document has few of the records that it might have."""
        built = list[Read]()

        def read(data: object, key: str, notes: Notes) -> object:
            if not built:
                built.append(self._whole_record(into))
            return built[0](data, key, notes)

        return read

    def _whole_record(self, into: type) -> Read:
        types = get_type_hints(into)
        parts = tuple(self._parts(into, types))
        known = [part.key for part in parts]
        every = frozenset(known)

        def read(data: object, key: str, notes: Notes) -> object:
            if not is_table(data):
                raise MismatchError("keys and values", shown(data))
            if not every.issuperset(data):
                raise unknown_key(min(data.keys() - every), known)
            values, at = dict[str, object](), ""
            try:
                for name, at, as_it_is, known_reader, missing in parts:
                    value = data.get(at, NO_DATA)
                    if type(value) is as_it_is and (not isinstance(value, str) or value.isascii()):
                        values[name] = value
                    else:
                        reader = missing if value is NO_DATA else known_reader
                        values[name] = reader(value, f"{key}.{at}" if key else at, notes)
            except MismatchError as error:
                raise error.below(at) from error
            return into(**values)

        return remembering(read) if all(map(is_plain, types.values())) else read

    def _parts(self, into: type, types: Mapping[str, Any]) -> list[FieldReader]:
        return [
            FieldReader(
                name=entry.name,
                key=entry.metadata.get(KEY, entry.name),
                as_it_is=_AS_IT_IS.get(self.reader(types[entry.name])),
                read=self.reader(types[entry.name]),
                missing=self.missing(entry, types[entry.name]),
            )
            for entry in dataclasses.fields(into)
        ]

    def missing(self, part: dataclasses.Field[Any], into: Any) -> Read:  # noqa: ANN401 - as above
        """The reader for a missing key: its default, otherwise a mismatch."""
        made = part.default_factory
        if made is not dataclasses.MISSING:
            return lambda _, __, ___: made()
        if part.default is not dataclasses.MISSING:
            return lambda _, __, ___: part.default

        def refuse(_: object, __: str, ___: Notes) -> object:
            raise MismatchError(expected_for(into), "nothing")

        return refuse


def is_table(data: object) -> TypeGuard[dict[str, object]]:
    """Whether this is what TOML calls a table and JSON an object; their keys are always texts."""
    return isinstance(data, dict)


def is_list(data: object) -> TypeGuard[list[object]]:
    """Whether this is a list of anything."""
    return isinstance(data, list)


def _words(into: Any) -> Read:  # noqa: ANN401 - as above
    choices = frozenset(choices_of(into))

    def read(data: object, _: str, __: Notes) -> str:
        if isinstance(data, str) and data in choices:
            return data
        question = meant(data, choices_of(into), likeness=_WORDS_LIKENESS) if isinstance(data, str) else ""
        raise MismatchError(f"{expected_for(into)}{question and f'. {question}'}", shown(data))

    return read


def _items(item: Read) -> Read:
    def read(data: object, key: str, notes: Notes) -> tuple[object, ...]:
        if not is_list(data):
            raise MismatchError("a list", shown(data))
        result, place = list[object](), 0
        try:
            for place, value in enumerate(data):
                result.append(item(value, f"{key}.{place}" if key else str(place), notes))
        except MismatchError as error:
            raise error.below(str(place)) from error
        return tuple(result)

    return read


def _named(item: Read) -> Read:
    def read(data: object, key: str, notes: Notes) -> Mapping[str, object]:
        if not is_table(data):
            raise MismatchError("keys and values", shown(data))
        result, name = dict[str, object](), ""
        try:
            for name, value in data.items():
                result[name] = item(value, f"{key}.{name}" if key else name, notes)
        except MismatchError as error:
            raise error.below(name) from error
        return MappingProxyType(result)

    return read


_AS_IT_IS: Mapping[Read, type] = MappingProxyType({boolean: bool, whole: int, text: str})
"""Types that these readers return unchanged: those of most values in a file of facts."""

_PLAIN = DocumentForm("texts")
"""The form of documents that need no readers of their own."""
