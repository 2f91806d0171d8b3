"""The portfolio names options that the default spaces have."""

import pytest

from manyminds.search import Problem, default_space
from manyminds.search.study.portfolio import list_portfolio


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_every_pipeline_can_be_completed(task):
    problem = Problem(
        task, 800, 30, 2 * (task == "classification"), 400, n_encoded=40,
        n_categorical=1, levels=(3,), n_numbers=29,
    )  # fmt: skip
    space = default_space(task).suiting(problem)
    pipelines = list_portfolio(task)
    assert len(pipelines) >= 8
    for pipeline in pipelines:
        full = space.complete(pipeline, problem)
        assert {name: full.get(name) for name in pipeline} == pipeline
    assert all(pipelines.count(one) == 1 for one in pipelines)


def test_the_list_is_a_copy():
    list_portfolio("regression")[0]["learner"] = "none"
    assert list_portfolio("regression")[0]["learner"] != "none"
    assert list_portfolio("multilabel") == []
