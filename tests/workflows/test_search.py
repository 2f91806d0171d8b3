"""One call of Python gives what the command gives."""

import warnings

import pandas as pd
import pytest
from sklearn.datasets import make_multilabel_classification

from manyminds.datasets import load_dataset
from manyminds.persistence import load_model
from manyminds.reports import SearchExistsError, read_search, to_plain
from manyminds.utils.errors import InputError, MissingFileError, ParameterError
from manyminds.workflows import run_prediction, run_search

FILES = {
    "model.skops", "leaderboard.csv", "trace.csv", "selection.csv", "importance.csv",
    "predictions.csv", "search.json", "report.html",
}  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Search on a frame, in which one column counts the rows."""
    data = load_dataset("iris")
    frame = data.X.assign(row=range(150), species=data.y)
    seen = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = run_search(
            frame,
            "species",
            n_trials=2,
            cv=2,
            out=tmp_path_factory.mktemp("search"),
            on_progress=seen.append,
            n_jobs=1,
        )
    return result, seen, [str(one.message) for one in caught]


@pytest.mark.slow
def test_files_are_those_of_the_command(found):
    result, _, _ = found
    assert {file.name for file in result.files} == FILES
    assert result.failures == []
    assert to_plain(read_search(result.folder)) == to_plain(result.summary)
    assert result.summary.command == ""  # a frame has no name in a shell
    assert result.summary.table.target_name == "species"


def test_the_model_is_that_of_the_search(found):
    result, _, _ = found
    told = result.load_model().predict_table(result.data.X)
    assert told.iloc[:, 0].tolist() == result.search.predict(result.data.X).tolist()
    assert load_model(result.folder).targets == ["species"] or load_model(
        result.folder
    ).targets == ("species",)


def test_progress_is_in_the_metric_of_the_user(found):
    result, seen, _ = found
    seen = [state for state in seen if not state.is_compiling]
    assert seen[-1].n_done == 2 and seen[-1].metric == "accuracy"
    assert seen[-1].n_trials == 2 and seen[-1].budget is None
    best = pd.read_csv(result.folder / "leaderboard.csv")["score"].max()
    assert seen[-1].best == pytest.approx(best, abs=0.02)


def test_a_counter_is_warned_about(found):
    _, _, texts = found
    assert any(
        "row may be a counter" in text and "with drop=['row']." in text
        for text in texts
    )


def test_a_folder_is_not_overwritten(found):
    result, _, _ = found
    with pytest.raises(SearchExistsError, match="resume=True"):
        run_search("iris", n_trials=1, out=result.folder)
    with pytest.raises(InputError, match="used other data"):
        run_search("iris", n_trials=1, out=result.folder, resume=True)


@pytest.mark.parametrize(
    ("options", "parameter"),
    [
        ({"n_trials": 0}, "n_trials"),
        ({"budget": "soon"}, "budget"),
        ({"metric": "rmse"}, "metric"),
        ({"cv": 51}, "cv"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"task": "regression"}, "task"),
    ],
)
def test_wrong_parameters_are_named_and_nothing_is_written(
    tmp_path, options, parameter
):
    with pytest.raises(ParameterError) as caught:
        run_search("iris", out=tmp_path / "found", **options)
    assert caught.value.parameter == parameter
    assert list(tmp_path.iterdir()) == []


def test_there_must_be_a_search_to_resume(tmp_path):
    with pytest.raises(MissingFileError, match="there is no search in"):
        run_search("iris", n_trials=1, out=tmp_path / "none", resume=True)


@pytest.fixture(scope="module")
def labeled(tmp_path_factory):
    """Search on a file with three labels."""
    X, y = make_multilabel_classification(90, 6, n_classes=3, random_state=0)
    frame = pd.DataFrame(X, columns=list("uvwxyz")).assign(**dict(zip("abc", y.T)))
    file = tmp_path_factory.mktemp("labels") / "toy.csv"
    frame.to_csv(file, index=False)
    result = run_search(
        file, "a,b,c", n_trials=4, cv=2, out=file.parent / "found", n_jobs=1
    )
    return result, file, frame


@pytest.mark.slow
def test_several_targets_are_many_labels(labeled):
    result, _, frame = labeled
    assert {file.name for file in result.files} == FILES
    summary = read_search(result.folder)
    assert to_plain(summary) == to_plain(result.summary)
    assert summary.task == "multilabel" and summary.metric == "micro_f1"
    assert 0.0 < summary.honest.score <= summary.honest.naive <= 1.0
    assert [row.label for row in summary.labels] == ["a", "b", "c"]
    n_rows = frame[["a", "b", "c"]].sum().tolist()
    assert [row.n_rows for row in summary.labels] == n_rows
    assert summary.measures["micro_f1"] == pytest.approx(summary.honest.naive)
    page = (result.folder / "report.html").read_text(encoding="utf-8")
    assert "ranking_loss" in page and "3 labels" in page
    table = pd.read_csv(result.folder / "predictions.csv")
    assert {"target a", "prediction b", "probability c", "fold"} <= set(table)


@pytest.mark.slow
def test_a_model_of_many_labels_predicts_files(labeled, tmp_path):
    result, file, frame = labeled
    found = run_prediction(result.folder, file, out=tmp_path / "p.csv")
    assert list(found.predictions) == [
        *(f"prediction {name}" for name in "abc"),
        *(f"probability {name}" for name in "abc"),
    ]
    assert found.metric == "micro_f1" and found.n_scored == 90
    assert found.score > result.summary.honest.score  # of training rows
    expected = result.search.predict(frame[list("uvwxyz")])
    assert (found.predictions.iloc[:, :3].to_numpy() == expected).all()
    unlabeled = run_prediction(result.folder, frame[list("zyxwvu")])
    assert unlabeled.metric is None
    assert unlabeled.predictions.equals(found.predictions)
