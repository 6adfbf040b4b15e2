"""Arrays of every framework at hand. A test that takes `make` runs once for each: on the CPU always for NumPy, for
torch where it is installed, and on a GPU where there is one (torch, CuPy, JAX)."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
import tamis
from reference import Maker


def _importable(name):
    return importlib.util.find_spec(name) is not None


def _makers():
    yield Maker("numpy", np.asarray, np.asarray)
    if _importable("torch"):
        import torch

        yield Maker("torch-cpu", lambda a: torch.from_numpy(np.array(a)), lambda t: t.numpy())
        if torch.cuda.is_available():
            yield Maker("torch-cuda", lambda a: torch.from_numpy(np.array(a)).cuda(), lambda t: t.cpu().numpy())
    if _importable("cupy"):
        import cupy

        if cupy.cuda.is_available():
            yield Maker("cupy", cupy.asarray, cupy.asnumpy)
    if _importable("jax"):
        import jax

        yield Maker(f"jax-{jax.default_backend()}", jax.numpy.asarray, np.asarray)


@pytest.fixture(params=list(_makers()), ids=lambda maker: maker.name)
def make(request):
    return request.param


@pytest.fixture
def scores():
    return tamis.generate("relu", rows=5, width=3000, seed=7)
