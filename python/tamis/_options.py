"""The options of a shape, by the names that the library prints."""

from __future__ import annotations

from typing import Any, Literal

from tamis._core import Threads
from tamis.errors import InvalidArgument

Ties = Literal["lowest_index", "any"]
Order = Literal["any", "by_index", "by_score"]
Nan = Literal["lowest", "highest"]
ScoreDtype = Literal["float32", "float16", "bfloat16"]
SlotDtype = Literal["int32", "int64"]

_NUMBERS: dict[str, dict[str, int]] = {
    "ties": {"lowest_index": 0, "any": 1},
    "order": {"any": 0, "by_index": 1, "by_score": 2},
    "nan": {"lowest": 0, "highest": 1},
    "dtype": {"float32": 0, "float16": 1, "bfloat16": 2},
    "slot_dtype": {"int32": 0, "int64": 1},
}


def number_of(option: str, value: str) -> int:
    """The enumerator that `value` names."""
    number = _NUMBERS[option].get(value) if isinstance(value, str) else None
    if number is None:
        raise InvalidArgument(f"{option} is {value!r}; it must be one of {', '.join(_NUMBERS[option])}")
    return number


def stream_of(stream: Any) -> int | Threads | None:
    """A stream as the extension module takes it: its address, Threads, or None for the framework's current one."""
    if stream is None or (isinstance(stream, (Threads, int)) and not isinstance(stream, bool)):
        return stream
    for attribute in ("cuda_stream", "ptr"):  # torch and CuPy
        if hasattr(stream, attribute):
            return int(getattr(stream, attribute))
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    raise TypeError(f"stream is {stream!r}; it must be a stream of the framework, its address, tamis.Threads or None")
