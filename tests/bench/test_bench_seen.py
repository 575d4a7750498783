"""What the wizard sees of a measurement: read from its files, which stay as they are."""

import dataclasses
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

import pytest

from bench_seen_cases import proof_after, run_of, so_far
from fixtures_attacks import ONLY_ROOT_HAS_RIGHTS_TO_LOSE
from small_plans import small_answers, small_facts, small_plan
from tunewiz.bench.locks import locked
from tunewiz.bench.progress import ProgressFile
from tunewiz.bench.run import Partial, RunDirectory, put, write_record
from tunewiz.bench.runner import DONE, ENDED_EARLY, NOT_RESTORED
from tunewiz.bench.seen import look_for
from tunewiz.bundle.manifest import SUMS, digest_of
from tunewiz.bundle.write import write_bundle
from tunewiz.core.proof.bench_seen import (
    CannotMeasure,
    Finished,
    NotBegun,
    NotPutBack,
    OtherUnderWay,
    PutBack,
    SoFar,
    UnderWay,
)
from tunewiz.core.proof.looks import FIRST
from tunewiz.core.proof.proof import Proof, ProofBundle
from tunewiz.formats.proof import proof_json
from tunewiz.formats.records import answers_to_toml, facts_to_json


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    facts, answers = small_facts(), small_answers()
    written = tmp_path / "bundle"
    write_bundle(small_plan(facts), written, facts_to_json(facts), answers_to_toml(answers))
    return written


@pytest.fixture
def environ(tmp_path: Path) -> Mapping[str, str]:
    return {"TUNEWIZ_STATE_DIR": str(tmp_path / "state")}


@pytest.fixture
def place(tmp_path: Path) -> RunDirectory:
    run_directory = RunDirectory(tmp_path / "state" / "prove")
    run_directory.directory.mkdir(parents=True)
    return run_directory


def digest(bundle: Path) -> str:
    return digest_of((bundle / SUMS).read_bytes())


def proof_of(bundle: Path) -> Proof:
    return dataclasses.replace(
        proof_after(so_far(FIRST)), bundle=ProofBundle(digest=digest(bundle), changes=())
    )


def test_without_records_it_says_what_measuring_takes(bundle: Path, environ: Mapping[str, str]) -> None:
    state = look_for(str(bundle), environ)
    assert isinstance(state, NotBegun)
    assert state.unseen == ""
    assert state.outlook.directory == str(bundle)
    assert state.outlook.changes > 0
    assert not Path(environ["TUNEWIZ_STATE_DIR"]).exists(), "looking makes nothing"


def test_what_is_no_bundle_cannot_be_measured(tmp_path: Path, environ: Mapping[str, str]) -> None:
    state = look_for(str(tmp_path / "facts.json"), environ)
    assert isinstance(state, CannotMeasure)
    assert "not a bundle" in state.why


def test_a_changed_bundle_cannot_be_measured(bundle: Path, environ: Mapping[str, str]) -> None:
    (bundle / "plan.json").write_text("{}")
    assert isinstance(look_for(str(bundle), environ), CannotMeasure)


def test_a_run_under_way_is_seen_with_its_pairs_and_its_question(
    bundle: Path, environ: Mapping[str, str], place: RunDirectory
) -> None:
    write_record(place.run, run_of(digest(bundle)))
    write_record(place.partial, Partial(same_pairs=so_far().same_pairs, arm_seconds=3.0))
    progress = ProgressFile(place.progress)
    progress.tell("A/A pair 3 of 3, run 2 of 2")
    progress.ask("This server can reveal a difference of 3 %.")
    with locked(place.locks[0]):
        state = look_for(str(bundle), environ)
        assert isinstance(state, UnderWay)
        assert state.so_far.same_pairs == so_far().same_pairs
        assert state.doing == "A/A pair 3 of 3, run 2 of 2"
        assert "3 %" in state.question
        put(place.answer, "yes\n")
        answered = look_for(str(bundle), environ)
        assert isinstance(answered, UnderWay)
        assert answered.question == ""


def test_another_bundles_run_is_named_only_while_it_runs(
    bundle: Path, environ: Mapping[str, str], place: RunDirectory
) -> None:
    write_record(place.run, run_of("another"))
    with locked(place.locks[1]):
        assert isinstance(look_for(str(bundle), environ), OtherUnderWay)
    assert isinstance(look_for(str(bundle), environ), NotBegun)


def test_each_end_is_told_apart(bundle: Path, environ: Mapping[str, str], place: RunDirectory) -> None:
    write_record(place.run, run_of(digest(bundle)))
    gone = look_for(str(bundle), environ)
    assert isinstance(gone, NotPutBack)
    assert "its processes are gone" in gone.why[0]
    put(place.status, f"{ENDED_EARLY}\nsomeone asked to stop\n")
    assert look_for(str(bundle), environ) == PutBack(
        directory=str(bundle), so_far=_nothing(), why="someone asked to stop"
    )
    put(place.status, f"{NOT_RESTORED}\nkilled\nthe server is down\n")
    assert look_for(str(bundle), environ) == NotPutBack(
        directory=str(bundle), why=("killed", "the server is down")
    )
    put(place.status, f"{DONE}\n\n")
    put(place.proof, proof_json(proof_of(bundle)))
    done = look_for(str(bundle), environ)
    assert isinstance(done, Finished)
    assert done.unshown


def _nothing() -> SoFar:
    return dataclasses.replace(so_far(same=0), same_pairs=(), arm_seconds=0.0)


def test_a_result_beside_the_bundle_is_found_again_if_it_is_of_this_bundle(
    bundle: Path, environ: Mapping[str, str]
) -> None:
    beside = bundle.with_name("bundle-proof.json")
    beside.write_text(proof_json(proof_after(so_far(FIRST))))
    assert isinstance(look_for(str(bundle), environ), NotBegun)
    beside.write_text(proof_json(proof_of(bundle)))
    state = look_for(str(bundle), environ)
    assert isinstance(state, Finished)
    assert not state.unshown


@pytest.mark.parametrize("file", ["run", "partial", "status", "proof"])
def test_a_file_that_is_being_written_is_no_fault(
    bundle: Path, environ: Mapping[str, str], place: RunDirectory, file: str
) -> None:
    write_record(place.run, run_of(digest(bundle)))
    put(place.status, f"{DONE}\n\n")
    put(place.proof, proof_json(proof_of(bundle)))
    (place.directory / f"{file}.json" if file in ("run", "partial", "proof") else place.status).write_text("")
    look_for(str(bundle), environ)


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A directory that everybody can enter: pytest's own are root's alone."""
    with TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        yield Path(made)


@ONLY_ROOT_HAS_RIGHTS_TO_LOSE
def test_records_of_root_are_said_to_be_unreadable(bundle: Path, open_place: Path) -> None:
    read = copytree(bundle, open_place / "bundle")
    (open_place / "state" / "prove").mkdir(parents=True)
    (open_place / "state").chmod(0o700)
    os.seteuid(65_534)
    try:
        state = look_for(str(read), {"TUNEWIZ_STATE_DIR": str(open_place / "state")})
    finally:
        os.seteuid(0)
    assert isinstance(state, NotBegun)
    assert "Start the wizard with sudo" in state.unseen
