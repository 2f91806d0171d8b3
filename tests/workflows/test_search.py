"""One call of Python gives what the command gives."""

import warnings

import pandas as pd
import pytest

from manyminds.datasets import load_dataset
from manyminds.persistence import load_model
from manyminds.reports import SearchExistsError, read_search, to_plain
from manyminds.utils.errors import InputError, MissingFileError, ParameterError
from manyminds.workflows import run_search

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
        "row may be a counter" in text and "with drop." in text for text in texts
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
