"""What was measured goes with the bundle: as data, as a page, as a picture, and in the review."""

import dataclasses
import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fixtures_golden import Golden
from review_pages import read_html, reviews_of, say_the_same, words_of_markdown
from small_plans import small_answers
from synthetic_proofs import kept, measured_plan, told
from tunewiz.bundle.check import damage_of, read_manifest
from tunewiz.bundle.keepers.keeper_bundle import Texts, kept_files, kept_plan
from tunewiz.bundle.manifest import digest_of, read_checksums
from tunewiz.bundle.render import rendered
from tunewiz.bundle.reopen import all_written_from, proof_in, written_from
from tunewiz.bundle.review.markdown import visible
from tunewiz.bundle.review.proof import proof_page
from tunewiz.bundle.review.proof_pictures import proof_svg
from tunewiz.bundle.write import write_files
from tunewiz.core.planning.plan import Plan
from tunewiz.core.proof.drawn import dots_of, scale_of, steps_of_waterfall
from tunewiz.core.proof.measured_parts import NO_PROOF
from tunewiz.core.proof.named_proof import NamedProof
from tunewiz.core.proof.proof import Omission, Proof
from tunewiz.core.values.errors import InputError
from tunewiz.formats.plan import plan_document
from tunewiz.formats.proof import proof_json
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.knowledge.keepers import load_rulebook

PROOFS = ("synthetic-pairs", "synthetic-ablation")
SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {"svg", "rect", "circle", "text"}
ATTRIBUTES = {
    *("role", "aria-label", "viewBox", "width", "height", "font-family", "font-size"),
    *("x", "y", "cx", "cy", "r", "fill", "stroke"),
}
HOSTILE = "</text><script>alert(1)</script>\x1b[31m\u202e\"'&]]> ![x](javascript:1) | `y`"


def files_of(plan: Plan) -> dict[str, bytes]:
    return dict(rendered(plan, facts_to_json(plan.start.facts), answers_to_toml(small_answers())))


@pytest.mark.parametrize("name", PROOFS)
@pytest.mark.parametrize("file", ["PROOF.md", "PROOF.svg", "REVIEW.md", "REVIEW.html", "manifest.toml"])
def test_what_was_measured_reads_as_it_was_reviewed(name: str, file: str, golden: Golden) -> None:
    golden(f"proof/{name}/{file}", files_of(measured_plan(kept(name)))[file])


@pytest.mark.parametrize("name", PROOFS)
def test_the_bundle_holds_the_proof_and_its_checksums(name: str) -> None:
    files = files_of(measured_plan(kept(name)))
    sums = read_checksums(files["SHA256SUMS"].decode())
    for file in ("PROOF.md", "PROOF.svg", "proof.json"):
        assert sums[file] == digest_of(files[file])
    assert files["proof.json"].decode() == proof_json(kept(name))


def test_a_bundle_without_a_measurement_has_no_page_of_it() -> None:
    files = files_of(measured_plan())
    assert not [name for name in files if "proof" in name.lower()]
    assert "Measured on this server" not in files["REVIEW.md"].decode()
    assert "proof" not in plan_document(measured_plan())


def test_a_written_bundle_gives_its_proof_back_and_a_changed_one_is_refused(tmp_path: Path) -> None:
    proof, directory = kept("synthetic-ablation"), tmp_path / "bundle"
    write_files(files_of(measured_plan(proof)), directory)
    assert damage_of(directory) == ()
    assert proof_in(directory) == proof
    assert written_from(directory)[0] == measured_plan().start.facts
    part = read_manifest(directory / "manifest.toml").proof
    assert part is not None
    assert (part.verdict, part.bundle) == (proof.verdict, proof.bundle.digest)
    (directory / "proof.json").write_text("{}")
    with pytest.raises(InputError, match=r"proof\.json: was changed since"):
        proof_in(directory)


def test_a_bundle_is_reopened_with_its_measurement(tmp_path: Path) -> None:
    proved, plain = tmp_path / "proved", tmp_path / "plain"
    write_files(files_of(measured_plan(kept("synthetic-pairs"))), proved)
    write_files(files_of(measured_plan()), plain)
    named = NamedProof(file=str(proved / "proof.json"), proof=kept("synthetic-pairs"))
    assert all_written_from(proved) == (*written_from(proved), named)
    assert all_written_from(plain) == (*written_from(proved), NO_PROOF)
    (proved / "proof.json").write_text("{}")
    with pytest.raises(InputError, match=r"proof\.json: was changed since"):
        all_written_from(proved)


def test_a_bundle_without_a_proof_gives_none_back(tmp_path: Path) -> None:
    directory = tmp_path / "bundle"
    write_files(files_of(measured_plan()), directory)
    assert proof_in(directory) == NO_PROOF


