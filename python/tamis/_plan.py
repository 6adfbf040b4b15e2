"""Plans: made by hand, or found for the arrays of a call and remembered by their numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ParamSpec, cast

from tamis import _core
from tamis._devices import device as device_named
from tamis._options import Nan, Order, ScoreDtype, Ties, number_of
from tamis.errors import InvalidArgument, NoDevice

_P = ParamSpec("_P")

# DLPack's device types and the backends that work on their memory.
_CPU, _CUDA, _ROCM = 1, 2, 10
_BACKENDS = {_CUDA: 1, _ROCM: 2}


def plan(
    rows: int,
    width: int,
    k: int,
    *,
    dtype: ScoreDtype = "float32",
    next_n: int = 1,
    divisor: int = 1,
    ties: Ties = "lowest_index",
    order: Order = "any",
    nan: Nan = "lowest",
    device: str | _core.Device = "cpu",
) -> _core.Plan:
    """How scores [rows, width] are selected from on a device: print it to see. A pure function of its arguments.

    `select` makes and remembers plans itself; one made here saves the look-up, tells `workspace_bytes` ahead, and shows
    what a device that is not there would do. The options mean what they mean in `select`.
    device: a name as `tamis.device` takes it, or a Device.
    Raises InvalidArgument, NoDevice.
    """
    target = device_named(device) if isinstance(device, str) else device
    return _core.plan_select(
        rows, width, k, number_of("dtype", dtype), next_n, divisor, *_options(ties, order, nan), target
    )


def plan_merge(
    rows: int,
    lists: int,
    capacity: int,
    k: int,
    *,
    dtype: ScoreDtype = "float32",
    ties: Ties = "lowest_index",
    order: Order = "any",
    nan: Nan = "lowest",
    device: str | _core.Device = "cpu",
) -> _core.Plan:
    """How candidate lists [lists, rows, capacity] are merged on a device; see `plan` and `merge`."""
    target = device_named(device) if isinstance(device, str) else device
    return _core.plan_merge(rows, lists, capacity, k, number_of("dtype", dtype), *_options(ties, order, nan), target)


def agreed(plan: Any, k: Any) -> _core.Plan:
    """The plan that a caller gave, once it is one and `k`, where given too, is its k."""
    if not isinstance(plan, _core.Plan):
        raise TypeError(f"plan is {plan!r}; it must be a tamis.Plan")
    if k is not None and k != plan.k:
        raise InvalidArgument(f"k is {k}; it must be {plan.k}, as plan has, or be left out")
    return plan


def _options(ties: str, order: str, nan: str) -> tuple[int, int, int]:
    return number_of("ties", ties), number_of("order", order), number_of("nan", nan)


@lru_cache(maxsize=256)
def _device_of(kind: int, ordinal: int, threads: int) -> _core.Device:
    if kind == _CPU:
        return _core.cpu_device(threads)
    if kind not in _BACKENDS:
        raise NoDevice(f"scores is on a device of DLPack type {kind}; it must be on the CPU, a CUDA or a ROCm device")
    return _core.present_device(_BACKENDS[kind], ordinal)


def _remembering(function: Callable[_P, _core.Plan]) -> Callable[_P, _core.Plan]:
    """`function`, remembering its plans. Arguments of another type are others: k = 5.0 is not the plan of k = 5."""
    known = cast(Callable[_P, _core.Plan], lru_cache(maxsize=4096, typed=True)(function))

    def call(*numbers: _P.args, **named: _P.kwargs) -> _core.Plan:
        try:
            return known(*numbers, **named)
        except TypeError:  # a list, say, which cannot be looked up and is refused by name here
            return function(*numbers, **named)

    return call


@_remembering
def plan_for(
    rows: int,
    width: int,
    k: int,
    score_type: int,
    next_n: int,
    divisor: int,
    ties: str,
    order: str,
    nan: str,
    place: tuple[int, int, int],
) -> _core.Plan:
    """The plan of a call; `place` is DLPack's device type, the ordinal and the CPU's threads."""
    return _core.plan_select(
        rows, width, k, score_type, next_n, divisor, *_options(ties, order, nan), _device_of(*place)
    )


@_remembering
def plan_for_merge(
    rows: int,
    lists: int,
    capacity: int,
    k: int,
    score_type: int,
    ties: str,
    order: str,
    nan: str,
    place: tuple[int, int, int],
) -> _core.Plan:
    """The plan of a call of merge."""
    return _core.plan_merge(rows, lists, capacity, k, score_type, *_options(ties, order, nan), _device_of(*place))
