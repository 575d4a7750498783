"""A measurement for reviewers: the whole PROOF.md, and its section in REVIEW.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tunewiz.bundle.review.blocks import (
    Block,
    CodeText,
    Line,
    Paragraph,
    ProofPicture,
    Strong,
    TableBlock,
    heading,
    line,
    listed,
    names,
)
from tunewiz.bundle.review.markdown import markdown
from tunewiz.bundle.review.proof_pictures import proof_svg
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.proved import how_measured
from tunewiz.core.proof.drawn import dots_of
from tunewiz.core.proof.figures import metrics_in_order, ratio_in_words
from tunewiz.core.proof.metrics import METRICS
from tunewiz.core.proof.proof import Proof
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.proof import (
    host_in_words,
    percent,
    result_in_words,
    seconds_in_words,
    server_in_words,
    verdict_in_words,
    where_measured,
    workload_in_words,
)
from tunewiz.formats.proof import proof_json

PROOF, PICTURE, DATA = "PROOF.md", "PROOF.svg", "proof.json"


def proof_files(plan: Plan) -> Mapping[str, bytes]:
    """proof.json, PROOF.md and its picture; nothing if nothing was measured."""
    proof = plan.start.proof
    if not isinstance(proof, Proof):
        return {}
    picture = proof_svg(proof)
    return {
        DATA: proof_json(proof).encode(),
        PROOF: markdown(proof_page(proof)).encode(),
        **({PICTURE: picture.encode()} if picture else {}),
    }


def in_one_line(proof: Proof) -> Line:
    """The result for page one."""
    text = f": {result_in_words(proof)} ({how_measured(proof)}; "
    return line(Strong(f"Measured on {where_measured(proof)}"), text, CodeText(PROOF), ").")


def in_review(proof: Proof) -> Iterator[Block]:
    """The section of the review."""
    yield heading(2, f"What was measured on {where_measured(proof)}")
    yield Paragraph((in_one_line(proof), *map(line, proof.cannot_tell)))
    yield from _metrics(proof)
    yield from _parts(proof, level=3)
    if proof_svg(proof):
        yield ProofPicture(proof, PICTURE)


def proof_page(proof: Proof) -> Iterator[Block]:
    """All of PROOF.md."""
    yield heading(1, f"What was measured on {proof.host.name or 'this host'}")
    yield Paragraph((in_one_line(proof), *_circumstances(proof)))
    if proof_svg(proof):
        yield ProofPicture(proof, PICTURE)
    yield from _metrics(proof)
    yield from _parts(proof, level=2)
    yield from _comparisons(proof)
    yield from _changes(proof)
    yield from _queries(proof)
    yield from _limits(proof)


def _circumstances(proof: Proof) -> Iterator[Line]:
    yield line(f"Server: {server_in_words(proof)}; host: {host_in_words(proof)}.")
    yield line(f"Workload: {workload_in_words(proof)}.")
    if proof.same_pairs:
        yield line(f"{_resolution(proof)}, by {how_many(len(proof.same_pairs), 'A/A pair')}.")
    looks = ", ".join(f"{entry.pairs} pairs ({entry.verdict})" for entry in proof.looks)
    if looks:
        yield line(f"Results were judged only at the planned looks: after {looks}.")
    yield line(
        f"It took {seconds_in_words(proof.seconds)}",
        f"; it ended {proof.finished}" * bool(proof.finished),
        ".",
    )
    if proof.bundle.digest:
        yield line(
            "Bundle that was measured (SHA-256 of its SHA256SUMS): ", CodeText(proof.bundle.digest), "."
        )


def _resolution(proof: Proof) -> str:
    if proof.can_show is None:
        return "The smallest detectable difference on this server is unknown"
    return f"The smallest detectable difference on this server with so many runs: {percent(proof.can_show)}"


def _metrics(proof: Proof) -> Iterator[Block]:
    """A ratio is after divided by before."""
    if proof.metrics:
        head = ("metric", "after divided by before", "result", "better", "what it is")
        yield TableBlock(head, tuple(_metric_rows(proof)))


def _metric_rows(proof: Proof) -> Iterator[tuple[Line, ...]]:
    for name, result in metrics_in_order(proof):
        metric = METRICS[name]
        title = line(Strong(metric.title) if name == proof.primary else metric.title)
        verdict = verdict_in_words(result.verdict, result.within)
        yield title, line(ratio_in_words(result)), line(verdict), line(metric.better), line(metric.about)


def _parts(proof: Proof, *, level: int) -> Iterator[Block]:
    if not proof.groups:
        return
    yield heading(level, f"What each part contributes to {METRICS[proof.primary].title}")
    rows = (
        (
            line(group_result.name),
            line(ratio_in_words(group_result)),
            line(group_result.verdict),
            names(*group_result.ids),
        )
        for group_result in proof.groups
    )
    yield TableBlock(
        ("part", "with it divided by without it", "result", "changes, measured together"), tuple(rows)
    )


def _comparisons(proof: Proof) -> Iterator[Block]:
    if not (dots := dots_of(proof)):
        return
    metric = METRICS[proof.primary]
    yield heading(2, f"Each comparison: {metric.title} ({metric.unit})")
    rows = (
        (line(dot.label), line(f"{dot.before:,.6g}"), line(f"{dot.after:,.6g}"), line(f"{dot.ratio:.3f}"))
        for dot in dots
    )
    yield TableBlock(("", "before", "after", "ratio"), tuple(rows))


def _changes(proof: Proof) -> Iterator[Block]:
    if not proof.bundle.changes:
        return
    yield heading(2, "What was switched on and off")
    rows = (
        (line(CodeText(change.id)), line(CodeText(change.before)), line(CodeText(change.value)))
        for change in proof.bundle.changes
    )
    yield TableBlock(("change", "before", "after"), tuple(rows))


def _queries(proof: Proof) -> Iterator[Block]:
    if not proof.queries:
        return
    yield heading(2, "Queries")
    rows = (
        (line(CodeText(query.query)), line(f"{query.ratio:.2f}"), line(f"{100 * query.share:.1f} %"))
        for query in proof.queries
    )
    yield TableBlock(("query", "mean time after divided by before", "of the time before"), tuple(rows))


def _limits(proof: Proof) -> Iterator[Block]:
    if not (proof.left_out or proof.cannot_tell):
        return
    yield heading(2, "What this does not say")
    left_out = (line(Strong("Left out"), f": {omission.what}: {omission.why}") for omission in proof.left_out)
    yield from listed(*map(line, proof.cannot_tell), *left_out)
