"""What a selection writes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from tamis import _core
from tamis._arrays import Framework, framework_of
from tamis._options import number_of
from tamis.errors import InvalidArgument


class Selection(NamedTuple):
    """The outputs of a call, None where there is none. Entries [0, n) of a row hold what was selected, n = min(k,
    length), and agree across the outputs; [n, k) hold -1, -1 and -inf.

    indices: int32 [rows, k], positions relative to the row's start.
    slots: int32 or int64 [rows, k], positions mapped through the page table or the offset.
    scores: [rows, k] of the scores' type, bits as they were.
    counts: int32 [rows], n.
    """

    indices: Any = None
    slots: Any = None
    scores: Any = None
    counts: Any = None


def as_selection(out: Any, mapped: bool) -> Selection:
    """`out` as given to a call: a Selection, or the one array that is wanted."""
    if isinstance(out, Selection):
        return out
    # Selection(slots=out) takes three times as long, as much as all else here.
    return tuple.__new__(Selection, (None, out, None, None) if mapped else (out, None, None, None))


def outputs_of(
    out: Any,
    names: str | Iterable[str] | None,
    scores: Any,
    rows: int,
    k: int,
    slot_dtype: str,
    mapped: bool,
) -> Selection:
    """What a call writes: `out` where it is given, else new arrays in the framework of `scores`."""
    framework = framework_of(scores)
    if out is None:
        return _new(names, framework, scores, rows, k, slot_dtype, mapped)
    if not framework.mutable:
        raise InvalidArgument(f"out is given; arrays such as scores, a {type(scores).__name__}, cannot be written")
    return as_selection(out, mapped)


def room_for(
    plan: _core.Plan,
    scores: Any,
    names: str | Iterable[str] | None,
    slot_dtype: str,
    mapped: bool,
    out: Any,
    workspace: Any,
) -> tuple[Selection, Any]:
    """The outputs and the workspace of a call: the caller's where given, else new ones."""
    result = outputs_of(out, names, scores, plan.rows, plan.k, slot_dtype, mapped)
    if workspace is None and plan.workspace_bytes > 0:
        workspace = framework_of(scores).empty(scores, (plan.workspace_bytes,), "uint8")
    return result, workspace


def _new(
    names: str | Iterable[str] | None, framework: Framework, like: Any, rows: int, k: int, slot_dtype: str, mapped: bool
) -> Selection:
    number_of("slot_dtype", slot_dtype)
    dtypes = {"indices": "int32", "slots": slot_dtype, "scores": "like", "counts": "int32"}
    made = {}
    for name in _listed(names, "slots" if mapped else "indices"):
        if name not in dtypes:
            raise InvalidArgument(f"outputs has {name!r}; each must be one of {', '.join(dtypes)}")
        made[name] = framework.empty(like, (rows,) if name == "counts" else (rows, k), dtypes[name])
    return Selection(**made)


def _listed(names: str | Iterable[str] | None, default: str) -> Iterable[str]:
    if names is None:
        return (default,)
    if isinstance(names, str):
        return (names,)
    if not isinstance(names, Iterable):
        raise TypeError(f"outputs is {names!r}; it must be a name or several")
    return names
