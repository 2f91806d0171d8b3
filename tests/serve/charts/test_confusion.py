from manyminds.serve.charts import draw_confusion


def test_each_cell_is_described():
    chart = draw_confusion([[3, 1], [0, 4]], ["no", "yes"], label="M")
    for text in (
        "3 rows of no predicted as no\n75.0% of the class",
        "1 row of no predicted as yes\n25.0% of the class",
        "0 rows of yes predicted as no\n0.0% of the class",
    ):
        assert f'aria-label="{text}"' in chart
    assert chart.count("cell right") == 2


def test_names_of_classes_are_text():
    chart = draw_confusion([[1]], ["<script>alert(1)</script>"], label="M")
    assert "<script" not in chart


def test_many_classes_have_cells_without_numbers():
    n = 40
    chart = draw_confusion([[1] * n] * n, [str(k) for k in range(n)], label="M")
    assert chart.count("<rect") == n * n and "count" not in chart


def test_a_class_without_rows_divides_nothing_by_zero():
    assert "0.0% of the class" in draw_confusion([[0, 0], [0, 2]], "ab", label="M")


def test_names_of_narrow_columns_stand_upright():
    names = [f"kind {k}" for k in range(12)]
    chart = draw_confusion([[1] * 12] * 12, names, label="M")
    assert chart.count("rotate(-90") == 12 and chart.count(">kind 11<") == 2
    assert "rotate" not in draw_confusion([[1] * 3] * 3, "abc", label="M")
