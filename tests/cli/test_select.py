"""``manyminds select`` tells which columns are found often, and how sure that is."""

import json
import os

import numpy as np
import pandas as pd
import pytest

from manyminds.cli.select import SELECTORS, _make_selector
from manyminds.datasets import load_dataset, read_table
from manyminds.feature_selection import StableSelector

COMMAND = "select"
pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def table(folder, seed):
    """Write a table with gaps of which two columns tell a class and a number."""
    rng = np.random.default_rng(seed)
    kind = rng.permutation(np.arange(90) % 2)
    frame = pd.DataFrame({f"x{i}": rng.normal(size=90) for i in range(4)})
    frame["size"] = rng.normal(size=90) + 6 * kind
    frame["hue"] = np.where(kind == 1, "red", "blue")
    frame.loc[::9, ["size", "hue"]] = np.nan
    frame["kind"] = np.array(["cat", "dog"])[kind]
    frame["price"] = kind + 0.1 * rng.normal(size=90)
    frame.to_csv("a.csv", index=False)
    return "a.csv"


def test_the_result_is_that_of_the_stable_selector(call):
    words = ("wine", "-k", "4", "--selector", "correlation", "--resamples", "10")
    code, out, err = call(*words, "--seed", "3", "--json")
    assert code == 0 and err == ""
    data = load_dataset("wine")
    expected = StableSelector(
        _make_selector("correlation", 4),
        n_resamples=10,
        n_features_to_select=4,
        random_state=3,
    ).fit(data.X, data.y)
    found = json.loads(out)
    assert found["stability"] == expected.stability_
    assert found["stability_interval"] == list(expected.stability_interval_)
    assert found["expected_false_selections"] is None
    frequencies = {one["column"]: one["frequency"] for one in found["columns"]}
    assert [frequencies[c] for c in data.X] == expected.selection_frequencies_.tolist()
    kept = {one["column"] for one in found["columns"] if one["kept"]}
    assert kept == set(data.X.columns[expected.support_]) and len(kept) == 4
    ranks = [one["rank"] for one in found["columns"]]
    assert ranks == list(range(1, 14))


@pytest.mark.parametrize("selector", SELECTORS)
@pytest.mark.parametrize("target, other", [("kind", "price"), ("price", "kind")])
def test_every_selector_finds_what_is_there(call, table, selector, target, other):
    words = (table, "--target", target, "--drop", other, "-k", "2")
    words = (*words, "--selector", selector, "--resamples", "6", "--json")
    code, out, err = call(*words)
    if selector == "ssv" and target == "price":
        assert code == 2 and "ssv needs classes" in err
        return
    assert code == 0
    assert ("fill them" in err) == (selector == "mrmr")
    kept = [one["column"] for one in json.loads(out)["columns"] if one["kept"]]
    # Six standard deviations, or all but the gaps. Copies of each other are shunned by
    # those that look for what is new: one of the two is always there.
    assert {"size", "hue"} & set(kept)
    if selector in ("correlation", "ssv", "forest"):
        assert set(kept) == {"size", "hue"}


def test_a_threshold_decides_by_frequency(call):
    words = ("wine", "-k", "3", "--resamples", "20", "--threshold", "0.9")
    code, out, _ = call(*words, "--json")
    found = json.loads(out)
    assert code == 0
    for one in found["columns"]:
        assert one["kept"] == (one["frequency"] >= 0.9)
    # q² / ((2 pi - 1) p), with q = 3 of p = 13 columns
    assert found["expected_false_selections"] == pytest.approx(9 / (0.8 * 13))
    _, out, _ = call(*words)
    assert "Expected to be kept by mistake: at most 0.87." in out


def test_people_get_a_table_and_words(call):
    code, out, _ = call("wine", "-k", "2", "--resamples", "5")
    assert code == 0
    assert out.count("kept") >= 3 and "2 of 13 columns are kept" in out
    assert "Stability" in out and "95 % interval" in out
    code, out, _ = call("wine", "-k", "13", "--resamples", "4")
    assert code == 0 and "no stability" in out


def test_by_default_half_of_few_columns(call):
    _, out, _ = call("wine", "--resamples", "4", "--json")
    assert json.loads(out)["n_kept"] == 7


def test_files_are_written(call, folder):
    code, out, _ = call("wine", "-k", "2", "--resamples", "4", "--out", "sel")
    assert code == 0 and "Written:" in out
    assert sorted(os.listdir("sel")) == ["selection.csv", "stability.svg"]
    frame = pd.read_csv("sel/selection.csv")
    assert list(frame) == ["column", "frequency", "rank", "kept"]
    assert len(frame) == 13 and frame["kept"].sum() == 2
    picture = (folder / "sel" / "stability.svg").read_text(encoding="utf-8")
    assert picture.lstrip().startswith("<?xml") and "</svg>" in picture


def test_the_seed_decides(call):
    words = ("wine", "-k", "3", "--resamples", "5", "--json", "--seed")
    first, again = call(*words, "1")[1], call(*words, "1")[1]
    assert first == again


def test_sparse_tables(call, folder, seed):
    rng = np.random.default_rng(seed)
    lines = [f"{i % 2} 1:{3 * (i % 2) + rng.normal():.3f} 2:{i}" for i in range(40)]
    (folder / "thin.svm").write_text("\n".join(lines))
    assert read_table("thin.svm").task == "classification"
    words = ("thin.svm", "-k", "1", "--resamples", "4", "--selector", "correlation")
    code, out, _ = call(*words, "--json")
    assert code == 0
    assert [c["column"] for c in json.loads(out)["columns"]] == ["x0", "x1"]


@pytest.mark.parametrize(
    "words, said",
    [
        (("wine", "-k", "14"), "-k is 14, but wine has 13 columns"),
        (("wine", "-k", "0"), "-k"),
        (("wine", "--selector", "best"), "takes mrmr, correlation"),
        (("wine", "--threshold", "1.5"), "takes a share above 0, up to 1; got 1.5"),
        (("wine", "--resamples", "1"), "--resamples"),
        (("diabetes-progression", "--selector", "ssv"), "ssv needs classes"),
        (("nowhere.csv",), "there is none at 'nowhere.csv'"),
    ],
)
def test_bad_arguments_are_told_in_a_sentence(call, words, said):
    code, out, err = call(*words, "--out", "sel")
    assert code == 2 and out == ""
    assert said in err.replace(" │ │ ", " ") and "Traceback" not in err
    assert os.listdir() == []


def test_ten_thousand_categories_are_refused(call, folder, seed):
    rng = np.random.default_rng(seed)
    n_rows = 10_000
    kind = rng.permutation(np.arange(n_rows) % 2)
    frame = pd.DataFrame(
        {
            "word": [f"w{i}" for i in rng.permutation(n_rows)],
            "void": np.nan,
            "x": rng.normal(size=n_rows) + 4 * kind,
            "kind": kind,
        }
    )
    frame.to_csv("words.csv", index=False)
    words = ("words.csv", "--target", "kind", "--resamples", "3", "-k", "1")
    code, out, err = call(*words, "--out", "sel")
    assert code == 2 and out == ""
    assert "more than 255 categories" in err and "word (10,000). Name them in" in err
    assert os.listdir() == ["words.csv"]
    code, out, err = call(*words, "--drop", "word", "--selector", "forest", "--json")
    assert code == 0 and err == ""
    assert [c["column"] for c in json.loads(out)["columns"]] == ["x", "void"]
