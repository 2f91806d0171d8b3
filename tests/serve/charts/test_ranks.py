import re

from manyminds.serve.charts import draw_ranks


def test_methods_are_ordered_by_rank():
    chart = draw_ranks({"b": 2.5, "a": 1.0, "c": 2.0}, [], label="R")
    assert re.findall(r'class="tick name"[^>]*>(\w)<', chart) == ["a", "c", "b"]


def test_groups_of_one_have_no_bar():
    ranks = {"a": 1.0, "b": 2.0, "c": 3.0}
    chart = draw_ranks(ranks, [["a"], ["b", "c"]], label="R")
    assert chart.count("clique") == 1
