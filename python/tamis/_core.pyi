from collections.abc import Sequence
from typing import Any, final

version: str

@final
class Device:
    @property
    def backend(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def arch(self) -> str: ...
    @property
    def ordinal(self) -> int: ...
    @property
    def units(self) -> int: ...

@final
class Plan:
    @property
    def method(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def workspace_bytes(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def k(self) -> int: ...
    @property
    def dtype(self) -> str: ...
    @property
    def device(self) -> Device: ...
    def json(self) -> str: ...

@final
class Threads:
    def __init__(self, count: int) -> None: ...
    @property
    def count(self) -> int: ...

def select(
    plan: Plan,
    scores: Any,
    lengths: Any,
    starts: Any,
    indices: Any,
    slots: Any,
    out_scores: Any,
    counts: Any,
    page_table: Any,
    page_size: int | None,
    table_of_row: Any,
    cu_rows: Any,
    page_start: Any,
    offsets: Any,
    faults: Any,
    workspace: Any,
    stream: int | Threads | None,
    /,
) -> None: ...
def merge(
    plan: Plan,
    scores: Any,
    positions: Any,
    list_counts: Any,
    indices: Any,
    slots: Any,
    out_scores: Any,
    counts: Any,
    page_table: Any,
    page_size: int | None,
    table_of_row: Any,
    cu_rows: Any,
    page_start: Any,
    offsets: Any,
    faults: Any,
    workspace: Any,
    stream: int | Threads | None,
    /,
) -> None: ...
def verify(
    numbers: tuple[int, int, int, int, int, int],
    scores: Any,
    lengths: Any,
    starts: Any,
    indices: Any,
    slots: Any,
    out_scores: Any,
    counts: Any,
    page_table: Any,
    page_size: int | None,
    table_of_row: Any,
    cu_rows: Any,
    page_start: Any,
    offsets: Any,
    /,
) -> tuple[int, int, str, int, int, int, str]: ...
def describe(scores: Any, /) -> tuple[Sequence[int], int, int, int]: ...
def plan_select(
    rows: int,
    width: int,
    k: int,
    score_type: int,
    next_n: int,
    divisor: int,
    ties: int,
    order: int,
    nan: int,
    device: Device,
    /,
) -> Plan: ...
def plan_merge(
    rows: int,
    lists: int,
    capacity: int,
    k: int,
    score_type: int,
    ties: int,
    order: int,
    nan: int,
    device: Device,
    /,
) -> Plan: ...
def known_device(name: str, /) -> Device: ...
def present_device(backend: int, ordinal: int, /) -> Device: ...
def cpu_device(threads: int, /) -> Device: ...
def emulated_device(lanes: int, /) -> Device: ...
def generate(pattern: str, seed: int, out: Any, first_row: int, /) -> None: ...
def patterns() -> dict[str, str]: ...
