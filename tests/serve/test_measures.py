import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import confusion_matrix, roc_auc_score

from manyminds.serve.measures import (
    Predictions,
    measure_classes,
    measure_numbers,
    read_label_predictions,
    read_predictions,
)


def make_predictions(seed, n_rows=200, labels=("a", "b", "NA")):
    rng = np.random.default_rng(seed)
    true = rng.integers(len(labels), size=n_rows)
    true[: len(labels)] = np.arange(len(labels))
    shares = rng.dirichlet(np.ones(len(labels)), size=n_rows)
    made = shares.argmax(axis=1)
    names = np.array(labels, dtype=object)
    return Predictions(np.arange(n_rows) + 1, names[true], names[made], labels, shares)


def test_classes_agree_with_scikit_learn(seed):
    found = make_predictions(seed)
    result = measure_classes(found)
    expected = confusion_matrix(found.target, found.prediction, labels=found.labels)
    errors = result.errors
    assert np.array_equal(errors.counts, expected)
    assert errors.n_wrong == (found.target != found.prediction).sum()
    assert result.n_rows == 200
    for curve, other in zip(result.roc, result.precision_recall, strict=True):
        assert curve.label == other.label and len(curve.x) <= 60
        place = found.labels.index(curve.label)
        area = roc_auc_score(found.target == curve.label, found.probabilities[:, place])
        assert curve.area == pytest.approx(area)


def test_the_stored_predictions_count_not_the_highest_probabilities():
    # Class weights decide: the second row is "n" though "y" is more probable.
    labels, target = ("n", "y"), np.array(["n", "n"], dtype=object)
    shares = np.array([[0.9, 0.1], [0.4, 0.6]])
    result = measure_classes(Predictions(np.arange(2), target, target, labels, shares))
    assert result.errors.n_wrong == 0 and not result.roc  # no row has "y"


def test_a_perfect_calibration_has_no_error():
    labels, target = ("n", "y"), np.array(["n", "y"] * 10, dtype=object)
    shares = np.column_stack([target == "n", target == "y"]).astype(float)
    result = measure_classes(Predictions(np.arange(20), target, target, labels, shares))
    assert result.errors.calibration_error == 0.0 and not result.hard


def test_hard_rows_are_wrong_and_the_least_probable_first(seed):
    found = make_predictions(seed)
    hard = measure_classes(found).hard
    measures = [one.measure for one in hard]
    assert measures == sorted(measures)
    assert all(one.true != one.predicted for one in hard)


def test_predictions_survive_the_file(tmp_path, seed):
    found = make_predictions(seed)
    frame = pd.DataFrame(
        {"row": found.rows, "target": found.target, "prediction": found.prediction}
        | {f"probability {k}": p for k, p in zip(found.labels, found.probabilities.T)}
    )
    frame.to_csv(tmp_path / "predictions.csv", index=False)
    read = read_predictions(tmp_path / "predictions.csv", "classification")
    assert read.labels == ("a", "b", "NA")  # not a missing value
    assert read.target.tolist() == found.target.tolist()
    assert np.allclose(read.probabilities, found.probabilities)


def test_numbers_list_the_largest_errors_with_their_rows(tmp_path):
    frame = pd.DataFrame(
        {"row": [4, 7, 9], "target": [1.0, 2.0, 3.0], "prediction": [1.0, 5.0, 2.0]}
    )
    frame.to_csv(tmp_path / "p.csv", index=False)
    errors, hard = measure_numbers(read_predictions(tmp_path / "p.csv", "regression"))
    assert [(one.row, one.measure) for one in hard] == [(7, 3.0), (9, -1.0), (4, 0.0)]
    assert errors.mae == pytest.approx(4 / 3)


def test_many_labels_and_missing_files_have_no_predictions(tmp_path):
    assert read_predictions(tmp_path / "none.csv", "classification") is None
    (tmp_path / "p.csv").write_text("row\n1\n")
    assert read_predictions(tmp_path / "p.csv", "multilabel") is None
    assert read_label_predictions(tmp_path / "p.csv") is None
    assert read_label_predictions(tmp_path / "none.csv") is None


def test_labels_survive_the_file(tmp_path):
    (tmp_path / "p.csv").write_text(
        "row,target a,target b,prediction a,prediction b,probability a,probability b\n"
        "1,1,0,1,1,0.9,0.6\n2,0,0,0,0,0.2,0.1\n"
    )
    found = read_label_predictions(tmp_path / "p.csv")
    assert found.labels == ("a", "b")
    assert found.has.tolist() == [[True, False], [False, False]]
    assert found.probabilities.tolist() == [[0.9, 0.6], [0.2, 0.1]]
