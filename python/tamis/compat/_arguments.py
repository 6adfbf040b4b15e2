"""What the engines' calls are given, looked at before it is sliced."""

from __future__ import annotations

from typing import Any

from tamis.errors import InvalidArgument


def required(name: str, value: Any) -> Any:
    """`value`, once it is a tensor."""
    if not hasattr(value, "shape"):
        raise TypeError(f"{name} is {value!r}; it must be a tensor")
    return value


def columns_of(name: str, value: Any) -> int:
    """k, where an output's columns say it."""
    shape = tuple(required(name, value).shape)
    if len(shape) != 2:
        raise InvalidArgument(f"{name} has shape {shape}; it must be [rows, k]")
    return int(shape[1])
