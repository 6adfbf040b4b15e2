"""torch: the operator, torch.compile, and, where there is a GPU, streams and graphs."""

import numpy as np
import pytest
import reference
import tamis

torch = pytest.importorskip("torch")

on_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA GPU")
compiles = pytest.mark.skipif(not hasattr(torch, "compile"), reason="needs torch.compile")


def scores_of(rows=4, width=8192):
    return torch.from_numpy(tamis.generate("relu", rows=rows, width=width))


def test_the_operator_writes_what_it_says():
    scores = scores_of()
    tamis.select(scores, k=1)  # registers it
    out = torch.empty((4, 9), dtype=torch.int32)
    rest = [None] * 5
    torch.ops.tamis.select(
        scores, None, None, out, None, None, None, None, *rest, 9, None, 1, 1, "lowest_index", "by_score", "lowest"
    )
    np.testing.assert_array_equal(out.numpy(), reference.indices(scores.numpy(), 9))


@compiles
def test_the_operator_has_a_fake_implementation():
    tamis.select(scores_of(), k=1)
    scores, out = torch.empty((4, 10), device="meta"), torch.empty((4, 3), dtype=torch.int32, device="meta")
    rest = [None] * 5
    torch.ops.tamis.select(
        scores, None, None, out, None, None, None, None, *rest, 3, None, 1, 1, "lowest_index", "any", "lowest"
    )


@pytest.mark.skipif(not hasattr(torch.library, "opcheck"), reason="needs torch.library.opcheck")
def test_torch_finds_nothing_wrong_with_the_operator():
    scores = scores_of(2, 500).to(compiled_device())
    out = torch.empty((2, 9), dtype=torch.int32, device=scores.device)
    tamis.select(scores, k=1)
    arguments = (scores, None, None, out, *[None] * 9, 9, None, 1, 1, "lowest_index", "by_score", "lowest")
    torch.library.opcheck(torch.ops.tamis.select.default, arguments)


def compiled_device():
    return "cuda" if torch.cuda.is_available() else "cpu"


@compiles
@pytest.mark.parametrize("dynamic", [False, True])
def test_compiles_into_one_graph(dynamic):
    backend = "inductor" if torch.cuda.is_available() else "aot_eager"

    @torch.compile(fullgraph=True, backend=backend, dynamic=dynamic)
    def chosen(scores, lengths):
        result = tamis.select(scores * 2, lengths, k=300, order="by_score", outputs=("indices", "scores"))
        return result.indices + 0, result.scores

    for rows in (4, 3):
        scores = scores_of(rows).to(compiled_device())
        lengths = torch.tensor([8192, 100, 0, 600][:rows], dtype=torch.int32, device=compiled_device())
        indices, values = chosen(scores, lengths)
        selection = tamis.Selection(indices=indices, scores=values)
        assert tamis.verify(scores * 2, selection, lengths, k=300, order="by_score").exact


@on_gpu
def test_the_current_stream_is_used():
    scores = scores_of(64, 65536).cuda()
    late = torch.zeros_like(scores)
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(50_000_000)
        late.copy_(scores)
        indices = tamis.select(late, k=100, order="by_score").indices
    given = tamis.select(scores, k=100, order="by_score", stream=stream).indices
    stream.synchronize()
    expected = tamis.select(scores, k=100, order="by_score").indices
    assert torch.equal(indices, expected)
    assert torch.equal(given, expected)


@on_gpu
@pytest.mark.parametrize("rows", [1, 64, 300])
def test_a_graph_replays_right_for_what_the_device_then_holds(rows):
    scores = torch.zeros((rows, 32768), device="cuda")
    lengths = torch.zeros(rows, dtype=torch.int32, device="cuda")
    out = torch.empty((rows, 256), dtype=torch.int32, device="cuda")
    tamis.select(scores, lengths, k=256, order="by_score", out=out)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        tamis.select(scores, lengths, k=256, order="by_score", out=out)
    for seed, length in ((1, 32768), (2, 100), (3, 5000)):
        fresh = torch.from_numpy(tamis.generate("normal", rows=rows, width=32768, seed=seed)).cuda()
        scores.copy_(fresh)
        lengths.fill_(length)
        graph.replay()
        assert tamis.verify(scores, out, lengths, k=256, order="by_score").exact


@on_gpu
def test_devices_are_not_mixed():
    scores, out = scores_of().cuda(), torch.full((4, 5), 77, dtype=torch.int32, device="cuda")
    lengths = torch.zeros(4, dtype=torch.int32)
    with pytest.raises(tamis.InvalidArgument, match="lengths is on cpu; it must be on cuda:0, as scores is"):
        tamis.select(scores, lengths, k=5, out=out)
    with pytest.raises(tamis.InvalidArgument, match="indices is on cuda:0; it must be on cpu"):
        tamis.select(scores.cpu(), k=5, out=out)
    assert (out == 77).all()


@on_gpu
def test_every_pattern_is_exact_on_the_gpu():
    for pattern in tamis.patterns():
        for rows, width, k in ((3, 20000, 2048), (200, 9000, 512)):
            scores = torch.from_numpy(tamis.generate(pattern, rows=rows, width=width)).cuda()
            chosen = tamis.select(scores, k=k, outputs=("indices", "scores", "counts"))
            report = tamis.verify(scores, chosen, k=k)
            assert report.exact, (pattern, report)
