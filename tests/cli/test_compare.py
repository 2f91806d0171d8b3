"""``manyminds compare`` tells the result, keeps it, and takes bad input kindly."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.experiments import open_store
from manyminds.experiments.methods import parse_methods
from manyminds.utils.databases import hide_password
from manyminds.workflows.comparison import METHODS

QUICK = "knn, dummy, nb"
DOCS = Path(__file__).parents[2] / "docs" / "howto" / "compare.rst"

COMMAND = "compare"
pytestmark = pytest.mark.usefixtures("folder")


def write_table(path, seed, n_rows=60, gaps=True):
    """Write a table of which a number, a category and gaps tell the classes."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 2, n_rows)
    frame = pd.DataFrame(
        {
            "id": np.arange(n_rows),
            "size": rng.normal(size=n_rows) + 3 * kind,
            "hue": np.where(rng.random(n_rows) < 0.8, kind, 1 - kind),
            "price": rng.normal(size=n_rows) + kind,
            "kind": np.array(["cat", "dog"])[kind],
        }
    )
    frame["hue"] = frame["hue"].map({0: "red", 1: "blue"})
    if gaps:
        frame.loc[::7, "size"] = np.nan
    frame.to_csv(path, index=False)
    return str(path)


# ------------------------------------------------------------------ results


def test_scores_are_those_of_scikit_learn(call):
    code, out, _ = call("iris", "-m", "knn, dummy", "--cv", "2x5", "--json")
    assert code == 0
    summary = json.loads(out)["summaries"]["accuracy"]
    X, y = load_iris(return_X_y=True)
    model = make_pipeline(StandardScaler(), KNeighborsClassifier())
    folds = [StratifiedKFold(5, shuffle=True, random_state=s) for s in (0, 1)]
    expected = [cross_val_score(clone(model), X, y, cv=fold) for fold in folds]
    near = summary["cells"][0]
    assert (near["dataset"], near["method"], near["n"]) == ("iris", "knn", 10)
    assert_allclose(near["scores"], np.concatenate(expected))
    assert_allclose(near["mean"], np.mean(expected))
    assert summary["against_best"][0]["method"] == "dummy"
    assert summary["against_best"][0]["p_value"] < 1e-6


def test_json_is_all_that_is_written(call):
    code, out, err = call("iris", "wine", "-m", QUICK, "--cv", "3", "--json")
    assert code == 0 and err == ""
    found = json.loads(out)
    assert found["n_new"] == 18
    assert found["command"].startswith("manyminds compare iris wine --cv 3")
    assert found["store"] == "manyminds.sqlite"
    assert found["summaries"]["accuracy"]["over_datasets"]["names"] == [
        "knn",
        "dummy",
        "nb",
    ]


def test_people_get_a_table_and_words(call):
    code, out, _ = call("iris", "-m", QUICK, "--cv", "5")
    assert code == 0
    assert "nb" in out and "±" in out and "time per fold" in out
    assert "significantly better than dummy (p < 0.001)" in out
    assert "15 folds run" in out and "stored in manyminds.sqlite" in out


@pytest.mark.slow
def test_only_what_is_new_is_done(call):
    call("iris", "-m", "knn", "--cv", "5")
    _, out, _ = call("iris", "-m", "knn, nb", "--cv", "5")
    assert "5 folds run" in out and "(5 were stored before)" in out
    _, out, _ = call("iris", "-m", "knn, nb", "--cv", "2x5")
    assert "10 folds run" in out and "(10 were stored before)" in out
    store = open_store("manyminds.sqlite")
    assert len(store.find()) == 20
    store.close()


def test_defaults_suit_the_target(call):
    words = ("diabetes-progression", "-m", "ridge, dummy", "--cv", "2", "--json")
    code, out, _ = call(*words)
    assert code == 0
    [(metric, summary)] = json.loads(out)["summaries"].items()
    assert metric == "rmse" and not summary["higher_is_better"]
    assert summary["against_best"][0]["best"] == "ridge"
    for task, methods in METHODS.items():
        assert len(parse_methods(methods, task)) in (5, 6)


def test_several_metrics(call):
    metrics = ("--metric", "log_loss", "--metric", "accuracy")
    code, out, _ = call("iris", "-m", "nb, dummy", "--cv", "3", *metrics, "--json")
    assert code == 0
    assert list(json.loads(out)["summaries"]) == ["log_loss", "accuracy"]


