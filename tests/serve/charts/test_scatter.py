from manyminds.serve.charts import Point, draw_scatter

LABELS = {"label": "L", "x_label": "x", "y_label": "y"}


def test_points_carry_their_row_and_ring():
    points = [
        Point(0.0, 0.0, "row 1", data={"row": "1"}),
        Point(1, 1, "row 2", 3, True),
    ]
    chart = draw_scatter(points, **LABELS)
    assert 'data-row="1"' in chart
    assert 'class="mark point color-3 ring"' in chart


def test_the_diagonal_has_equal_axes():
    points = [Point(0.0, 10.0, "a"), Point(5.0, 20.0, "b")]
    chart = draw_scatter(points, **LABELS, diagonal=True)
    assert chart.count(">20</text>") == 2  # the last tick of both


def test_zero_is_part_of_the_axis_of_errors():
    chart = draw_scatter([Point(0.0, 5.0, "a")], **LABELS, zero_line=True)
    assert "diagonal" in chart and ">0</text>" in chart


def test_no_points_make_an_empty_chart():
    assert "<circle" not in draw_scatter([], **LABELS)
