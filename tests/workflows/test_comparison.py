"""Methods are compared as the command compares them."""

import pandas as pd
import pytest
from sklearn.datasets import make_multilabel_classification

from manyminds.datasets import load_dataset
from manyminds.utils.errors import InputError, ParameterError
from manyminds.workflows import run_comparison
from manyminds.workflows.search_checks import read_metric


@pytest.mark.slow
def test_frames_and_names_together(tmp_path):
    data = load_dataset("wine")
    frame = data.X.assign(region=data.y)
    options = {"methods": "tree, dummy", "cv": 2, "store": str(tmp_path / "r.sqlite")}
    result = run_comparison([frame, "iris"], "region", out=tmp_path / "out", **options)
    summary = result.summaries["accuracy"]
    assert summary.datasets == ("data", "iris") and result.n_new == 8
    assert result.succeeded and result.command == ""
    assert {file.name for file in result.files} == {
        "report.html", "scores.csv", "comparison.svg", "comparison.png",
    }  # fmt: skip
    assert len(pd.read_csv(tmp_path / "out" / "scores.csv")) == 8
    again = run_comparison("iris", **options)
    assert again.n_new == 0
    assert again.command == (
        "manyminds compare iris --cv 2 --metric accuracy --methods 'tree, dummy'"
    )


@pytest.mark.parametrize(
    ("options", "parameter"),
    [
        ({"task": "guessing"}, "task"),
        ({"task": "regression"}, "task"),
        ({"cv": "0x5"}, "cv"),
        ({"cv": 200}, "cv"),
        ({"n_jobs": 0}, "n_jobs"),
    ],
)
def test_wrong_parameters_are_named(tmp_path, options, parameter):
    with pytest.raises(ParameterError) as caught:
        run_comparison("iris", store=str(tmp_path / "r.sqlite"), **options)
    assert caught.value.parameter == parameter
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_several_targets_are_many_labels(tmp_path):
    X, y = make_multilabel_classification(60, 5, n_classes=3, random_state=0)
    frame = pd.DataFrame(X, columns=list("vwxyz")).assign(**dict(zip("abc", y.T)))
    file = tmp_path / "toy.csv"
    frame.to_csv(file, index=False)
    result = run_comparison(
        file,
        "a,b,c",
        methods="mlforest(n_estimators=5), br(estimator=tree), knn, mlknn, dummy",
        metrics=["micro_f1", "hamming_loss", "ranking_loss"],
        cv=2,
        store=str(tmp_path / "r.sqlite"),
    )
    assert not [one.error for one in result.records if one.failed]
    ranks = result.summaries["hamming_loss"].average_ranks
    assert ranks["mlforest(n_estimators=5)"] < ranks["dummy"]
    assert "--target a,b,c" in result.command
    tested = {one.fold for one in result.records}
    assert tested == {0, 1}
    with pytest.raises(ParameterError, match="one target"):
        run_comparison("iris", metrics="micro_f1", store=str(tmp_path / "r.sqlite"))


def test_data_sets_must_have_one_task(tmp_path):
    with pytest.raises(InputError, match="have one task"):
        run_comparison(["iris", "diabetes-progression"], store=str(tmp_path / "r"))


@pytest.mark.parametrize(
    "frame, message",
    [
        (pd.DataFrame({"a": [], "target": []}), "has 0 rows with a target"),
        (pd.DataFrame({"target": list("uvuv")}), "has no column but the target"),
        (pd.DataFrame({"a": [1, 2], "target": ["u", "u"]}), "one class only"),
    ],
)
def test_tables_without_anything_to_learn_are_refused(frame, message, tmp_path):
    with pytest.raises(InputError, match=message):
        run_comparison(
            [frame], "target", methods="tree", cv="1x2", store=tmp_path / "s.sqlite"
        )


@pytest.mark.parametrize(
    ("data", "metrics"),
    [
        ("iris", ["accuracy", "balanced_accuracy", "auc", "log_loss", "f1_macro"]),
        ("diabetes-progression", ["rmse", "mse", "mae", "r2"]),
    ],
)
def test_metrics_have_the_names_of_a_search(data, metrics, tmp_path):
    table = load_dataset(data)
    assert [read_metric(one, table).name for one in metrics] == metrics
    result = run_comparison(
        data, methods="tree", metrics=metrics, cv=2, store=str(tmp_path / "r.sqlite")
    )
    assert list(result.summaries) == metrics
    assert not [one.error for one in result.records if one.failed]
