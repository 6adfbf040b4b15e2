"""select gives what sorting gives, on every framework, and in the caller's framework."""

import numpy as np
import pytest
import reference
import tamis
from hypothesis import given, settings
from hypothesis import strategies as st


def test_selects_the_best_in_order_and_in_the_callers_framework(make, scores):
    given_scores = make.array(scores)
    chosen = tamis.select(given_scores, k=100, order="by_score", outputs=("indices", "scores", "counts"))
    assert type(chosen.indices) is type(given_scores)
    expected = reference.indices(scores, 100)
    np.testing.assert_array_equal(make.numpy(chosen.indices), expected)
    np.testing.assert_array_equal(make.numpy(chosen.scores), np.take_along_axis(scores, expected, 1))
    np.testing.assert_array_equal(make.numpy(chosen.counts), [100] * 5)
    assert chosen.slots is None


def test_lengths_starts_next_n_and_divisor_bound_the_window(make, scores):
    lengths = np.array([5000, -1, 17], np.int32)
    starts = np.array([0, 2990, 3001, 5, 0], np.int32)
    chosen = tamis.select(
        make.array(scores), make.array(lengths), k=16, starts=make.array(starts), next_n=2, divisor=4, order="by_score"
    )
    expected = reference.indices(scores, 16, lengths, starts, next_n=2, divisor=4)
    np.testing.assert_array_equal(make.numpy(chosen.indices), expected)


def test_slots_follow_through_a_page_table(make, scores):
    rng = np.random.default_rng(0)
    table = rng.permutation(2 * 47).astype(np.int32).reshape(2, 47)
    cu_rows = np.array([0, 2, 5], np.int32)
    chosen = tamis.select(
        make.array(scores), k=64, order="by_score", page_table=make.array(table), page_size=64,
        cu_rows=make.array(cu_rows), outputs=("indices", "slots"), slot_dtype="int32",
    )  # fmt: skip
    positions = reference.indices(scores, 64)
    table_of_row = np.array([0, 0, 1, 1, 1])
    expected = table[table_of_row[:, None], positions // 64] * 64 + positions % 64
    np.testing.assert_array_equal(make.numpy(chosen.indices), positions)
    np.testing.assert_array_equal(make.numpy(chosen.slots), expected)


def test_slots_are_positions_plus_offsets(make, scores):
    offsets = np.arange(5, dtype=np.int32) * 1000
    chosen = tamis.select(make.array(scores), k=8, order="by_index", offsets=make.array(offsets))
    expected = reference.by_position(reference.indices(scores, 8)) + offsets[:, None]
    assert chosen.indices is None
    np.testing.assert_array_equal(make.numpy(chosen.slots), expected)


def test_writes_into_what_is_given_and_nothing_between_rows(make, scores):
    if not make.mutable:
        pytest.skip("JAX's arrays do not change")
    buffer = make.array(np.full((5, 40), -7, np.int32))
    given_scores = make.array(scores)
    plan = tamis.plan(5, 3000, 32, order="by_index", device=device_of(make))
    workspace = make.array(np.zeros(plan.workspace_bytes + 1, np.uint8))
    chosen = tamis.select(given_scores, plan=plan, out=buffer[:, :32], workspace=workspace)
    written = make.numpy(buffer)
    np.testing.assert_array_equal(written[:, :32], reference.by_position(reference.indices(scores, 32)))
    assert (written[:, 32:] == -7).all()
    assert chosen.indices.shape == (5, 32)


def device_of(make):
    return "cuda" if make.name in ("torch-cuda", "cupy") else "cpu"


def test_rows_may_lie_apart_repeat_and_begin_anywhere(make):
    if not make.mutable:
        pytest.skip("JAX has no views")
    wide = tamis.generate("normal", rows=6, width=1001)
    view = make.array(wide)[1::2, 1:]
    chosen = tamis.select(view, k=50, order="by_score")
    np.testing.assert_array_equal(make.numpy(chosen.indices), reference.indices(wide[1::2, 1:], 50))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_scores(dtype):
    torch = pytest.importorskip("torch")
    kind = getattr(torch, dtype)
    scores = tamis.generate("normal", out=torch.empty((3, 2000), dtype=kind))
    chosen = tamis.select(scores, k=300, order="by_score", outputs=("indices", "scores"))
    assert chosen.scores.dtype == kind
    expected = reference.indices(scores.float().numpy(), 300)
    np.testing.assert_array_equal(chosen.indices.numpy(), expected)
    assert (chosen.scores.float().numpy() == np.take_along_axis(scores.float().numpy(), expected, 1)).all()


def test_results_are_there_when_the_framework_reads_them(make):
    scores = tamis.generate("normal", rows=64, width=60000)
    given_scores = make.array(scores)
    for _ in range(5):
        chosen = tamis.select(given_scores, k=2000, order="by_score", outputs=("indices", "counts"))
        assert tamis.verify(scores, make.numpy(chosen.indices), k=2000, order="by_score").exact
        assert (make.numpy(chosen.counts) == 2000).all()


def test_arrays_that_do_not_change_are_no_outputs(make, scores):
    if make.mutable:
        pytest.skip("JAX's arrays alone do not change")
    given_scores = make.array(scores)
    with pytest.raises(tamis.InvalidArgument, match="out is given"):
        tamis.select(given_scores, k=4, out=make.array(np.zeros((5, 4), np.int32)))
    with pytest.raises(tamis.InvalidArgument, match="like is a"):
        tamis.new_faults(given_scores)


def test_faults_are_counted_by_kind(make, scores):
    if not make.mutable:
        pytest.skip("JAX's arrays do not change")
    faults = tamis.new_faults(make.array(scores))
    lengths = make.array(np.array([3001, 3000, 4000, 1, 0], np.int32))
    tamis.select(make.array(scores), lengths, k=4, faults=faults)
    counted = tamis.read_faults(faults)
    assert counted["length"] == tamis.Fault(2, 0)
    assert counted["start"] == tamis.Fault(0, None)


def test_threads_select_the_same(scores):
    threads = tamis.Threads(3)
    alone = tamis.select(scores, k=70, order="by_index").indices
    np.testing.assert_array_equal(tamis.select(scores, k=70, order="by_index", stream=threads).indices, alone)


def test_the_emulated_gpu_selects_the_same(scores):
    plan = tamis.plan(5, 3000, 70, order="by_index", device="emulated")
    try:
        chosen = tamis.select(scores, plan=plan)
    except tamis.NoDevice as reason:
        pytest.skip(str(reason))
    np.testing.assert_array_equal(chosen.indices, reference.by_position(reference.indices(scores, 70)))


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_small_problem_is_selected_exactly(data):
    rows = data.draw(st.integers(0, 4))
    width = data.draw(st.integers(0, 60))
    k = data.draw(st.integers(1, 70))
    levels = st.sampled_from([0.0, -0.0, 1.0, 2.0, float("inf"), float("-inf"), float("nan"), 1e-40])
    values = data.draw(st.lists(levels, min_size=rows * width, max_size=rows * width))
    scores = np.array(values, np.float32).reshape(rows, width)
    edge = st.integers(-2, 64)
    lengths = np.array(data.draw(st.lists(edge, min_size=rows, max_size=rows)), np.int32)
    starts = np.array(data.draw(st.lists(edge, min_size=rows, max_size=rows)), np.int32)
    nan = data.draw(st.sampled_from(["lowest", "highest"]))
    chosen = tamis.select(scores, lengths, k=k, starts=starts, nan=nan, order="by_score")
    np.testing.assert_array_equal(chosen.indices, reference.indices(scores, k, lengths, starts, nan=nan))
