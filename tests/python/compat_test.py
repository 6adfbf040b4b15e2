"""The calls of SGLang, vLLM and FlashInfer against plain torch, on lengths that are short, negative and too long."""

import sys
import types

import numpy as np
import pytest
import reference
import tamis
from tamis.compat import flashinfer, sglang, vllm

torch = pytest.importorskip("torch")

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS, WIDTH = 6, 1500
LENGTHS = [1500, 0, -3, 7, 1600, 900]
STARTS = [0, 3, 5, 1493, 1, 500]
KS = [1, 77, 512, 2048]


def i32(values):
    return torch.tensor(values, dtype=torch.int32, device=DEVICE)


@pytest.fixture
def scores():
    return torch.from_numpy(tamis.generate("levels", rows=ROWS, width=WIDTH)).to(DEVICE)


def expected(scores, k, lengths=LENGTHS, starts=None, next_n=1):
    return reference.indices(scores.cpu().numpy(), k, lengths, starts, next_n)


def same_sets(got, wanted):
    np.testing.assert_array_equal(reference.by_position(got.cpu().numpy()), reference.by_position(wanted))


def mapped(positions, mapping):
    """mapping(row array, positions) where there is a position, -1 elsewhere."""
    rows = np.arange(len(positions))[:, None]
    return np.where(positions < 0, -1, mapping(rows, np.maximum(positions, 0)))


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("starts", [None, STARTS])
def test_sglang_fast_topk(scores, k, starts):
    row_starts = None if starts is None else i32(starts)
    wanted = expected(scores, k, starts=starts)
    same_sets(sglang.fast_topk_v2(scores, i32(LENGTHS), k, row_starts), wanted)
    offsets = np.arange(ROWS) * 100
    same_sets(
        sglang.fast_topk_transform_ragged_fused(scores, i32(LENGTHS), i32(offsets), k, row_starts),
        mapped(wanted, lambda row, p: p + offsets[row]),
    )
    table = np.random.default_rng(0).permutation(4 * WIDTH).reshape(4, WIDTH).astype(np.int32)
    request = np.array([0, 0, 1, 2, 2, 2])
    same_sets(
        sglang.fast_topk_transform_fused(scores, i32(LENGTHS), i32(table), i32([0, 2, 3, 6]), k, row_starts),
        mapped(wanted, lambda row, p: table[request[row], p]),
    )


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("page_size", [1, 48, 64])
def test_sglang_top_k_v1_and_v2(scores, k, page_size):
    before = scores.clone()
    pages = -(-WIDTH // page_size)
    table = np.random.default_rng(1).permutation(ROWS * pages).reshape(ROWS, pages).astype(np.int32)
    wanted = expected(scores, k)
    slots = mapped(wanted, lambda row, p: table[row, p // page_size] * page_size + p % page_size)
    out, raw = torch.full((2, ROWS, k), 9, dtype=torch.int32, device=DEVICE)
    plan = sglang.plan_topk_v2(i32(LENGTHS))
    assert plan.shape == (ROWS + 1, 2)
    assert sglang.plan_topk_v2(i32(LENGTHS), out=plan) is plan
    sglang.topk_transform_paged(scores, i32(LENGTHS), i32(table), out, page_size, raw)
    same_sets(out, slots)
    same_sets(raw, wanted)
    out.fill_(9)
    sglang.topk_transform_512_v2(scores, i32(LENGTHS), i32(table), out, page_size, plan)
    same_sets(out, slots)
    sglang.topk_transform_paged_v2(scores, i32(LENGTHS), None, out, 1, plan)
    same_sets(out, wanted)
    starts = STARTS
    sglang.topk_transform_ragged_v2(
        scores, i32(LENGTHS), out_offsets=i32(starts), out_indices=out, row_starts=i32(starts)
    )
    same_sets(out, mapped(expected(scores, k, starts=STARTS), lambda row, p: p + np.array(STARTS)[row]))
    assert torch.equal(scores, before)


def test_install_replaces_what_sglang_and_its_users_hold(monkeypatch):
    names = ("fast_topk_v2", "fast_topk_transform_fused", "fast_topk_transform_ragged_fused")
    home, package, user = (types.ModuleType(name) for name in ("sgl_kernel.top_k", "sgl_kernel", "sglang.srt.user"))
    for name in names:
        setattr(home, name, lambda *_: None)
        setattr(package, name, getattr(home, name))
    user.renamed = home.fast_topk_v2
    package.top_k, package.__path__ = home, []
    for module in (home, package, user):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    assert "sglang.srt.user.renamed" in sglang.install()
    assert user.renamed is sglang.fast_topk_v2
    assert package.fast_topk_transform_fused is sglang.fast_topk_transform_fused
    assert sglang.install() == []


def test_install_without_sglang_says_so(monkeypatch):
    for name in ("sgl_kernel", "sglang"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match="neither sglang nor sgl_kernel"):
        sglang.install()


@pytest.mark.parametrize("k", KS)
def test_vllm_decode(scores, k):
    out = torch.full((ROWS, k + 3), 9, dtype=torch.int32, device=DEVICE)
    strides = scores.stride()
    lens = [1500, 2, 40]
    vllm.top_k_per_row_decode(scores, 2, i32(lens), out, ROWS, *strides, k)
    same_sets(out[:, :k], expected(scores, k, lens, next_n=2))
    assert (out[:, k:] == 9).all()
    vllm.top_k_per_row_decode(scores, 2, i32(LENGTHS).reshape(3, 2), out, ROWS, *strides, k)
    same_sets(out[:, :k], expected(scores, k))
    vllm.persistent_topk(scores, i32(LENGTHS), out[:, :k], None, k, 1000)
    same_sets(out[:, :k], expected(scores, k, [min(length, 1000) for length in LENGTHS]))


@pytest.mark.parametrize("k", KS)
def test_vllm_prefill(scores, k):
    out = torch.full((ROWS, k), 9, dtype=torch.int32, device=DEVICE)
    ends = [start + length for start, length in zip(STARTS, LENGTHS, strict=True)]
    vllm.top_k_per_row_prefill(scores, i32(STARTS), i32(ends), out, ROWS - 1, *scores.stride(), k)
    same_sets(out[:-1], expected(scores, k, starts=STARTS)[:-1])
    assert (out[-1] == 9).all()


@pytest.mark.parametrize("k", [1, 77, 1500])
def test_flashinfer_top_k(scores, k):
    wanted = expected(scores, k, [WIDTH] * ROWS)
    values, indices = flashinfer.top_k(scores, k, sorted=True)
    assert indices.dtype == torch.int64
    np.testing.assert_array_equal(indices.cpu().numpy(), wanted)
    torch.testing.assert_close(values, torch.topk(scores, k).values, rtol=0, atol=0)
    _, deterministic = flashinfer.top_k(scores, k, deterministic=True)
    np.testing.assert_array_equal(deterministic.cpu().numpy(), np.sort(wanted, axis=1))


def larger_ties(scores, k, starts):
    """Of equal scores the higher positions, by turning every window round."""
    values = scores.cpu().numpy()
    wanted = np.full((ROWS, k), -1, np.int32)
    for row in range(ROWS):
        start, length = reference.window(row, WIDTH, LENGTHS, starts)
        chosen = length - 1 - reference.best(values[row, start : start + length][::-1], k)
        wanted[row, : len(chosen)] = chosen
    return wanted


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("tie_break", [0, 1, 2])
@pytest.mark.parametrize("starts", [None, STARTS])
def test_flashinfer_transforms(scores, k, tie_break, starts):
    wanted = expected(scores, k, starts=starts) if tie_break < 2 else larger_ties(scores, k, starts)
    row_starts = None if starts is None else i32(starts)
    offsets = np.arange(ROWS) * 100
    same_sets(
        flashinfer.top_k_ragged_transform(
            scores, i32(offsets), i32(LENGTHS), k, tie_break=tie_break, row_starts=row_starts
        ),
        mapped(wanted, lambda row, p: p + offsets[row]),
    )
    page_size = 16
    pages = -(-WIDTH // page_size) + 4
    table = np.random.default_rng(2).permutation(3 * pages).reshape(3, pages).astype(np.int32)
    batch, table_starts = np.array([2, 0, 1, 1, 0, 2]), np.array([0, 1, 2, 3, 0, 1])
    raw = torch.full((ROWS, k), 9, dtype=torch.int32, device=DEVICE)
    slots = flashinfer.top_k_page_table_transform(
        scores, i32(table), i32(LENGTHS), k, row_to_batch=i32(batch), tie_break=tie_break, row_starts=row_starts,
        page_table_row_starts=i32(table_starts), page_size=page_size, out_raw_indices=raw,
    )  # fmt: skip
    same_sets(raw, wanted)

    def through(row, p):
        return table[batch[row], table_starts[row] + p // page_size] * page_size + p % page_size

    same_sets(slots, mapped(wanted, through))


def test_flashinfer_puts_nan_above_infinity_as_torch_does():
    scores = torch.tensor([[1.0, float("nan"), float("inf"), 3.0]], device=DEVICE)
    _, indices = flashinfer.top_k(scores, 2, sorted=True)
    assert indices.tolist() == [[1, 2]]


def test_flashinfer_refuses_what_the_original_refuses():
    with pytest.raises(ValueError, match="tie_break is 3"):
        flashinfer.top_k(torch.zeros((1, 4)), 1, tie_break=3)
    with pytest.raises(ValueError, match="page_table_row_starts is None"):
        flashinfer.top_k_page_table_transform(
            torch.zeros((1, 4)), i32([[0]]), i32([4]), 1, row_starts=i32([0]), page_size=2
        )
