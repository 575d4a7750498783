"""No text that people read names a thing by this program's own key where it has a name."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import tunewiz
from every_page import journey_of, machine_names, machines, pages_of
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.knowledge.help import load_pages, load_terms
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.text.explanation import explained

KNOWLEDGE = load_knowledge()
KEYS = frozenset(
    recommendation.id
    for recommendation in KNOWLEDGE.catalogue
    if isinstance(recommendation.target, PgTarget) or recommendation.id != recommendation.target.name
)
"""Of recommendations; a few of the kernel's settings have the same name themselves."""
FACT = re.compile(
    r"(?<![\w./-])(?:cpu|memory|limits|virtualization|storage)\.(?:total|available|cores|online|"
    r"threads_per_core|sockets|numa_nodes|hypervisor|container|memory|cpus|swap_total|huge_page_size)\b"
)
"""Facts as a file of facts has them."""
DOTTED = re.compile(r"(?<![\w./-])[a-z]+\.[a-z_0-9]+(?:\.[a-z_0-9]+)*")
ANSWER = re.compile(r"(?<![\w./-])(?:decisions|workload|risk|server)\.[a-z_]+")
BESIDE = 40
"""Letters before and after."""
IN_A_FILE = re.compile(r"in the answers")
"""An answer's key is right where the text tells what to write into the file of answers."""


def keys_in(text: str) -> Iterator[str]:
    """Every key that a text shows, with its line."""
    yield from answers_in(text)
    for line in text.splitlines():
        keys = [key for key in DOTTED.findall(line) if key in KEYS]
        keys += FACT.findall(line)
        yield from (f"{key}: {line.strip()[:160]}" for key in keys if not is_typed(key, line))


def answers_in(text: str) -> Iterator[str]:
    """Every key of an answer that is shown without a word of the file of answers beside it."""
    said = " ".join(text.split())
    for match in ANSWER.finditer(said):
        around = said[max(0, match.start() - BESIDE) : match.end() + BESIDE]
        if not IN_A_FILE.search(around):
            yield f"{match[0]}: {around}"


def is_typed(key: str, line: str) -> bool:
    """Whether the line is a command in which the key is typed."""
    return f"tunewiz explain {key}" in line or f"tunewiz prove switchback {key}" in line


@machines(*machine_names())
def test_no_page_shows_a_key(machine: str) -> None:
    for name, text in pages_of(journey_of(machine)).items():
        assert [f"{name}: {key}" for key in keys_in(text)] == []


def test_neither_help_nor_glossary_shows_a_key() -> None:
    for page in load_pages().pages:
        pairs = (word for pair in (*page.answers, *page.keys) for word in pair)
        assert [*keys_in("\n".join((page.question, page.why, *pairs)))] == []
    assert [*keys_in("\n".join(term.text for term in load_terms()))] == []


@pytest.mark.slow
@pytest.mark.parametrize("machine", demo_names())
def test_no_run_line_by_line_shows_a_key(machine: str, tmp_path: Path) -> None:
    ended = tunewiz("--plain", "--demo", machine, "--out", tmp_path / "bundle", stdin="\n" * 30)
    assert ended.status == 0
    assert [*keys_in(ended.err)] == []


@pytest.mark.parametrize("recommendation", KNOWLEDGE.catalogue, ids=lambda value: value.id)
def test_an_explanation_shows_no_key_but_its_own(recommendation: Recommendation) -> None:
    first, _, rest = explained(recommendation, KNOWLEDGE).partition("\n")
    assert first == f"{recommendation.id}: {recommendation.title}"
    assert [*keys_in(rest)] == []


def test_a_key_is_found_where_there_is_one() -> None:
    shown = "pg.work_mem is set; see memory.total: and decisions.pg; vm.swappiness, kernel.numa_balancing"
    result = [key.partition(":")[0] for key in keys_in(shown)]
    assert result == ["decisions.pg", "pg.work_mem", "memory.total"]
    assert [*keys_in("Say it in the answers: server.storage is hdd. `tunewiz explain pg.work_mem`")] == []
