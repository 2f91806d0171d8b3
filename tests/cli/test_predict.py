"""``manyminds predict`` tells what a kept model says, and takes bad input kindly."""

import json
import os

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score
from sklearn.pipeline import make_pipeline

from manyminds.analysis import ConformalSets
from manyminds.datasets import from_arrays, read_table
from manyminds.experiments.preparation import prepared
from manyminds.persistence.model_file import save_model
from manyminds.preprocessing import DateEncoder
from manyminds.trees import DecisionTreeClassifier, DecisionTreeRegressor

COMMAND = "predict"
pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def kept(folder, seed):
    """Keep a model that tells cats from dogs; give the rows to predict and the tree."""
    rng = np.random.default_rng(seed)
    kind = rng.permutation(np.arange(60) % 2)
    frame = pd.DataFrame(
        {
            "zone": [f"{i:02d}" for i in rng.integers(0, 5, 60)],
            "size": rng.normal(size=60) + 3 * kind,
            "kind": np.array(["cat", "dog"])[kind],
        }
    )
    frame.to_csv("old.csv", index=False)
    data = read_table("old.csv", target="kind", categorical=["zone"])
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(data.X, data.y)
    save_model("model.skops", tree, data, about={"metric": "accuracy"}, target="kind")
    new = frame.drop(columns="kind").head(10)
    new.to_csv("new.csv", index=False)
    return data.take(slice(0, 10)), tree


@pytest.mark.slow
def test_predictions_go_to_the_screen(call, kept):
    data, tree = kept
    code, out, err = call(".", "new.csv")
    assert code == 0 and err == ""
    lines = [line.split(",") for line in out.splitlines()]
    assert lines[0] == ["prediction", "probability cat", "probability dog"]
    assert [line[0] for line in lines[1:]] == tree.predict(data.X).tolist()
    shares = np.array([line[1:] for line in lines[1:]], dtype=float)
    np.testing.assert_array_equal(shares, tree.predict_proba(data.X))


def test_predictions_go_to_a_file(call, kept, folder):
    data, tree = kept
    code, out, _ = call("model.skops", "new.csv", "--out", "told.csv")
    assert code == 0 and out == "Written: told.csv\n"
    told = pd.read_csv(folder / "told.csv")
    assert told["prediction"].tolist() == tree.predict(data.X).tolist()


def test_json(call, kept):
    data, tree = kept
    code, out, _ = call(".", "new.csv", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["score"] is None and found["file"] is None
    told = [row["prediction"] for row in found["predictions"]]
    assert told == tree.predict(data.X).tolist()


def test_with_the_target_the_score_is_told(call, kept):
    data, tree = kept
    frame = pd.read_csv("old.csv", dtype=str).head(10)
    frame.loc[0, "kind"] = np.nan
    frame.to_csv("new.csv", index=False)
    expected = tree.score(data.X.iloc[1:], data.y[1:])
    code, out, err = call(".", "new.csv")
    assert code == 0 and len(out.splitlines()) == 11
    assert err == f"accuracy of these 9 rows: {expected:.6g}"
    score = json.loads(call(".", "new.csv", "--json")[1])["score"]
    assert score == {"metric": "accuracy", "value": expected, "n_rows": 9}
    frame.iloc[1:2].to_csv("new.csv", index=False)
    assert call(".", "new.csv")[2].startswith("accuracy of this row: ")
    frame.assign(kind="horse").to_csv("new.csv", index=False)
    code, _, err = call(".", "new.csv")
    assert code == 0 and "not scored. The model has no class 'horse'" in err


def test_numbers_are_scored_as_losses_are_read(call, kept, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"x": rng.normal(size=40)})
    data = from_arrays(X, rng.normal(size=40), task="regression")
    tree = prepared(DecisionTreeRegressor(max_depth=2)).fit(data.X, data.y)
    save_model("line.skops", tree, data, about={"metric": "rmse"}, target="y")
    X.assign(y=data.y).to_csv("new.csv", index=False)
    code, out, err = call("line.skops", "new.csv", "--json")
    expected = np.sqrt(np.mean((tree.predict(data.X) - data.y) ** 2))
    score = json.loads(out)["score"]
    assert score["metric"] == "rmse"
    np.testing.assert_allclose(score["value"], expected)
    assert code == 0 and "rmse of these 40 rows" in err


@pytest.mark.parametrize("metric", ["auc", "balanced_error", "f1", "somebody's own"])
def test_classes_are_scored_by_the_metric_of_the_search(call, kept, metric):
    data, tree = kept
    save_model("model.skops", tree, data, about={"metric": metric}, target="kind")
    pd.read_csv("old.csv", dtype=str).head(10).to_csv("new.csv", index=False)
    said, chance = tree.predict(data.X), tree.predict_proba(data.X)[:, 1]
    expected = {
        "auc": roc_auc_score(data.y, chance),
        "balanced_error": 1.0 - balanced_accuracy_score(data.y, said),
        "f1": f1_score(data.y, said, average="macro"),
    }.get(metric, np.mean(said == data.y))
    score = json.loads(call(".", "new.csv", "--json")[1])["score"]
    named = {"f1": "f1_macro", "somebody's own": "accuracy"}
    assert score["metric"] == named.get(metric, metric)
    assert score["value"] == pytest.approx(expected)


