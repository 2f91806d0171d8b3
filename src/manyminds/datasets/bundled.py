"""Data sets without a download: scikit-learn's, and those defined by a rule."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from sklearn import datasets as theirs

from manyminds.datasets.dataset import Dataset, DatasetNotFoundError
from manyminds.datasets.frames import from_arrays
from manyminds.datasets.names import suggest_close
from manyminds.utils.errors import PythonHint

__all__ = ["bundled_datasets", "load_dataset"]


def bundled_datasets() -> list[str]:
    """Return the names of the bundled data sets.

    Returns
    -------
    names : list of str
        Names for ``load_dataset``, sorted.

    Examples
    --------
    >>> from manyminds.datasets import bundled_datasets
    >>> bundled_datasets()
    ['balance-scale', 'diabetes-progression', 'digits', 'iris', 'monks-1-all',
    'monks-2-all', 'monks-3-all', 'tic-tac-toe', 'wdbc', 'wine']
    """
    return sorted(_MAKERS)


def load_dataset(name: str) -> Dataset:
    """Load a data set that needs no download.

    ``digits``, ``iris``, ``wdbc`` and ``wine``, and ``diabetes-progression`` in its own
    units, are scikit-learn's. The others are generated from their definitions:

    - ``balance-scale``: 625 ways to load a balance, and the side to which it tips;
    - ``monks-1-all`` to ``monks-3-all``: the 432 robots of each of the Monk's problems
      with their true classes. (The set usually called monks-1 also has training rows;
      those of monks-3 have label noise.)
    - ``tic-tac-toe``: the 958 boards on which a game can end, and whether x, who moves
      first, has won.

    Parameters
    ----------
    name : str
        One of ``bundled_datasets()``.

    Returns
    -------
    data : Dataset
        The set.

    Examples
    --------
    >>> from manyminds.datasets import load_dataset
    >>> print(load_dataset("balance-scale").describe())
    balance-scale: 625 rows, 4 numeric and 0 categorical columns
    missing cells: 0
    task: classification, 3 classes: R 288, L 288, B 49
    source: all combinations of four numbers from 1 to 5
    """
    if name not in _MAKERS:
        raise DatasetNotFoundError(
            f"No bundled data set is called {name!r}. "
            f"{suggest_close(name, list(_MAKERS))}",
            PythonHint("See bundled_datasets()."),
            name=name,
        )
    return _MAKERS[name](name)


def _iris(name: str) -> Dataset:
    bunch = theirs.load_iris(as_frame=True)
    columns = ["sepallength", "sepalwidth", "petallength", "petalwidth"]
    labels = "Iris-" + bunch.target_names.astype(object)
    note = (
        "in centimetres; Fisher's own values, of which the UCI Repository's copy has "
        "two rows wrong"
    )
    return _classified(name, bunch.data.set_axis(columns, axis=1), bunch, labels, note)


def _wine(name: str) -> Dataset:
    bunch = theirs.load_wine(as_frame=True)
    columns = [column.capitalize() for column in bunch.data.columns]
    columns = [c.replace("Od280/od315", "OD280/OD315") for c in columns]
    cultivars = np.array([1, 2, 3])
    return _classified(name, bunch.data.set_axis(columns, axis=1), bunch, cultivars)


def _wdbc(name: str) -> Dataset:
    bunch = theirs.load_breast_cancer(as_frame=True)
    note = "Wisconsin diagnostic breast cancer"
    return _classified(name, bunch.data, bunch, bunch.target_names, note)


def _digits(name: str) -> Dataset:
    bunch = theirs.load_digits(as_frame=True)
    return _classified(name, bunch.data, bunch, bunch.target_names)


def _classified(
    name: str, X: pd.DataFrame, bunch: Any, labels: Any, note: str = ""
) -> Dataset:
    y = np.asarray(labels)[bunch.target.to_numpy()]
    task, source = "classification", "comes with scikit-learn"
    return from_arrays(X, y, task=task, name=name, source=source, note=note)


def _diabetes_progression(name: str) -> Dataset:
    bunch = theirs.load_diabetes(as_frame=True, scaled=False)
    return from_arrays(
        bunch.data.round(
            4
        ),  # exact in text; the last bit depends on the version of pandas
        bunch.target,
        task="regression",
        categorical=["sex"],
        name=name,
        source="comes with scikit-learn",
        note="progression after one year; not the Pima Indians set called diabetes",
    )


def _balance_scale(name: str) -> Dataset:
    columns = ["left-weight", "left-distance", "right-weight", "right-distance"]
    X = _all_combinations(columns, [5, 5, 5, 5])
    pull = X["left-weight"] * X["left-distance"]
    pull -= X["right-weight"] * X["right-distance"]
    y = np.array(["B", "L", "R"], dtype=object)[np.sign(pull).astype(int)]
    source = "all combinations of four numbers from 1 to 5"
    return from_arrays(X, y, task="classification", name=name, source=source)


def _monks(name: str) -> Dataset:
    columns = [f"f{place}" for place in range(1, 7)]
    X = _all_combinations(columns, [3, 3, 2, 3, 4, 2])
    a = X.to_numpy().T
    rules = {
        "monks-1-all": (a[0] == a[1]) | (a[4] == 1),
        "monks-2-all": np.sum(a == 1, axis=0) == 2,
        "monks-3-all": ((a[4] == 3) & (a[3] == 1)) | ((a[4] != 4) & (a[1] != 3)),
    }
    return from_arrays(
        X,
        rules[name].astype(int),
        task="classification",
        categorical="all",
        name=name,
        source="all combinations of six attributes of a robot",
        note="the Monk's problems; true classes, without noise",
    )


def _tic_tac_toe(name: str) -> Dataset:
    sides = [("top", "middle", "bottom"), ("left", "middle", "right")]
    columns = [f"{row}-{column}-square" for row, column in product(*sides)]
    boards = [(board, _winner(board)) for board in product("xob", repeat=9)]
    # In the order of the UCI Repository: x wins, o wins, nobody does.
    ends = [end for winner in "xo-" for end in boards if end[1] == winner]
    return from_arrays(
        pd.DataFrame([board for board, _ in ends], columns=columns),
        np.array(
            ["positive" if w == "x" else "negative" for _, w in ends], dtype=object
        ),
        task="classification",
        name=name,
        source="all boards on which a game of tic-tac-toe can end",
        note="x moves first; positive: x has won; b is a blank square",
    )


def _winner(board: tuple[str, ...]) -> str:
    """Return the winner, "-" for a draw, or "" if no game ends on this board."""
    n_x, n_o = board.count("x"), board.count("o")
    lines = [board[0:3], board[3:6], board[6:9], board[0::3], board[1::3], board[2::3]]
    lines += [board[0::4], board[2:7:2]]
    x_wins, o_wins = ("x",) * 3 in lines, ("o",) * 3 in lines
    if x_wins and not o_wins and n_x == n_o + 1:
        return "x"
    if o_wins and not x_wins and n_x == n_o:
        return "o"
    return "-" if n_x == 5 and n_o == 4 and not x_wins and not o_wins else ""


def _all_combinations(columns: list[str], n_values: list[int]) -> pd.DataFrame:
    """Return all rows of numbers from 1 to ``n_values``, the last column fastest."""
    rows = product(*(range(1, n + 1) for n in n_values))
    return pd.DataFrame(list(rows), columns=columns)


_MAKERS: dict[str, Callable[[str], Dataset]] = {
    "balance-scale": _balance_scale,
    "diabetes-progression": _diabetes_progression,
    "digits": _digits,
    "iris": _iris,
    "monks-1-all": _monks,
    "monks-2-all": _monks,
    "monks-3-all": _monks,
    "tic-tac-toe": _tic_tac_toe,
    "wdbc": _wdbc,
    "wine": _wine,
}
