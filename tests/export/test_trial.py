"""Whether a model can be converted is known without a conversion."""

import sys

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from manyminds.datasets import Column, describe_columns, load_dataset
from manyminds.ensemble import RandomForestClassifier
from manyminds.export import ExportError, find_obstacle, graph, to_onnx
from manyminds.persistence import TableModel
from manyminds.search import Problem, default_space


def make_model(estimator, X, task="classification"):
    columns = describe_columns(X)
    return TableModel(estimator, columns, "y", task, (), len(columns))


def shrink(estimator):
    """Grow few trees."""
    for key, value in estimator.get_params().items():
        if key.endswith(("n_estimators", "max_iter")) and value not in (None, 500):
            estimator.set_params(**{key: 3})


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", ["tic-tac-toe", "diabetes-progression"])
def test_all_learners_as_they_are_converted(name):
    pytest.importorskip("onnx")
    data = load_dataset(name)
    X = data.X.iloc[::5].reset_index(drop=True)
    y = np.asarray(data.y)[::5]
    codes = y if data.task == "regression" else np.unique(y, return_inverse=True)[1]
    metric = "r2" if data.task == "regression" else "accuracy"
    problem = Problem.of(X, codes, data.task, metric)
    space = default_space(data.task).suiting(problem)
    for learner in space.learner:
        for reduce in ("unreduced", "pca"):
            pipeline = {"learner": learner.name, "reduce": reduce}
            estimator = space.build(space.complete(pipeline, problem), problem)
            shrink(estimator)
            model = make_model(estimator.fit(X, y), X, data.task)
            to_onnx(model)
            assert find_obstacle(model) == ""


def test_the_obstacle_is_the_error_of_a_conversion(table, classes):
    pytest.importorskip("onnx")
    numbers = table[["b", "d"]].fillna(0.0)
    forest = RandomForestClassifier(3, random_state=0)
    for estimator in (make_pipeline(PCA(2), forest), KNeighborsClassifier()):
        model = make_model(estimator.fit(numbers, classes), numbers)
        with pytest.raises(ExportError) as refused:
            to_onnx(model)
        assert find_obstacle(model) == str(refused.value) != ""


def test_onnx_is_not_needed(table, classes, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    forest = RandomForestClassifier(3, random_state=0).fit(table, classes)
    assert find_obstacle(make_model(forest, table)) == ""
    numbers = table[["b", "d"]].fillna(0.0)
    other = KNeighborsClassifier().fit(numbers, classes)
    assert "KNeighborsClassifier cannot be" in find_obstacle(make_model(other, numbers))


def test_tables_that_have_no_file(table, classes):
    sparse = TableModel(None, None, "y", "classification", (), 1)
    assert (
        find_obstacle(sparse) == "Models of sparse tables cannot be converted to ONNX."
    )
    texts = TableModel(None, (Column("note", is_text=True),), "y", "regression", (), 1)
    assert "'note' holds free text" in find_obstacle(texts)


def test_forests_that_are_too_large(table, classes, monkeypatch):
    forest = RandomForestClassifier(3, random_state=0).fit(table, classes)
    monkeypatch.setattr(graph, "MAX_BYTES", 1000)
    assert "a file of ONNX holds 1,000 at most" in find_obstacle(
        make_model(forest, table)
    )
