"""Columns are selected as the command selects them."""

import numpy as np
import pandas as pd
import pytest

from manyminds.utils.errors import InputError, InputWarning, ParameterError
from manyminds.workflows import run_selection


def test_informative_columns_are_kept(tmp_path, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(80) % 2
    frame = pd.DataFrame(rng.normal(size=(80, 5)), columns=list("abcde"))
    frame["a"] += 4 * y
    frame["kind"] = np.where(y == 1, "yes", "no")
    steps = []
    result = run_selection(
        frame,
        "kind",
        n_features=1,
        n_resamples=5,
        n_permutations=2,
        out=tmp_path,
        on_progress=steps.append,
    )
    assert result.columns == ["a"]
    assert result.summary.n_resamples == 6 and result.summary.n_permutations == 2
    assert [file.name for file in result.files] == ["selection.csv", "stability.svg"]
    written = pd.read_csv(tmp_path / "selection.csv")
    assert written["column"].tolist() == result.frequencies["column"].tolist()
    assert steps == ["read the table", "select columns"]


def test_missing_values_are_filled_with_a_warning(seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc"))
    frame["y"] = np.where(frame["a"] > 0, "yes", "no")
    frame.loc[::7, "b"] = np.nan
    with pytest.warns(InputWarning, match="mrmr takes no missing values"):
        run_selection(frame, "y", n_features=1, n_resamples=4, n_permutations=0)


@pytest.mark.parametrize(
    "options",
    [
        {"selector": "best"},
        {"threshold": 1.5},
        {"n_resamples": 1},
        {"n_permutations": -1},
        {"n_features": 5},
        {"n_jobs": 0},
    ],
)
def test_wrong_parameters_are_named(options):
    with pytest.raises(ParameterError) as caught:
        run_selection("iris", **options)
    assert {caught.value.parameter} == set(options)


@pytest.mark.filterwarnings("ignore::manyminds.utils.errors.InputWarning")
def test_halves_without_a_class_are_explained():
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [2.0, 1.0], "target": ["u", "v"]})
    with pytest.raises(InputError, match=r"on halves of the 2 rows of .*two classes"):
        run_selection(frame, n_resamples=2, n_permutations=0)
