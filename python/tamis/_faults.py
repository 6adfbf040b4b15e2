"""The record of what only the device can see and did clamp."""

from __future__ import annotations

from typing import Any, NamedTuple

from tamis._arrays import framework_of
from tamis.errors import InvalidArgument

FAULT_KINDS = ("length", "start", "table_row", "page", "slot")
_NONE_YET = 2**63 - 1


class Fault(NamedTuple):
    """How often a kind was seen, and the lowest row that it was seen in; None while that is 0."""

    seen: int
    first_row: int | None


def new_faults(like: Any) -> Any:
    """An empty record, int64 [5, 2], in the framework and on the device of `like`: pass it as `faults`. Calls add."""
    framework = framework_of(like, "like")
    if not framework.mutable:
        raise InvalidArgument(f"like is a {type(like).__name__}; it must be an array that can be written")
    record = framework.empty(like, (len(FAULT_KINDS), 2), "int64")
    record[:, 0] = 0
    record[:, 1] = _NONE_YET
    return record


def read_faults(record: Any) -> dict[str, Fault]:
    """The record by kind (`FAULT_KINDS`). Waits for the device."""
    numbers = framework_of(record, "record").host(record).tolist()
    return {
        kind: Fault(seen, None if row == _NONE_YET else row)
        for kind, (seen, row) in zip(FAULT_KINDS, numbers, strict=True)
    }
