"""Bundled sets are what their definitions and their sources say."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets.bundled import bundled_datasets, load_dataset
from manyminds.datasets.dataset import DatasetNotFoundError
from manyminds.datasets.folder import DataFolder


@pytest.mark.parametrize(
    ("name", "shape", "classes"),
    [
        ("balance-scale", (625, 4), {"L": 288, "B": 49, "R": 288}),
        ("digits", (1797, 64), None),
        ("iris", (150, 4), dict.fromkeys(["Iris-setosa", "Iris-versicolor"], 50)),
        ("monks-1-all", (432, 6), {0: 216, 1: 216}),
        ("monks-2-all", (432, 6), {0: 290, 1: 142}),
        ("monks-3-all", (432, 6), {0: 204, 1: 228}),
        ("tic-tac-toe", (958, 9), {"positive": 626, "negative": 332}),
        ("wdbc", (569, 30), {"benign": 357, "malignant": 212}),
        ("wine", (178, 13), {1: 59, 2: 71, 3: 48}),
    ],
)
def test_published_counts(name, shape, classes):
    data = load_dataset(name)
    assert data.name == name
    assert data.X.shape == shape
    assert data.n_missing == 0
    counts = Counter(data.y.tolist())
    assert classes is None or classes.items() <= counts.items()


def test_all_names_load():
    for name in bundled_datasets():
        assert load_dataset(name).n_samples > 0


def test_progression_of_diabetes_in_its_own_units():
    data = load_dataset("diabetes-progression")
    assert data.task == "regression"
    assert data.X["sex"].cat.categories.tolist() == ["1", "2"]
    assert data.X["age"].between(18, 80).all()


def test_content_does_not_depend_on_versions():
    # Computed once with the oldest and once with the newest libraries we support.
    fingerprints = {
        name: load_dataset(name).fingerprint[:8] for name in bundled_datasets()
    }
    assert fingerprints == {
        "balance-scale": "c50afec7",
        "diabetes-progression": "b15da22f",
        "digits": "faa2a9be",
        "iris": "27598d84",
        "monks-1-all": "aff7242b",
        "monks-2-all": "76722d74",
        "monks-3-all": "92058b8d",
        "tic-tac-toe": "524b3d4f",
        "wdbc": "c6f6c27b",
        "wine": "31673d6f",
    }


def test_each_call_gives_a_set_of_its_own():
    X = load_dataset("iris").X
    X.iloc[0, 0] = -1.0
    assert load_dataset("iris").X.iloc[0, 0] == 5.1


def ends_of_games(lines):
    """Play all games, a move at a time; give the boards on which they end."""
    boards, ends = {"b" * 9}, set()
    for move in range(10):
        won = {
            board
            for board in boards
            if any(board[a] == board[b] == board[c] != "b" for a, b, c in lines)
        }
        ends |= won if move < 9 else boards
        boards = {
            board[:place] + "xo"[move % 2] + board[place + 1 :]
            for board in boards - won
            for place in range(9)
            if board[place] == "b"
        }
    return ends


def test_tic_tac_toe_is_where_games_end():
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)]
    lines += [(0, 4, 8), (2, 4, 6)]
    ends = ends_of_games(lines)
    data = load_dataset("tic-tac-toe")
    boards = ["".join(row) for row in data.X.to_numpy().tolist()]
    assert len(boards) == len(set(boards))
    assert set(boards) == ends
    for board, label in zip(boards, data.y):
        wins = any(board[a] == board[b] == board[c] == "x" for a, b, c in lines)
        assert (label == "positive") == wins


def test_monks_by_their_definitions():
    rules = {
        1: lambda a: a[0] == a[1] or a[4] == 1,
        2: lambda a: list(a).count(1) == 2,
        3: lambda a: (a[4] == 3 and a[3] == 1) or (a[4] != 4 and a[1] != 3),
    }
    robots = list(
        product((1, 2, 3), (1, 2, 3), (1, 2), (1, 2, 3), (1, 2, 3, 4), (1, 2))
    )
    for number, rule in rules.items():
        data = load_dataset(f"monks-{number}-all")
        assert_array_equal(data.X.to_numpy().astype(int), robots)
        assert data.y.tolist() == [int(rule(robot)) for robot in robots]


def test_unknown_names():
    with pytest.raises(DatasetNotFoundError, match=r"Close: .*monks-1-all"):
        load_dataset("monks-1")


@pytest.mark.parametrize("name", ["balance-scale", "tic-tac-toe", "wine"])
def test_same_content_as_the_reproduction_data(shared_data, name):
    theirs = DataFolder(shared_data).load(name)
    assert load_dataset(name).fingerprint == theirs.fingerprint


@pytest.mark.parametrize("name", ["digits", "wdbc"])
def test_same_values_as_the_reproduction_data(shared_data, name):
    # Columns and classes have other names there.
    ours, theirs = load_dataset(name), DataFolder(shared_data).load(name)
    assert_array_equal(ours.X.to_numpy(), theirs.X.to_numpy())
    pairs = set(zip(ours.y.tolist(), theirs.y.tolist()))
    assert len(pairs) == len(ours.classes) == len(theirs.classes)


def test_iris_differs_from_the_reproduction_data_in_two_rows(shared_data):
    ours, theirs = load_dataset("iris"), DataFolder(shared_data).load("iris")
    differ = np.flatnonzero((ours.X.to_numpy() != theirs.X.to_numpy()).any(axis=1))
    assert differ.tolist() == [34, 37]
    assert_array_equal(ours.y, theirs.y)
    assert list(ours.X.columns) == list(theirs.X.columns)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_monks_are_the_test_rows_of_the_reproduction_data(shared_data, number):
    ours = load_dataset(f"monks-{number}-all")
    theirs = DataFolder(shared_data).load(f"monks-{number}")
    theirs = theirs.take(slice(theirs.n_samples - 432, None))

    def rows(data):
        cells = data.X.to_numpy().astype(str).tolist()
        return sorted((*row, label) for row, label in zip(cells, data.y.tolist()))

    assert rows(ours) == rows(theirs)
