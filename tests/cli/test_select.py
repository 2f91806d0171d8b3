"""``manyminds select`` tells which columns are found often, and how sure that is."""

import json
import os

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import load_dataset, read_table
from manyminds.feature_selection import StableSelector
from manyminds.feature_selection.stability import null_interval
from manyminds.workflows.selection import SELECTORS

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
    words = (*words, "--permutations", "3")
    code, out, err = call(*words, "--seed", "3", "--json")
    assert code == 0 and err == ""
    data = load_dataset("wine")
    expected = StableSelector(
        SELECTORS["correlation"](n_features_to_select=4),
        n_resamples=10,
        resampling="complementary_pairs",
        n_permutations=3,
        n_features_to_select=4,
        random_state=3,
    ).fit(data.X, data.y)
    found = json.loads(out)
    assert found["stability"] == expected.stability_
    assert found["stability_interval"] == list(expected.stability_interval_)
    assert found["null_stability"] == expected.null_stability_.mean()
    assert found["null_interval"] == list(null_interval(expected.null_stability_))
    assert found["max_null_frequency"] == expected.null_frequencies_.max()
    assert found["expected_false_selections"] is None
    frequencies = {one["column"]: one["frequency"] for one in found["columns"]}
    assert [frequencies[c] for c in data.X] == expected.selection_frequencies_.tolist()
    kept = {one["column"] for one in found["columns"] if one["kept"]}
    assert kept == set(data.X.columns[expected.support_]) and len(kept) == 4
    ranks = [one["rank"] for one in found["columns"]]
    assert ranks == list(range(1, 14))
    for one in found["columns"]:
        beyond = one["frequency"] > found["max_null_frequency"]
        assert one["beyond_null"] == beyond


@pytest.mark.slow
@pytest.mark.parametrize("selector", SELECTORS)
@pytest.mark.parametrize("target, other", [("kind", "price"), ("price", "kind")])
def test_every_selector_finds_what_is_there(call, table, selector, target, other):
    words = (table, "--target", target, "--drop", other, "-k", "2")
    words = (*words, "--selector", selector, "--resamples", "6", "--json")
    words = (*words, "--permutations", "0")
    code, out, err = call(*words)
    if selector == "ssv" and target == "price":
        assert code == 2 and "ssv needs classes" in err
        return
    assert code == 0
    assert ("filled with" in err) == (selector == "mrmr")
    kept = [one["column"] for one in json.loads(out)["columns"] if one["kept"]]
    # Six standard deviations, or all but the gaps. Copies of each other are shunned by
    # those that look for what is new: one of the two is always there.
    assert {"size", "hue"} & set(kept)
    if selector in ("correlation", "ssv", "forest"):
        assert set(kept) == {"size", "hue"}


def test_a_threshold_decides_by_frequency(call):
    words = ("wine", "-k", "3", "--resamples", "20", "--threshold", "0.9")
    words = (*words, "--permutations", "0")
    code, out, _ = call(*words, "--json")
    found = json.loads(out)
    assert code == 0
    for one in found["columns"]:
        assert one["kept"] == (one["frequency"] >= 0.9)
    # q² / ((2 pi - 1) p), with q = 3 of p = 13 columns
    assert found["expected_false_selections"] == pytest.approx(9 / (0.8 * 13))
    _, out, _ = call(*words)
    assert "Expected number of falsely kept columns: at most 0.87." in out


def test_people_get_a_table_and_words(call):
    words = ("wine", "-k", "2", "--resamples", "5", "--permutations", "3")
    code, out, _ = call(*words)
    assert code == 0
    assert out.count("kept") >= 3 and "2 of 13 columns are kept" in out
    assert "on 6 halves" in out  # they come in pairs
    assert "Stability" in out and "95 % interval" in out
    assert "permuted targets" in out and "than a selection on noise" in out
    code, out, _ = call(*words[:-1], "0")
    assert code == 0 and "permuted" not in out
    words = ("wine", "-k", "13", "--resamples", "4", "--permutations", "1")
    code, out, _ = call(*words)
    assert code == 0 and "stability is undefined" in out


def test_by_default_half_of_few_columns(call):
    _, out, _ = call("wine", "--resamples", "4", "--permutations", "0", "--json")
    assert json.loads(out)["n_kept"] == 7


def test_files_are_written(call, folder):
    words = ("wine", "-k", "2", "--resamples", "4", "--permutations", "1")
    code, out, _ = call(*words, "--out", "sel")
    assert code == 0 and "Written:" in out
    assert sorted(os.listdir("sel")) == ["selection.csv", "stability.svg"]
    frame = pd.read_csv("sel/selection.csv")
    names = ["column", "frequency", "null_frequency", "beyond_null", "rank", "kept"]
    assert list(frame) == names
    assert len(frame) == 13 and frame["kept"].sum() == 2
    picture = (folder / "sel" / "stability.svg").read_text(encoding="utf-8")
    assert picture.lstrip().startswith("<?xml") and "</svg>" in picture


