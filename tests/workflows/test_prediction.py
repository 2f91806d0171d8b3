"""Samples are predicted as the command predicts them."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from manyminds.analysis import ConformalIntervals, ConformalSets
from manyminds.datasets import Column, Dataset, load_dataset
from manyminds.datasets.marked_numbers import NumberMark
from manyminds.persistence import load_model, save_model
from manyminds.trees import DecisionTreeClassifier
from manyminds.utils.errors import InputError, InputWarning, MissingFileError
from manyminds.workflows import run_prediction, run_search


@pytest.fixture
def model(tmp_path):
    data = load_dataset("iris")
    tree = DecisionTreeClassifier(random_state=0).fit(data.X, data.y)
    save_model(tmp_path / "model.skops", tree, data)
    return tmp_path


def test_files_and_frames_are_predicted_alike(model):
    data = load_dataset("iris")
    data.X.to_csv(model / "new.csv", index=False)
    of_file = run_prediction(model, model / "new.csv", out=model / "p.csv")
    of_frame = run_prediction(model, data.X)
    pd.testing.assert_frame_equal(of_file.predictions, of_frame.predictions)
    assert of_file.file == model / "p.csv" and of_frame.file is None
    assert pd.read_csv(model / "p.csv").shape == of_frame.predictions.shape
    assert (of_file.metric, of_file.score, of_file.n_scored) == (None, None, 0)


def test_unknown_classes_are_not_scored(model):
    data = load_dataset("iris")
    frame = data.X.assign(target="horse")
    with pytest.warns(InputWarning, match="not scored. The model has no class 'horse'"):
        assert run_prediction(model, frame).score is None


def test_outputs_must_be_files(model):
    X = load_dataset("iris").X
    with pytest.raises(InputError, match="out must be a file"):
        run_prediction(model, X, out=model)
    with pytest.raises(MissingFileError, match="out: there is no folder"):
        run_prediction(model, X, out=model / "no" / "p.csv")


def test_models_without_calibration_refuse_intervals(model):
    X = load_dataset("iris").X
    with pytest.raises(InputError, match="no calibration"):
        run_prediction(model, X, interval=0.9)
    with pytest.raises(InputError, match=r"by_class is for sets .* give interval"):
        run_prediction(model, X, by_class=True)
    with pytest.raises(InputError, match="interval must be between 0 and 1"):
        run_prediction(model, X, interval=90)


def test_rows_unlike_those_of_training_are_flagged(model):
    X = load_dataset("iris").X.head(3).copy()
    X.loc[1, "petalwidth"] = 40.0
    with pytest.warns(InputWarning, match=r"1 of 3 rows is unlike .* petalwidth"):
        result = run_prediction(model, X, flag_unlike=True)
    assert result.predictions["unlike"].tolist() == [False, True, False]
    assert result.novelty.columns == {"petalwidth": 1}
    with pytest.warns(InputWarning, match="unlike"):
        assert "unlike" not in run_prediction(model, X).predictions


def test_sets_and_intervals_are_columns(tmp_path, seed):
    rng = np.random.default_rng(seed)
    data = load_dataset("iris")
    tree = DecisionTreeClassifier(max_depth=1).fit(data.X, data.y)
    codes = np.searchsorted(data.classes, data.y)
    sets = ConformalSets.calibrate(tree.predict_proba(data.X), codes)
    save_model(tmp_path / "model.skops", tree, data, calibration=sets)
    # The tree separates setosa only: of the others it has two in each set.
    found = run_prediction(tmp_path, data.X, interval=0.9).predictions["set"]
    assert found[0] == "Iris-setosa" and found[75] == "Iris-versicolor|Iris-virginica"
    numbers = Dataset("n", data.X, rng.normal(size=150), "regression")
    line = LinearRegression().fit(numbers.X, numbers.y)
    few = ConformalIntervals.calibrate(np.zeros(5), np.arange(5.0))
    save_model(tmp_path / "model.skops", line, numbers, calibration=few)
    found = run_prediction(tmp_path, data.X, interval=0.5).predictions
    assert list(found) == ["prediction", "low", "high"]
    assert (found["low"] < found["prediction"]).all()
    with pytest.warns(InputWarning, match="Intervals are infinite: 5 rows"):
        run_prediction(tmp_path, data.X, interval=0.99)
    with pytest.raises(InputError, match="by_class is for classes"):
        run_prediction(tmp_path, data.X, interval=0.5, by_class=True)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_files_are_predicted_in_batches(model, monkeypatch, suffix):
    data = load_dataset("iris")
    frame, new = data.X.assign(target=np.asarray(data.y)), model / f"new.{suffix}"
    frame.loc[7, "petalwidth"] = 40.0
    if suffix == "csv":
        frame.to_csv(new, index=False)
    else:
        pytest.importorskip("pyarrow")
        frame.to_parquet(new)
    results = []
    for n_rows in (1000, 40):
        monkeypatch.setattr("manyminds.workflows.prediction.BATCH_ROWS", n_rows)
        out = model / f"{n_rows}.csv"
        with pytest.warns(InputWarning, match=r"1 of 150 rows is unlike .*\(row 8\)"):
            results.append(run_prediction(model, new, out=out, flag_unlike=True))
    whole, parts = results
    pd.testing.assert_frame_equal(parts.predictions, whole.predictions)
    assert (parts.metric, parts.score, parts.n_scored) == ("accuracy", whole.score, 150)
    assert (model / "40.csv").read_bytes() == (model / "1000.csv").read_bytes()
    with pytest.warns(InputWarning, match="unlike"):
        assert run_prediction(model, new, keep=False).predictions is None


def test_a_bad_row_in_a_late_batch_leaves_no_file(model, monkeypatch):
    monkeypatch.setattr("manyminds.workflows.prediction.BATCH_ROWS", 40)
    data = load_dataset("iris")
    data.X.to_csv(model / "new.csv", index=False)
    with (model / "new.csv").open("a") as file:
        file.write("1,2,3,4,5,6\n")
    with pytest.raises(InputError, match=r"new.csv: line 152 has 6 cells"):
        run_prediction(model, model / "new.csv", out=model / "p.csv")
    assert sorted(file.name for file in model.iterdir()) == ["model.skops", "new.csv"]


def test_values_that_a_step_refuses_are_an_input_error(tmp_path):
    data = load_dataset("iris")
    model = make_pipeline(OrdinalEncoder(), DecisionTreeClassifier(random_state=0))
    save_model(tmp_path / "model.skops", model.fit(data.X, data.y), data)
    with pytest.raises(InputError, match="refuses these rows: Found unknown") as caught:
        run_prediction(tmp_path, data.X + 1e9)
    assert len(str(caught.value)) < 1_000


@pytest.mark.slow
def test_columns_that_a_search_was_told_about_are_no_surprise(tmp_path, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "sample": [f"S-{i}" for i in range(60)],
            "who": np.repeat(np.arange(12), 5),
            "weight": rng.uniform(1, 2, 60),
            "part": np.arange(60) // 5 % 3,
            "note": "none",
            "mass": [f"{value:.1f} kg" for value in rng.normal(70, 9, 60)],
            "y": rng.permutation(["a", "b"] * 30),
        }
    )
    frame.to_csv(tmp_path / "t.csv", index=False)
    roles = {"group": "who", "weight": "weight", "fold": "part"}
    with pytest.warns(InputWarning, match="sample is left out: a different text"):
        run_search(
            tmp_path / "t.csv", "y", n_trials=1, out=tmp_path / "found", n_jobs=1,
            drop=["note"], report=False, **roles,
        )  # fmt: skip
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run_prediction(tmp_path / "found", tmp_path / "t.csv")
    assert not [one for one in caught if "does not know" in str(one.message)]
    assert list(load_model(tmp_path / "found").columns) == [
        Column("mass", mark=NumberMark("kg", "."))
    ]
    frame.assign(odd=1).to_csv(tmp_path / "t.csv", index=False)
    with pytest.warns(InputWarning, match="1 columns .* left out: 'odd'"):
        run_prediction(tmp_path / "found", tmp_path / "t.csv")
