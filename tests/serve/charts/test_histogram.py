import re

from manyminds.serve.charts import draw_histogram


def test_heights_are_in_proportion():
    chart = draw_histogram([0, 1, 2, 3], [0, 5, 10], label="H", x_label="x")
    heights = [float(h) for h in re.findall(r'height="([\d.]+)"', chart)]
    assert heights[0] == 0.0 and heights[2] == 2 * heights[1]


def test_bars_are_described():
    chart = draw_histogram([0, 0.5, 1], [1, 1200], label="H", x_label="x")
    assert "0 to 0.5\n1 row" in chart and "0.5 to 1\n1,200 rows" in chart
