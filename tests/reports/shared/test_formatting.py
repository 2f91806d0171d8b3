"""Numbers are shown with the digits that matter."""

import pytest

from manyminds.reports.shared.formatting import (
    format_number,
    format_p_value,
    format_score,
    format_time,
    format_value,
)


@pytest.mark.parametrize(
    "p_value, text",
    [(0.0004, "p < 0.001"), (0.0123, "p = 0.012"), (0.52, "p = 0.52"), (1, "p = 1.00")],
)
def test_p_values(p_value, text):
    assert format_p_value(p_value) == text


@pytest.mark.parametrize(
    "mean, std, largest, text",
    [
        (0.95, 0.0123, 1.0, "0.950 ± 0.012"),
        (55.432, 3.21, 60.0, "55.43 ± 3.21"),
        (2.5, 0.5, 500.0, "2.5 ± 0.5"),
        (12345.6, None, 12345.6, "12346"),
        (None, None, 1.0, "failed"),
    ],
)
def test_scores(mean, std, largest, text):
    assert format_score(mean, std, largest) == text


@pytest.mark.parametrize(
    "seconds, text",
    [(0.0123, "12 ms"), (12.34, "12.3 s"), (150, "2.5 min"), (9000, "2.5 h")],
)
def test_times(seconds, text):
    assert format_time(seconds) == text


def test_numbers():
    values = (None, 0.123456, 1998.4, 9999.6, 12345.6, -20701.7, 1e20)
    assert [format_number(value) for value in values] == [
        "", "0.1235", "1998", "10,000", "12,346", "-20,702", "1e+20",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (float("nan"), "–"),
        (0.0, "0.0000"),
        (1e-5, "1e-05"),
        (0.93333, "0.9333"),
        (57.1234, "57.12"),
        (12345.6, "12,346"),
    ],
)
def test_values(value, text):
    assert format_value(value) == text
