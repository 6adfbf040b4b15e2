"""verify: judges any selector's output, with code that select does not share."""

from __future__ import annotations

from typing import Any, NamedTuple

from tamis import _core
from tamis._arrays import framework_of
from tamis._options import Nan, Order, Ties, number_of
from tamis._selection import Selection, as_selection


class Report(NamedTuple):
    """What verify found.

    rows: rows judged; wrong_rows: rows with a finding, 0 when exact.
    finding: of the first wrong row: 'none', 'wrong_count', 'out_of_range', 'duplicate', 'not_best', 'wrong_tie',
        'wrong_order', 'wrong_score', 'wrong_slot' or 'wrong_padding'.
    row, entry, position: where it is, -1 where that does not apply. message: the same in words, "" when exact.
    """

    rows: int
    wrong_rows: int
    finding: str
    row: int
    entry: int
    position: int
    message: str

    @property
    def exact(self) -> bool:
        """Whether every row is right."""
        return self.wrong_rows == 0


def verify(
    scores: Any,
    selection: Any,
    lengths: Any = None,
    *,
    k: int,
    starts: Any = None,
    next_n: int = 1,
    divisor: int = 1,
    ties: Ties = "lowest_index",
    order: Order = "any",
    nan: Nan = "lowest",
    page_table: Any = None,
    page_size: int | None = None,
    table_of_row: Any = None,
    cu_rows: Any = None,
    page_start: Any = None,
    offsets: Any = None,
) -> Report:
    """Judges `selection`, which any selector may have written, against `scores`; arguments are as in `select`.

    selection: a Selection with at least one output, or one array: slots where there is a mapping, else indices. Where
        indices are absent positions are recovered from slots when the mapping allows.
    Arrays on a GPU are copied to the host first, and that waits for the GPU.
    Raises InvalidArgument, and TypeError for what is no array.
    """
    given = as_selection(selection, page_table is not None or offsets is not None)
    numbers = (k, next_n, divisor, number_of("ties", ties), number_of("order", order), number_of("nan", nan))
    output = Selection(*map(_host, given))
    found = _core.verify(
        numbers, _host(scores), _host(lengths), _host(starts), *output,
        _host(page_table), page_size, _host(table_of_row), _host(cu_rows), _host(page_start), _host(offsets),
    )  # fmt: skip
    return Report(*found)


def _host(array: Any) -> Any:
    """`array` in host memory; what is no array as it is, for the extension module to refuse by name."""
    return framework_of(array).host(array) if hasattr(array, "__dlpack__") else array
