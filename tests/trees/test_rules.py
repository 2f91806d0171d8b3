"""Rules say of every row what the tree says of it."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris

from manyminds.trees import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    MDLTreeClassifier,
    REPTreeClassifier,
    REPTreeRegressor,
)
from manyminds.trees.rules import export_rules


def holds(text, row):
    """Read one condition of a rule back, and ask it of a row (a dict)."""
    text, or_missing, _ = text.partition(" or missing")
    name = re.search(r"[a-z]\w*", text.split(" < ")[-1]).group()
    value, missing = row[name], pd.isna(row[name])
    if text.endswith("is missing"):
        return missing
    if text.endswith("is known"):
        return not missing
    if missing:
        return bool(or_missing)
    if " in {" in text:
        return str(value) in text[text.index("{") + 1 : -1].split(", ")
    low = re.search(r"^(\S+) < |> (\S+)$", text)
    high = re.search(r"<= (\S+)$", text)
    low = float(low.group(1) or low.group(2)) if low else -np.inf
    return low < value <= (float(high.group(1)) if high else np.inf)


def answers(rules, frame):
    """Find, for each row, the answer of the one rule that holds."""
    pattern = re.compile(r"IF (.*) THEN (\S+) \(([\d,]+) rows?(?:, (\d+)%)?\)")
    parsed = [pattern.fullmatch(line).groups() for line in rules.splitlines()]
    found = []
    for row in frame.to_dict("records"):
        fitting = [
            answer
            for asked, answer, *_ in parsed
            if asked == "true" or all(holds(c, row) for c in asked.split(" AND "))
        ]
        assert len(fitting) == 1
        found += fitting
    return parsed, np.array(found)


def test_worked_example():
    X, y = [[1.0], [2.0], [4.0], [5.0]], ["a", "b", "b", "b"]
    tree = DecisionTreeClassifier().fit(X, y)
    assert export_rules(tree) == (
        "IF x0 <= 1.50 THEN a (1 row, 100%)\nIF x0 > 1.50 THEN b (3 rows, 100%)"
    )
    leaf = DecisionTreeClassifier(min_samples_leaf=3).fit(X, y)
    assert export_rules(leaf) == "IF true THEN b (4 rows, 75%)"


@pytest.mark.parametrize(
    "Tree", [DecisionTreeClassifier, REPTreeClassifier, MDLTreeClassifier]
)
def test_rules_classify_as_trees_do(Tree):
    X, y = load_iris(return_X_y=True, as_frame=True)
    X.columns = ["a", "b", "c", "d"]
    tree = Tree().fit(X, y)
    parsed, found = answers(export_rules(tree, decimals=6), X)
    assert (found.astype(int) == tree.predict(X)).all()
    assert len(parsed) == tree.get_n_leaves()


@pytest.mark.parametrize("Tree", [DecisionTreeRegressor, REPTreeRegressor])
def test_rules_for_numbers(Tree):
    X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    X.columns = [f"f{j}" for j in range(10)]
    tree = Tree(max_depth=4).fit(X, y)
    _, found = answers(export_rules(tree, decimals=8), X)
    np.testing.assert_allclose(found.astype(float), tree.predict(X), atol=1e-6)


def test_categories_and_missing_values(seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "color": pd.Categorical(rng.choice(["red", "green", "blue"], 120)),
            "size": rng.normal(size=120),
            "age": np.where(rng.random(120) < 0.3, np.nan, rng.normal(size=120)),
        }
    )
    y = (frame["color"] == "red") ^ frame["age"].isna() ^ (frame["size"] > 0)
    tree = DecisionTreeClassifier(random_state=seed % 2**31).fit(frame, y)
    rules = export_rules(tree, decimals=9, show_missing=True)
    _, found = answers(rules, frame)
    assert (found == tree.predict(frame).astype(str)).all()
    assert "missing" in rules


def test_numbers_and_shares_of_rows():
    X, y = load_iris(return_X_y=True, as_frame=True)
    X.columns = ["a", "b", "c", "d"]
    parsed, found = answers(
        export_rules(
            DecisionTreeClassifier(max_leaf_nodes=4).fit(X, y),
            class_names=["one", "two", "three"],
            decimals=6,
        ),
        X,
    )
    assert sum(int(n) for _, _, n, _ in parsed) == 150
    names = np.array(["one", "two", "three"])[y]
    expected = np.mean(found == names)
    told = sum(int(n) * int(p) / 100 for _, _, n, p in parsed) / 150
    assert told == pytest.approx(expected, abs=0.01)


def test_says_what_is_wrong():
    tree = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="feature_names has 2 names"):
        export_rules(tree, feature_names=["a", "b"])
    with pytest.raises(ValueError, match="class_names has 3 names"):
        export_rules(tree, class_names=["a", "b", "c"])