def test_sparse_tables(call, seed):
    rng = np.random.default_rng(seed)
    from scipy.sparse import csr_array

    X = csr_array(rng.normal(size=(20, 3)))
    data = from_arrays(X, np.arange(20) % 2, task="classification")
    tree = DecisionTreeClassifier(random_state=0).fit(data.X, data.y)
    save_model("thin.skops", tree, data)
    with open("new.svm", "w") as file:
        file.write("0 1:0.5\n0 2:1.5\n")
    code, out, _ = call("thin.skops", "new.svm")
    told = tree.predict(csr_array([[0.5, 0, 0], [0, 1.5, 0]]))
    assert code == 0
    assert [line.split(",")[0] for line in out.splitlines()[1:]] == list(map(str, told))


def test_what_deserves_a_note_gets_one(call, kept):
    frame = pd.read_csv("new.csv", dtype=str).assign(shoe=1)
    frame.loc[0, "zone"] = "99"
    frame.to_csv("new.csv", index=False)
    code, out, err = call(".", "new.csv")
    assert code == 0 and len(out.splitlines()) == 11
    assert "Note: 1 columns that the model does not know" in err and "'shoe'" in err
    assert "Column 'zone' holds 1 categories" in err and "'99'" in err


# ------------------------------------------------------------------ what goes wrong


@pytest.mark.parametrize(
    "text, said",
    [
        (b"", "the file is empty"),
        (b"zone,size\n", "no rows"),
        (b"zone\n01\n", "needs the column 'size'"),
        (b"zone,sise\n01,2\n", "perhaps called 'sise'"),
        (b"zone,size\n01,2,3\n", "more cells than the 2 of the header"),
        (b"zone,size\n01\n", "line 2 has 1 cells, the header 2"),
        (b"zone,size\n01,big\n", "'size' holds numbers in the model, but text"),
        ("zone,size\n01,2\n".encode("utf-16"), "save it as UTF-8"),
    ],
)
def test_bad_tables_are_told_in_a_sentence(call, kept, folder, text, said):
    (folder / "bad.csv").write_bytes(text)
    before = sorted(os.listdir())
    code, out, err = call(".", "bad.csv", "--out", "told.csv")
    assert code == 2 and out == ""
    assert said in err and "Traceback" not in err
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize(
    "words, said",
    [
        ((), "Missing argument 'MODEL'"),
        ((".",), "Missing argument 'NEW'"),
        (("nowhere", "new.csv"), "there is none at 'nowhere'"),
        ((".", "nowhere.csv"), "there is none at 'nowhere.csv'"),
        (("new.csv", "new.csv"), "no model file"),
        ((".", "model.skops"), "must end in one of"),
        ((".", "new.csv", "--out", "no/such/file.csv"), "there is no folder"),
        ((".", "new.csv", "--out", "."), "is a folder"),
    ],
)
def test_bad_arguments_are_told_in_a_sentence(call, kept, words, said):
    code, out, err = call(*words)
    assert code == 2 and out == ""
    assert said in err and "Traceback" not in err


def test_columns_that_are_all_missing(call, kept, folder):
    (folder / "void.csv").write_text("zone,size\n?,?\n,NA\n")
    code, out, _ = call(".", "void.csv")
    assert code == 0 and len(out.splitlines()) == 3


def test_codes_and_dates_come_back_as_they_were_read(call, folder):
    days = pd.date_range("2024-01-01", periods=60)
    frame = pd.DataFrame({"day": days.strftime("%Y-%m-%d")})
    frame["class"] = np.where(days.day_of_week > 4, "01", "02")
    frame.to_csv("dated.csv", index=False)
    data = read_table("dated.csv")
    model = make_pipeline(DateEncoder(), DecisionTreeClassifier(random_state=0))
    save_model("model.skops", model.fit(data.X, data.y), data, target="class")
    code, out, err = call(".", "dated.csv")
    assert code == 0 and err == "accuracy of these 60 rows: 1"
    assert out.splitlines()[0] == "prediction,probability 01,probability 02"
    assert [line[:2] for line in out.splitlines()[1:]] == frame["class"].tolist()


def test_infinite_numbers_are_refused(call, kept):
    pd.DataFrame({"zone": ["01"], "size": [np.inf]}).to_csv("new.csv", index=False)
    code, out, err = call(".", "new.csv")
    assert code == 2 and out == ""
    assert "Column 'size' holds 1 infinite value, first in row 1" in err


def test_sets_of_classes_and_unlike_rows(call, kept, folder):
    _, tree = kept
    whole = read_table("old.csv", target="kind", categorical=["zone"])
    codes = np.searchsorted(["cat", "dog"], whole.y)
    sets = ConformalSets.calibrate(tree.predict_proba(whole.X), codes)
    save_model("m.skops", tree, whole, target="kind", calibration=sets)
    new = pd.read_csv("new.csv", dtype={"zone": str})
    new.loc[0, "size"] = 1e6
    new.to_csv("far.csv", index=False)
    code, out, err = call(
        "m.skops", "far.csv", "--interval", "0.9", "--by-class", "--flag-unlike"
    )
    assert code == 0 and "1 of 10 rows is unlike" in " ".join(err.split())
    lines = out.splitlines()
    assert lines[0].endswith("set,unlike") and lines[1].endswith(",True")
    assert lines[2].split(",")[-2] in ("cat", "dog", "cat|dog")


def test_intervals_need_a_calibrated_model(call, kept):
    code, _, err = call(".", "new.csv", "--interval", "0.9")
    assert code == 2 and "has no calibration" in " ".join(err.split())
    code, _, err = call(".", "new.csv", "--interval", "2")
    assert code == 2 and "--interval must be between 0 and 1" in err
