"""The calls of SGLang, vLLM and FlashInfer against plain torch on the CPU, which sorts every window: on lengths that
are short, negative and too long, and on arguments that cannot be used."""

import inspect
import sys
import types

import pytest
import tamis
from tamis.compat import flashinfer, sglang, vllm

torch = pytest.importorskip("torch")

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS, WIDTH = 6, 1500
LENGTHS = [1500, 0, -3, 7, 1600, 900]
STARTS = [0, 3, 5, 1493, 1, 500]
KS = [1, 77, 512, 2048]
NONE = torch.iinfo(torch.int32).max


def i32(values):
    return torch.as_tensor(values, dtype=torch.int32, device=DEVICE)


def shuffled(rows, columns, seed=0):
    """Page numbers, each once."""
    order = torch.randperm(rows * columns, generator=torch.Generator().manual_seed(seed))
    return order.reshape(rows, columns).int()


@pytest.fixture
def scores():
    return torch.from_numpy(tamis.generate("levels", rows=ROWS, width=WIDTH)).to(DEVICE)


def window_of(row, lengths, starts, next_n):
    start = starts[row] if starts else 0
    length = lengths[row // next_n] - next_n + row % next_n + 1
    return start, min(max(length, 0), WIDTH - start)


def best_of(window, k, larger):
    """Positions of the k best, best first; of equal scores the lower positions first, or the higher ones."""
    window = window.flip(0) if larger else window
    best = torch.sort(window, descending=True, stable=True).indices[:k]
    return len(window) - 1 - best if larger else best


def expected(scores, k, lengths=LENGTHS, starts=None, next_n=1, larger=False):
    """[rows, k] positions best first, then -1."""
    result = torch.full((ROWS, k), -1, dtype=torch.int32)
    for row in range(ROWS):
        start, length = window_of(row, lengths, starts, next_n)
        chosen = best_of(scores[row, start : start + length].cpu(), k, larger)
        result[row, : len(chosen)] = chosen
    return result


def ascending(positions):
    """The same sets, lowest first, -1 last."""
    positions = positions.cpu().int()
    return positions.masked_fill(positions < 0, NONE).sort(dim=1).values


def same_sets(got, wanted):
    assert torch.equal(ascending(got), ascending(wanted))


def mapped(positions, mapping):
    """mapping(column of rows, positions) where there is a position, -1 elsewhere."""
    rows = torch.arange(len(positions)).unsqueeze(1)
    return mapping(rows, positions.clamp(min=0).long()).int().masked_fill(positions < 0, -1)


# As the wheels of sglang 0.5.23, sglang-kernel 0.4.10, vllm 0.33.0 and flashinfer-python 0.7.4 have them.
SIGNATURES = {
    sglang.fast_topk_v2: "(score, lengths, topk, row_starts=None)",
    sglang.fast_topk_transform_fused: "(score, lengths, page_table_size_1, cu_seqlens_q, topk, row_starts=None)",
    sglang.fast_topk_transform_ragged_fused: "(score, lengths, topk_indices_offset, topk, row_starts=None)",
    sglang.plan_topk_v2: "(seq_lens, static_threshold=-1, *, out=None)",
    sglang.topk_v2_plan_is_written: "(seq_lens)",
    sglang.topk_transform_paged: "(scores, seq_lens, page_tables, out_page_indices, page_size, out_raw_indices=None)",
    sglang.topk_transform_paged_v2: (
        "(scores, seq_lens, page_tables, out_page_indices, page_size, metadata, out_raw_indices=None)"
    ),
    sglang.topk_transform_ragged_v2: "(scores, seq_lens, *, out_offsets, out_indices, row_starts=None)",
    vllm.top_k_per_row_decode: (
        "(logits, next_n, seq_lens, raw_topk_indices, num_rows, stride0, stride1, topk_tokens)"
    ),
    vllm.top_k_per_row_prefill: (
        "(logits, cu_seqlen_ks, cu_seqlen_ke, raw_topk_indices, num_rows, stride0, stride1, topk_tokens)"
    ),
    vllm.persistent_topk: "(logits, lengths, output, workspace, k, max_seq_len)",
    flashinfer.top_k: "(input, k, sorted=False, deterministic=False, tie_break=0, dsa_graph_safe=False)",
    flashinfer.top_k_page_table_transform: (
        "(input, src_page_table, lengths, k, row_to_batch=None, deterministic=False, tie_break=0, "
        "dsa_graph_safe=False, row_starts=None, page_table_row_starts=None, *, page_size=1, out=None, "
        "out_raw_indices=None)"
    ),
    flashinfer.top_k_ragged_transform: (
        "(input, offsets, lengths, k, deterministic=False, tie_break=0, dsa_graph_safe=False, row_starts=None)"
    ),
}


@pytest.mark.parametrize("function", SIGNATURES, ids=lambda function: function.__name__)
def test_names_arguments_and_defaults_are_the_originals(function):
    signature = inspect.signature(function)
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    assert str(inspect.Signature(bare)) == SIGNATURES[function]


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("starts", [None, STARTS])
def test_sglang_fast_topk(scores, k, starts):
    row_starts = None if starts is None else i32(starts)
    wanted = expected(scores, k, starts=starts)
    same_sets(sglang.fast_topk_v2(scores, i32(LENGTHS), k, row_starts), wanted)
    offsets = torch.arange(ROWS) * 100
    same_sets(
        sglang.fast_topk_transform_ragged_fused(scores, i32(LENGTHS), i32(offsets), k, row_starts),
        mapped(wanted, lambda row, p: p + offsets[row]),
    )
    table, request = shuffled(4, WIDTH), torch.tensor([0, 0, 1, 2, 2, 2])
    same_sets(
        sglang.fast_topk_transform_fused(scores, i32(LENGTHS), i32(table), i32([0, 2, 3, 6]), k, row_starts),
        mapped(wanted, lambda row, p: table[request[row], p]),
    )


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("page_size", [1, 48, 64])
def test_sglang_top_k_v1_and_v2(scores, k, page_size):
    before = scores.clone()
    pages = -(-WIDTH // page_size)
    table = shuffled(ROWS, pages)
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
    same_sets(out, mapped(expected(scores, k, starts=STARTS), lambda row, p: p + torch.tensor(STARTS)[row]))
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
    here = [name for name in sys.modules if name.partition(".")[0] in ("sgl_kernel", "sglang")]
    for name in (*here, "sgl_kernel", "sglang"):
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
    assert torch.equal(indices.cpu().int(), wanted)
    torch.testing.assert_close(values, torch.topk(scores, k).values, rtol=0, atol=0)
    _, deterministic = flashinfer.top_k(scores, k, deterministic=True)
    assert torch.equal(deterministic.cpu().int(), wanted.sort(dim=1).values)
    _, larger = flashinfer.top_k(scores, k, tie_break=2)
    same_sets(larger, expected(scores, k, [WIDTH] * ROWS, larger=True))


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("tie_break", [0, 1, 2])
@pytest.mark.parametrize("starts", [None, STARTS])
def test_flashinfer_transforms(scores, k, tie_break, starts):
    wanted = expected(scores, k, starts=starts, larger=tie_break == 2)
    row_starts = None if starts is None else i32(starts)
    offsets = torch.arange(ROWS) * 100
    same_sets(
        flashinfer.top_k_ragged_transform(
            scores, i32(offsets), i32(LENGTHS), k, tie_break=tie_break, row_starts=row_starts
        ),
        mapped(wanted, lambda row, p: p + offsets[row]),
    )
    page_size = 16
    pages = -(-WIDTH // page_size) + 4
    table = shuffled(3, pages)
    batch, table_starts = torch.tensor([2, 0, 1, 1, 0, 2]), torch.tensor([0, 1, 2, 3, 0, 1])
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


def test_vllm_reads_logits_that_are_laid_out_across(scores):
    out = torch.full((ROWS, 77), 9, dtype=torch.int32, device=DEVICE)
    across = scores.T.contiguous().T
    vllm.top_k_per_row_decode(across, 1, i32(LENGTHS), out, ROWS, *across.stride(), 77)
    same_sets(out, expected(scores, 77))


def test_tables_and_batches_that_are_not_there_give_minus_one(scores):
    for tie_break in (0, 2):
        slots = flashinfer.top_k_page_table_transform(
            scores, i32([[5]]), i32([9] * ROWS), 2, row_to_batch=i32([0, 1, -1, 99, 0, 0]), tie_break=tie_break
        )
        assert (slots[1:4] == -1).all()


K = 5
WRONG = {
    "no page table": (lambda s, o: sglang.topk_transform_paged(s, i32(LENGTHS), None, o, 64), "page_tables is None"),
    "an output of one dimension": (
        lambda s, o: sglang.topk_transform_paged(s, i32(LENGTHS), i32([[0]]), o[0], 64),
        r"out_page_indices has shape \(5,\)",
    ),
    "the same output twice": (
        lambda s, o: sglang.topk_transform_paged(s, i32(LENGTHS), i32([[0]] * ROWS), o, 64, o),
        "indices and slots are the same memory",
    ),
    "no offsets": (
        lambda s, o: sglang.fast_topk_transform_ragged_fused(s, i32(LENGTHS), None, K),
        "topk_indices_offset is None",
    ),
    "no offsets for v2": (
        lambda s, o: sglang.topk_transform_ragged_v2(s, i32(LENGTHS), out_offsets=None, out_indices=o),
        "out_offsets is None",
    ),
    "counts that are a list": (
        lambda s, o: sglang.fast_topk_transform_fused(s, i32(LENGTHS), i32([[0]]), [0, ROWS], K),
        r"cu_seqlens_q is \[0, 6\]",
    ),
    "lengths of int64": (lambda s, o: sglang.fast_topk_v2(s, i32(LENGTHS).long(), K), "lengths is int64"),
    "k of zero": (lambda s, o: sglang.fast_topk_v2(s, i32(LENGTHS), 0), "k is 0"),
    "more rows than logits": (
        lambda s, o: vllm.top_k_per_row_decode(s, 1, i32(LENGTHS), o, 99, *s.stride(), K),
        "num_rows is 99; it must be 0 .. 6",
    ),
    "rows below zero": (
        lambda s, o: vllm.top_k_per_row_decode(s, 1, i32(LENGTHS), o, -1, *s.stride(), K),
        "num_rows is -1",
    ),
    "next_n of zero": (
        lambda s, o: vllm.top_k_per_row_decode(s, 0, i32(LENGTHS), o, ROWS, *s.stride(), K),
        "next_n is 0",
    ),
    "too narrow an output": (
        lambda s, o: vllm.top_k_per_row_decode(s, 1, i32(LENGTHS), o[:, :4], ROWS, *s.stride(), K),
        "indices has shape",
    ),
    "a longest length below zero": (
        lambda s, o: vllm.persistent_topk(s, i32(LENGTHS), o, None, K, -1),
        "max_seq_len is -1",
    ),
    "starts that are too few": (
        lambda s, o: vllm.top_k_per_row_prefill(s, i32([0]), i32([9]), o, ROWS, *s.stride(), K),
        "lengths has shape",
    ),
    "an unknown tie break": (lambda s, o: flashinfer.top_k(s, K, tie_break=3), "tie_break is 3; it must be 0, 1 or 2"),
    "scores of one dimension": (lambda s, o: flashinfer.top_k(s[0], K, tie_break=2), "scores has shape"),
    "row starts without table starts": (
        lambda s, o: flashinfer.top_k_page_table_transform(
            s, i32([[0]] * ROWS), i32(LENGTHS), K, row_starts=i32(STARTS), page_size=2
        ),
        "page_table_row_starts is None",
    ),
    "too small a table": (
        lambda s, o: flashinfer.top_k_page_table_transform(s, i32([[0]]), i32(LENGTHS), K, tie_break=2, out=o),
        "page_table has 1 rows and neither",
    ),
    "pages of zero": (
        lambda s, o: flashinfer.top_k_page_table_transform(
            s, i32([[0]] * ROWS), i32(LENGTHS), K, tie_break=2, page_size=0, out=o
        ),
        "page_size is 0",
    ),
    "no lengths": (lambda s, o: flashinfer.top_k_ragged_transform(s, i32(LENGTHS), None, K), "lengths is None"),
}


@pytest.mark.parametrize("name", WRONG)
def test_is_refused_by_name_and_writes_nothing(scores, name):
    call, message = WRONG[name]
    out = torch.full((ROWS, K), 9, dtype=torch.int32, device=DEVICE)
    with pytest.raises((tamis.InvalidArgument, TypeError), match=message):
        call(scores, out)
    assert (out == 9).all()