def test_the_plan_as_json_tells_what_was_measured_before_what_others_say() -> None:
    document = json.loads(files_of(measured_plan(kept("synthetic-ablation")))["plan.json"])
    assert document["proof"]["verdict"] == "same"
    for value in document["recommendations"]:
        first = value["evidence"][0]
        assert (first["source"], first["source_id"]) == ("a measurement on this server", "this-server")
        assert first["fit"] == "like"


@pytest.mark.parametrize("name", PROOFS)
def test_both_reviews_say_the_same_of_a_measurement(name: str) -> None:
    text, page = reviews_of(measured_plan(kept(name)))
    assert say_the_same(read_html(page).words, words_of_markdown(text))
    assert page.count("<svg ") == page.count("</svg>")
    assert kept(name).cannot_tell[0] in text


@pytest.mark.parametrize("name", PROOFS)
def test_the_picture_is_whole_and_inert(name: str) -> None:
    proof = kept(name)
    root = ET.fromstring(proof_svg(proof))  # noqa: S314 - our own picture
    shapes = [entry.tag.removeprefix(SVG) for entry in root.iter()]
    assert {*shapes} <= SHAPES
    assert {name for entry in root.iter() for name in entry.attrib} <= ATTRIBUTES
    assert shapes.count("circle") == len(dots_of(proof)) + 1
    assert not re.search(r"url\(|href|style=|script", proof_svg(proof))


def test_a_dot_is_farther_to_the_right_the_higher_its_ratio() -> None:
    proof = kept("synthetic-pairs")
    root = ET.fromstring(proof_svg(proof))  # noqa: S314 - as above
    across = [float(entry.attrib["cx"]) for entry in root.iter(f"{SVG}circle")]
    ratios = [*(dot.ratio for dot in dots_of(proof)), proof.metrics["throughput"].ratio]
    ranked = sorted(zip(ratios, across, strict=True))
    assert [place for _, place in ranked] == sorted(across)


def test_a_waterfall_begins_where_nothing_is_changed_and_each_part_where_the_last_one_ended() -> None:
    steps = steps_of_waterfall(kept("synthetic-ablation"))
    assert steps[0].start == 1
    assert [step.start for step in steps[1:]] == [step.end for step in steps[:-1]]


@given(st.lists(st.floats(0.01, 100), max_size=20))
def test_a_scale_holds_all_its_ratios_and_no_difference(ratios: list[float]) -> None:
    scale = scale_of(ratios)
    assert all(-1e-9 <= scale.place(number) <= 1 + 1e-9 for number in (1.0, *ratios))


def hostile(proof: Proof) -> Proof:
    groups = tuple(dataclasses.replace(group_result, name=HOSTILE) for group_result in proof.groups)
    host = dataclasses.replace(proof.host, name=HOSTILE)
    left_out = (Omission(what=HOSTILE, why=HOSTILE),)
    return dataclasses.replace(proof, host=host, groups=groups, left_out=left_out, cannot_tell=(HOSTILE,))


def test_hostile_names_in_a_proof_stay_text() -> None:
    plan = measured_plan(hostile(kept("synthetic-ablation")))
    text, page = reviews_of(plan)
    read = read_html(page)
    assert "script" not in read.tags
    assert say_the_same(read.words, words_of_markdown(text))
    files = files_of(plan)
    ET.fromstring(files["PROOF.svg"].decode())  # noqa: S314 - as above
    for shown in (page, text, files["PROOF.md"].decode(), files["PROOF.svg"].decode()):
        assert "\x1b" not in shown
        assert "\u202e" not in shown
    assert "<script" not in page_of(files["PROOF.md"].decode())
    assert visible(HOSTILE) in "".join(read.every_text)


def page_of(text: str) -> str:
    return str(MarkdownIt("commonmark").enable("table").render(text))


def test_a_measurement_that_ended_early_is_told_without_figures() -> None:
    proof = dataclasses.replace(told(measured_plan(), "undecided"), metrics={}, groups=())
    files = files_of(measured_plan(proof))
    assert "PROOF.svg" not in files
    assert "**Measured on this server**: throughput: undecided" in files["REVIEW.md"].decode()
    assert list(proof_page(proof))


def test_a_bundle_for_a_keeper_carries_the_proof_too() -> None:
    plan = measured_plan(kept("synthetic-pairs"))
    texts = Texts(facts_json=facts_to_json(plan.start.facts), answers_toml=answers_to_toml(small_answers()))
    files = kept_files(plan, kept_plan(plan, "autobase", load_rulebook("autobase")), texts)
    assert {"PROOF.md", "PROOF.svg", "proof.json"} <= files.keys()
    assert "**Measured on this server**: +11 % faster" in files["REVIEW.md"].decode()
