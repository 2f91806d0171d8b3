import re

from manyminds.serve.charts import Line, draw_lines

LABELS = {"label": "L", "x_label": "x", "y_label": "y"}


def test_points_are_where_their_numbers_are():
    # The axes span 0 to 1: 70 to 466 to the right, 274 to 12 upwards.
    chart = draw_lines(
        [Line("a", [0.0, 1.0], [0.0, 1.0])], **LABELS, x_range=(0, 1), y_range=(0, 1)
    )
    assert 'd="M70.0 274.0L466.0 12.0"' in chart


def test_steps_hold_until_the_next_point():
    chart = draw_lines(
        [Line("a", [0.0, 1.0], [0.0, 1.0], is_step=True)],
        **LABELS, x_range=(0, 1), y_range=(0, 1),
    )  # fmt: skip
    assert 'd="M70.0 274.0H466.0L466.0 12.0"' in chart


def test_several_lines_have_a_legend_and_one_tab_stop():
    lines = [Line(f"<{k}>", [0.0, 1.0], [k, k + 1.0]) for k in range(3)]
    chart = draw_lines(lines, **LABELS)
    assert all(f"&lt;{k}&gt;</text>" in chart for k in range(3))
    assert chart.count('tabindex="0"') == 1
    assert "</text>" not in draw_lines(lines[:1], **LABELS).split("&lt;0&gt;")[0][-9:]


def test_tips_are_those_of_the_line():
    chart = draw_lines([Line("a", [0.0], [1.0], ["first trial"])], **LABELS)
    assert re.findall(r'class="mark[^>]*aria-label="([^"]*)"', chart) == ["first trial"]


def test_a_diagonal_is_drawn_on_demand():
    line = [Line("a", [0.0, 1.0], [0.0, 1.0])]
    assert "diagonal" in draw_lines(line, **LABELS, diagonal=True)
    assert "diagonal" not in draw_lines(line, **LABELS)
