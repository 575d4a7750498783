"""What is written as YAML reads back as the same data, whatever reads it, and is the same bytes each time."""

import pytest
import yaml as reader
from hypothesis import example, given
from hypothesis import strategies as st

from tunewiz.formats import yaml

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
TAGGED = TEXTS.map(lambda text: yaml.Tagged(tag="!unsafe", text=text))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | TEXTS
    | st.sampled_from(
        [
            "on",
            "off",
            "yes",
            "no",
            "null",
            "~",
            "1e3",
            "0x10",
            "012",
            "1:30",
            "- a",
            "a: b",
            "# a",
            "",
            " a ",
            "&a",
            "*a",
        ]
    )
)
KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=100)
DATA = st.dictionaries(
    KEYS,
    st.recursive(SCALARS, lambda parts: st.lists(parts) | st.dictionaries(KEYS, parts), max_leaves=20),
)


@given(DATA)
def test_it_reads_back_as_the_same_data(data: dict[str, object]) -> None:
    assert reader.safe_load(yaml.dumps(data)) == data


@given(DATA)
@example({"a\x7f": "\x7f"})
def test_it_is_plain_text_a_line_for_each_value(data: dict[str, object]) -> None:
    written = yaml.dumps(data)
    assert written.isascii()
    assert written.endswith("\n")
    assert all(line.isprintable() and not line.endswith(" ") for line in written.splitlines())


@pytest.mark.parametrize(
    "word", ["on", "Off", "yes", "N", "null", "true", "16", "1.1", "2e1", "0o17", "=", "<<"]
)
def test_a_text_stays_a_text_whatever_it_looks_like(word: str) -> None:
    assert reader.safe_load(yaml.dumps({"a": word})) == {"a": word}
    assert reader.safe_load(yaml.dumps({word: 1})) == {word: 1}


def test_the_first_key_of_an_item_is_on_the_line_of_its_dash() -> None:
    data = {"list": [{"option": "jit", "value": "off"}, {"option": "work_mem", "value": "24MB"}]}
    assert yaml.dumps(data).splitlines()[1:3] == ['  - option: "jit"', '    value: "off"']


class AnsiblesLoader(reader.SafeLoader):
    """Reads the tag that keeps Ansible from taking a text for a template."""


def tagged(loader: reader.SafeLoader, node: reader.Node) -> yaml.Tagged:
    assert isinstance(node, reader.ScalarNode)
    return yaml.Tagged(tag=node.tag, text=str(loader.construct_scalar(node)))


AnsiblesLoader.add_constructor("!unsafe", tagged)


@given(st.dictionaries(KEYS, TAGGED | st.lists(TAGGED)))
def test_a_tagged_text_keeps_its_tag(data: dict[str, object]) -> None:
    assert reader.load(yaml.dumps(data), AnsiblesLoader) == data  # noqa: S506 - it is a safe loader


@pytest.mark.parametrize("data", [{"a": 1.5}, {"a": {1: 2}}, {"a": b"x"}, {"a" * 1025: 1}, {"a": "\ud800"}])
def test_what_another_reader_could_take_otherwise_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(yaml.NotYamlError):
        yaml.dumps(data)
