"""Threads of Python and forked children may call at once."""

import multiprocessing
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import tamis

SCORES = tamis.generate("decode_like", rows=6, width=20000)
EXPECTED = tamis.select(SCORES, k=500, order="by_index").indices
SHARED = tamis.Threads(2)


def same(stream):
    return np.array_equal(tamis.select(SCORES, k=500, order="by_index", stream=stream).indices, EXPECTED)


def test_many_threads_at_once_with_and_without_shared_workers():
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(same, [None, SHARED] * 20))


def child(answers):
    answers.put([same(None), same(SHARED), same(SHARED)])


def test_a_forked_child_selects_with_workers_of_its_own():
    assert same(SHARED)
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    process = context.Process(target=child, args=(answers,))
    process.start()
    assert answers.get(timeout=60) == [True, True, True]
    process.join(60)
    assert process.exitcode == 0
    assert same(SHARED)
