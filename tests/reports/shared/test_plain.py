"""Summaries become plain values, and come back from them."""

from dataclasses import dataclass
from math import inf, isnan, nan

from manyminds.reports.shared.plain import from_plain, to_plain


@dataclass(frozen=True)
class Inner:
    value: float
    names: tuple[str, ...]


@dataclass(frozen=True)
class Outer:
    inner: Inner
    several: tuple[Inner, ...]
    pair: tuple[int, float]
    counts: dict[str, int]
    maybe: float | None


def test_a_summary_comes_back():
    one = Outer(Inner(1.5, ("a", "b")), (Inner(2.0, ()),), (1, 0.5), {"x": 3}, None)
    assert from_plain(Outer, to_plain(one)) == one


def test_numbers_that_json_lacks():
    assert to_plain([nan, inf, 1.0]) == [None, None, 1.0]
    assert isnan(from_plain(Inner, {"value": None, "names": []}).value)
