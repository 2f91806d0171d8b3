import math

import numpy as np
import pytest

from manyminds.serve.charts.axes import Axis, Frame, find_range, make_axis, wrap_chart


def test_ends_and_ticks_are_round():
    axis = make_axis(3.0, 97.0, 0.0, 100.0)
    assert axis.ticks == (0.0, 20.0, 40.0, 60.0, 80.0, 100.0)
    assert (axis.place(0.0), axis.place(50.0), axis.place(100.0)) == (0.0, 50.0, 100.0)


def test_numbers_beyond_the_ends_stay_on_the_page():
    axis = Axis(0.0, 1.0, 10.0, 20.0, (0.0, 1.0))
    assert axis.place(7.0) == 20.0
    assert axis.place(-7.0) == 10.0


def test_all_data_is_between_the_ends_and_ticks_are_few(seed):
    rng = np.random.default_rng(seed)
    for _ in range(200):
        low, high = np.sort(rng.normal(size=2) * 10.0 ** rng.integers(-6, 7))
        axis = make_axis(low, high, 0.0, 1.0)
        slack = 1e-6 * (high - low)
        assert axis.low <= low + slack and high - slack <= axis.high
        assert 2 <= len(axis.ticks) <= 8


@pytest.mark.parametrize("value", [0.0, 5.0, -1e9])
def test_a_single_number_has_an_axis(value):
    axis = make_axis(value, value, 0.0, 1.0)
    assert axis.low < value < axis.high


def test_missing_numbers_are_ignored():
    assert find_range([math.nan, 2.0, math.inf, 1.0]) == (1.0, 2.0)
    assert find_range([math.nan]) == (0.0, 1.0)


def test_the_chart_is_named_for_screen_readers():
    chart = wrap_chart(Frame(), "Scores <b>", [])
    assert 'role="group"' in chart and 'aria-label="Scores &lt;b&gt;"' in chart


def test_labels_of_axes_are_text():
    frame = Frame()
    drawn = frame.draw_x(frame.make_x(0, 1), "<i>") + frame.draw_y(
        frame.make_y(0, 1), "<u>"
    )
    assert "&lt;i&gt;" in drawn and "&lt;u&gt;" in drawn and "<i>" not in drawn
