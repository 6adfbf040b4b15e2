"""merge of shards equals select on the whole."""

import numpy as np
import pytest
import tamis


@pytest.mark.parametrize("pattern", ["normal", "equal", "relu"])
def test_shards_merged_equal_the_whole(make, pattern):
    whole = tamis.generate(pattern, rows=3, width=4000)
    everything = ("indices", "scores", "counts")
    shards = [tamis.select(whole[:, i : i + 1000], k=90, outputs=everything) for i in range(0, 4000, 1000)]
    scores = np.stack([shard.scores for shard in shards])
    positions = np.stack([shard.indices + 1000 * i for i, shard in enumerate(shards)])
    counts = np.stack([shard.counts for shard in shards])
    lists = map(make.array, (scores, positions, counts))
    merged = tamis.merge(*lists, k=90, order="by_score", outputs=everything)
    expected = tamis.select(whole, k=90, order="by_score", outputs=everything)
    for name in everything:
        np.testing.assert_array_equal(make.numpy(getattr(merged, name)), getattr(expected, name))


def test_no_rows_give_none():
    assert tamis.merge(np.zeros((2, 0, 8), np.float32), np.zeros((2, 0, 8), np.int32), k=4).indices.shape == (0, 4)


def test_positions_laid_out_otherwise_are_refused():
    scores = np.zeros((2, 3, 8), np.float32)
    with pytest.raises(tamis.InvalidArgument, match="positions has stride"):
        tamis.merge(scores, np.zeros((2, 3, 16), np.int32)[:, :, :8], k=4)