def test_another_seed_draws_other_folds(call):
    scores = []
    for seed in ("0", "1"):
        _, out, _ = call("wine", "-m", "knn", "--cv", "3", "--seed", seed, "--json")
        scores.append(json.loads(out)["summaries"]["accuracy"]["cells"][0]["scores"])
    assert scores[0] != scores[1]


# ------------------------------------------------------------------ tables of one's own


@pytest.mark.slow
def test_tables_with_gaps_and_categories(call, folder, seed):
    path = write_table(folder / "animals.csv", seed)
    words = ("--target", "kind", "--drop", "id", "--cv", "3", "--json")
    code, out, _ = call(path, *words, "-m", "rf(n_estimators=10), svm, logistic")
    assert code == 0
    summary = json.loads(out)["summaries"]["accuracy"]
    assert summary["datasets"] == ["animals"] and summary["n_failed"] == 0
    # Three standard deviations apart: no method can miss what is there.
    assert all(cell["mean"] > 0.7 for cell in summary["cells"])


@pytest.mark.slow
def test_native_gives_the_raw_table_to_those_who_take_it(call, folder, seed):
    path = write_table(folder / "animals.csv", seed)
    words = (path, "--target", "kind", "--drop", "id", "--cv", "3", "--json")
    for native in (False, True):
        extra = ("--native",) if native else ()
        _, out, _ = call(*words, "-m", "tree, knn", *extra)
        found = json.loads(out)
        estimators = found["summaries"]["accuracy"]["estimators"]
        assert estimators["tree"].startswith("DecisionTree") == native
        assert estimators["knn"].startswith("Pipeline")
        assert "StandardScaler" in estimators["knn"]
        assert "StandardScaler" not in estimators["tree"]
        assert found["summaries"]["accuracy"]["n_failed"] == 0
        assert ("--native" in found["command"]) == native


def test_the_target_may_be_a_position(call, folder, seed):
    path = write_table(folder / "animals.csv", seed, gaps=False)
    words = (path, "--target", "-1", "--drop", "id", "-m", "nb", "--cv", "2", "--json")
    code, out, _ = call(*words)
    assert code == 0
    assert list(json.loads(out)["summaries"]) == ["accuracy"]


def test_sparse_tables_go_with_dense_ones(call, folder, seed):
    rng = np.random.default_rng(seed)
    lines = [f"{i % 2} 1:{i % 2 + rng.normal():.3f} 3:1.5" for i in range(40)]
    (folder / "thin.svm").write_text("\n".join(lines))
    words = ("iris", "thin.svm", "--task", "classification")
    code, out, _ = call(*words, "-m", "tree, knn", "--cv", "2", "--json")
    assert code == 0
    summary = json.loads(out)["summaries"]["accuracy"]
    assert summary["datasets"] == ["iris", "thin"] and summary["n_failed"] == 0


def test_suspicious_columns_are_told(call, folder, seed):
    path = write_table(folder / "animals.csv", seed)
    frame = pd.read_csv(path)
    frame["name"] = [f"animal-{i}" for i in range(len(frame))]
    frame.to_csv(path, index=False)
    code, _, err = call(path, "--target", "kind", "-m", "dummy", "--cv", "2")
    assert code == 0
    assert "Note:" in err and "name" in err


# ------------------------------------------------------------------ files


@pytest.mark.slow
def test_a_report_is_written(call, folder):
    code, out, _ = call("iris", "-m", QUICK, "--cv", "3", "--out", "report")
    assert code == 0 and "Written:" in out
    assert sorted(os.listdir(folder / "report")) == [
        "comparison.png",
        "comparison.svg",
        "report.html",
        "scores.csv",
    ]
    assert len(pd.read_csv(folder / "report" / "scores.csv")) == 9
    page = (folder / "report" / "report.html").read_text(encoding="utf-8")
    assert "manyminds compare iris --cv 3" in page


@pytest.mark.slow
def test_the_command_of_the_page_gives_the_same_again(call, folder):
    words = ("iris", "-m", "a=knn(n_neighbors=3), dummy", "--cv", "3", "--seed", "4")
    _, out, _ = call(*words, "--json")
    first = json.loads(out)
    again = shlex.split(first["command"])[2:]
    _, out, _ = call(*again, "--json", "--store", "another.sqlite")
    second = json.loads(out)
    assert second["n_new"] == 6
    for one, two in zip(
        first["summaries"]["accuracy"]["cells"],
        second["summaries"]["accuracy"]["cells"],
    ):
        assert one["scores"] == two["scores"] and one["method"] == two["method"]


# ------------------------------------------------------------------ what goes wrong


