import re

from manyminds.serve.charts import Bar, draw_bars


def find(chart):
    pattern = r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"'
    return [tuple(map(float, one)) for one in re.findall(pattern, chart)]


def test_bars_start_at_zero_to_both_sides():
    bars = [Bar("up", 1.0, "u"), Bar("down", -1.0, "d")]
    up, down = find(draw_bars(bars, label="L", x_label="x", x_range=(-1.0, 1.0)))
    # The axis is 168 to 466: 0 is at 317.
    assert up == (317.0, 149.0) and down == (168.0, 149.0)


def test_a_whisker_is_drawn_where_there_is_a_spread():
    bars = [Bar("a", 1.0, "a", spread=0.5), Bar("b", 1.0, "b")]
    assert draw_bars(bars, label="L", x_label="x").count("whisker") == 1


def test_a_threshold_and_soft_bars():
    chart = draw_bars(
        [Bar("a", 1.0, "a", is_soft=True)], label="L", x_label="x", line_at=0.5
    )
    assert "bar soft" in chart and "line threshold" in chart


def test_names_are_text_and_shortened():
    chart = draw_bars([Bar("<script>" * 9, 1.0, "t")], label="L", x_label="x")
    assert "<script>" not in chart and "…" in chart
