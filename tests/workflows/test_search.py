"""One call of Python gives what the command gives."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_multilabel_classification

from manyminds.datasets import load_dataset
from manyminds.persistence import load_model
from manyminds.reports import SearchExistsError, read_search, to_plain
from manyminds.search.evaluation import folds
from manyminds.utils.errors import InputError, MissingFileError, ParameterError
from manyminds.workflows import run_prediction, run_search

FILES = {
    "model.skops", "leaderboard.csv", "trace.csv", "selection.csv", "importance.csv",
    "predictions.csv", "search.json", "report.html", "model_card.md",
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


@pytest.mark.slow
@pytest.mark.parametrize("task", ["classification", "regression", "multilabel"])
def test_a_large_table_is_validated_on_one_part(task, tmp_path, monkeypatch):
    monkeypatch.setattr(folds, "MAX_ROWS", 80)
    X, y = make_multilabel_classification(90, 6, n_classes=3, random_state=0)
    frame = pd.DataFrame(X, columns=list("uvwxyz")).assign(**dict(zip("abc", y.T)))
    frame["kind"] = frame["a"].map({0: "no", 1: "yes"})
    frame.loc[3, "kind"] = "single"
    frame["size"] = frame["a"] + frame["u"]
    target = {"classification": "kind", "regression": "size"}.get(task, "a,b,c")
    kept = [*"uvwxyz", *target.split(",")]
    result = run_search(frame[kept], target, n_trials=4, out=tmp_path / "s", n_jobs=1)
    assert result.failures == []
    assert result.summary.n_folds == 1 and 29 <= result.summary.n_tested <= 30
    page = (result.folder / "report.html").read_text(encoding="utf-8")
    assert "one held-out part with" in page and "nan%" not in page
    table = pd.read_csv(result.folder / "predictions.csv")
    assert len(table) == result.summary.n_tested and not table.isna().any().any()
    assert to_plain(read_search(result.folder)) == to_plain(result.summary)


@pytest.fixture(scope="module")
def visits(tmp_path_factory):
    """Write a file of visits of patients, with times, folds and weights."""
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(12), 10)
    X = rng.normal(size=(120, 3))
    frame = pd.DataFrame(X, columns=list("uvw")).assign(
        patient=[f"p{number}" for number in patient],
        day=pd.date_range("2024-01-01", periods=120).astype(str)[rng.permutation(120)],
        part=patient % 3,
        area=rng.uniform(0.5, 2.0, size=120),
        kind=np.where(X[:, 0] + 0.3 * rng.normal(size=120) > 0, "yes", "no"),
    )
    file = tmp_path_factory.mktemp("visits") / "visits.csv"
    frame.to_csv(file, index=False)
    return file, frame


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"group": "patient", "weight": "area"}, "10 folds of whole groups (patient)"),
        ({"time": "day"}, "5 folds in the order of day with 100 of 120 rows"),
        ({"fold": "part", "group": "patient"}, "3 folds assigned by part of whole"),
    ],
    ids=["groups and weights", "time", "folds"],
)
def test_columns_of_rows_are_respected_and_named(visits, tmp_path, options, said):
    file, frame = visits
    out = tmp_path / "s"
    result = run_search(file, "kind", n_trials=2, out=out, n_jobs=1, **options)
    assert result.failures == []
    assert not set(options.values()) & set(result.search.feature_names_in_)
    page = (out / "report.html").read_text(encoding="utf-8")
    assert said in " ".join(page.split())
    summary = read_search(out)
    for role, name in options.items():
        assert getattr(summary, role) == name
        assert f"--{role} {name}" in summary.command
    for train, test in result.search.folds_:
        if "group" in options:
            who = frame["patient"].to_numpy()
            assert not set(who[train]) & set(who[test])
        if "time" in options:
            assert frame["day"][train].max() < frame["day"][test].min()
    with pytest.raises(InputError, match=r"used (group|time|fold) \w+, not None"):
        run_search(file, "kind", n_trials=1, out=out, n_jobs=1, resume=True)
    again = run_search(
        file, "kind", n_trials=1, out=out, resume=True, n_jobs=1, **options
    )
    assert again.summary.n_trials == 3
    kept = [name for name in frame if name not in {*options.values(), "kind"}]
    assert len(run_prediction(out, frame[kept]).predictions) == 120