def test_failed_folds_are_told_and_the_rest_counts(call):
    methods = "knn(n_neighbors=200), dummy"
    code, out, _ = call("iris", "-m", methods, "--cv", "3")
    assert code == 0
    assert "knn(n_neighbors=200) failed 3 of 3 folds on iris: ValueError" in out
    code, out, _ = call("iris", "-m", methods, "--cv", "3", "--retry-failed", "--json")
    assert json.loads(out)["n_new"] == 3


def test_when_all_folds_fail_the_command_fails(call, folder):
    words = ("iris", "-m", "knn(n_neighbors=200)", "--cv", "3", "--out", "report")
    code, out, _ = call(*words)
    assert code == 1
    assert "failed 3 of 3 folds" in out
    assert not (folder / "report").exists()
    code, out, _ = call(*words, "--json")
    assert code == 1
    assert json.loads(out)["summaries"]["accuracy"]["n_failed"] == 3


@pytest.mark.parametrize(
    "words, said",
    [
        ((), "Missing argument 'DATA'"),
        (("nowhere.csv",), "there is none at 'nowhere.csv'"),
        (("no-such-set",), "No data set called 'no-such-set'"),
        (("iris", "diabetes-progression"), "have one task, but"),
        (("iris", "iris"), "'iris' more than once"),
        (("iris", "--task", "regression"), "must be classification, as iris is"),
        (
            ("iris", "--task", "guessing"),
            "--task must be one of classification",
        ),
        (("iris", "-m", "rff"), "'rff', which is no known method. Close: rf"),
        (("iris", "-m", "rf(n_trees=1)"), "has no parameter 'n_trees'"),
        (("iris", "-m", "linear"), "is a regressor; the target has classes"),
        (("iris", "-m", "rf("), "cannot be read"),
        (("iris", "--metric", "acuracy"), "did you mean 'accuracy'?"),
        (("iris", "--cv", "1"), "--cv must be REPEATSxFOLDS"),
        (("iris", "--cv", "0x5"), "--cv must be REPEATSxFOLDS"),
        (("iris", "--cv", "ten"), "got 'ten'"),
        (("iris", "--cv", "200"), "--cv must be at most 50 folds"),
        (("iris", "--seed", "-1"), "--seed"),
        (("iris", "--data", "nowhere"), "nowhere"),
    ],
)
def test_bad_input_is_told_in_a_sentence(call, folder, words, said):
    code, out, err = call(*words)
    assert code == 2 and out == ""
    assert said in err.replace(" │ │ ", " ")
    assert "Traceback" not in err


def test_the_same_data_under_two_names(call, folder, seed):
    for name in ("a.csv", "b.csv"):
        write_table(folder / name, seed)
    code, _, err = call("a.csv", "b.csv", "--target", "kind", "--drop", "id")
    assert code == 2 and "a and b hold the same data" in err


# ------------------------------------------------------------------ help and lists


def test_help_and_list(call):
    code, out, _ = call("--help")
    assert code == 0
    for word in ("--target", "--methods", "REPEATSxFOLDS", "examples"):
        assert word in out
    code, out, _ = call("--list-methods")
    assert code == 0
    lines = [line for line in out.splitlines() if "SVC" in line and "svm" in line]
    assert any("scaled" in line for line in lines)
    code, out, _ = call("--list-methods", "--task", "regression")
    assert "Ridge" in out and "SVC" not in out


@pytest.mark.slow
def test_the_docs_show_what_is_printed(call):
    # Versions of scikit-learn could differ in a last digit; so far they do not.
    lines = [line.strip() for line in DOCS.read_text(encoding="utf-8").splitlines()]
    [start] = [i for i, line in enumerate(lines) if "manyminds compare iris" in line]
    shown = lines[start + 1 : lines.index("", start)]
    code, out, _ = call(*shlex.split(lines[start])[3:])
    assert code == 0
    printed = [line.strip() for line in out.splitlines()]
    assert shown == printed[:-1]
    assert printed[-1].startswith("120 folds run in")


def test_passwords_are_not_shown():
    url = "postgresql://me:secret@host:5432/base"
    assert hide_password(url) == "postgresql://me:***@host:5432/base"
    assert hide_password("manyminds.sqlite") == "manyminds.sqlite"


@pytest.mark.slow
def test_the_command_runs_as_a_process(folder):
    words = ["compare", "iris", "-m", "nb, dummy", "--cv", "3", "--json"]
    path = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "manyminds", *words]
    done = subprocess.run(command, capture_output=True, text=True, env=path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["n_new"] == 6