def test_the_seed_decides(call):
    words = ("wine", "-k", "3", "--resamples", "4", "--permutations", "1")
    words = (*words, "--json", "--seed")
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
        (
            ("wine", "-k", "14"),
            "--number must be between 1 and 13, the",
        ),
        (("wine", "-k", "0"), "-k"),
        (("wine", "--selector", "best"), "--selector must be one of mrmr, correlation"),
        (
            ("wine", "--threshold", "1.5"),
            "must be above 0 and at most 1; got 1.5",
        ),
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


def test_noise_is_not_called_stable(call, seed):
    # 100 rows, 50 columns, 5 of them selected: overlapping halves had a stability of
    # 0.16 to 0.26, "0 is chance", and columns "found on 82 %".
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(100, 50))).add_prefix("x")
    frame["y"] = rng.permutation(np.arange(100) % 2)
    frame.to_csv("noise.csv", index=False)
    words = ("noise.csv", "--target", "y", "-k", "5", "--selector", "correlation")
    code, out, _ = call(*words, "--permutations", "4", "--json")
    found = json.loads(out)
    assert code == 0
    low, high = found["stability_interval"]
    assert low < 0.0 < high
    # Four times the usual standard deviation, 0.06, of stability on such noise.
    assert abs(found["stability"]) < 0.25 and abs(found["null_stability"]) < 0.15
    assert 0.4 < found["max_null_frequency"] <= 1.0
    assert found["n_kept_beyond_null"] <= 1


def test_identifiers_are_left_out_or_pointed_out(call, seed):
    rng = np.random.default_rng(seed)
    kind = rng.permutation(np.arange(120) % 2)
    frame = pd.DataFrame({f"x{i}": rng.normal(size=120) for i in range(4)})
    frame["x0"] += 2.0 * kind
    frame["key"] = [f"k{i}" for i in rng.permutation(120)]
    frame["town"] = [f"t{i}" for i in rng.integers(70, size=120)]
    frame["row"] = np.arange(120)
    frame["kind"] = kind
    frame.to_csv("ids.csv", index=False)
    words = ("ids.csv", "--target", "kind", "-k", "1", "--resamples", "6")
    words = (*words, "--permutations", "0")
    for selector in ("correlation", "ssv", "information"):
        code, out, err = call(*words, "--selector", selector, "--json")
        assert code == 0 and "key is left out: a different text in each row." in err
        assert "row may be a counter of the rows" in err
        found = json.loads(out)
        assert list(found["identifiers"]) == ["key", "row"]
        frequencies = {one["column"]: one["frequency"] for one in found["columns"]}
        assert "key" not in frequencies and frequencies["x0"] == 1.0
    _, out, _ = call(*words, "--selector", "correlation")
    assert "a row counter?" in out
    frame[["key", "kind"]].to_csv("names.csv", index=False)
    code, _, err = call("names.csv", "--target", "kind")
    assert code == 2 and "nothing to select from" in err


def test_rare_categories_count_as_one(call, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": rng.normal(size=3000), "kind": np.arange(3000) % 2})
    frame["rare"] = [f"w{i // 2}" for i in rng.permutation(3000)]
    frame["word"] = [f"w{i // 10}" for i in rng.permutation(3000)]
    frame.to_csv("words.csv", index=False)
    words = ("words.csv", "--target", "kind", "--resamples", "2", "-k", "1")
    words = (*words, "--permutations", "0", "--selector", "correlation", "--json")
    code, out, err = call(*words)
    assert code == 2 and out == ""
    assert (
        "more than 255 categories" in err and "word (300). Leave them out with" in err
    )
    code, out, err = call(*words, "--drop", "word")
    assert code == 0 and "fewer than 10 rows count as one: rare." in err
    assert [c["column"] for c in json.loads(out)["columns"]] == ["x", "rare"]


def test_permutations_of_large_tables_are_few(call, monkeypatch):
    monkeypatch.setattr("manyminds.workflows.selection.MAX_NULL_CELLS", 20_000)
    words = ("wine", "-k", "2", "--resamples", "4", "--json")
    code, out, err = call(*words)
    assert code == 0 and "4 permuted targets are used instead of 10" in err
    assert json.loads(out)["n_permutations"] == 4
    assert json.loads(call(*words, "--permutations", "2")[1])["n_permutations"] == 2
