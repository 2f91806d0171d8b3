"""Read sets of the data folder: one gzip table each, and a schema for them all."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder

VARIABLE = "MANYMINDS_DATA"


@dataclass(frozen=True)
class DataSet:
    """A table with its target.

    ``X`` has category columns for what the schema calls categorical and float
    columns for the rest; missing values are kept. ``y`` holds class numbers or
    floats.
    """

    name: str
    X: pd.DataFrame
    y: np.ndarray
    n_rows_stored: int

    @property
    def categorical(self):
        """Names of the category columns."""
        return list(self.X.select_dtypes("category").columns)

    @property
    def needs_preparation(self):
        """Whether there are categories or missing values."""
        return bool(self.categorical) or bool(self.X.isna().any(axis=None))


def find_folder(given=None):
    """The data folder: as given, by the environment, or beside the checkout."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(given or os.environ.get(VARIABLE) or beside)
    if not (folder / "SCHEMA.json").exists():
        raise SystemExit(
            "No data folder found. Give it by --data or by the environment variable "
            f"{VARIABLE}; it must hold SCHEMA.json and NAME.csv.gz for each set."
        )
    return folder


def read_set(folder, name, task, max_rows):
    """Read a set; of more than ``max_rows`` rows, draw that many with a fixed seed."""
    table = pd.read_csv(folder / f"{name}.csv.gz", keep_default_na=False, na_values="")
    n_rows_stored = len(table)
    if n_rows_stored > max_rows:
        table = table.sample(max_rows, random_state=0).sort_index()
    X = table.drop(columns="target").reset_index(drop=True)
    schema = json.loads((folder / "SCHEMA.json").read_text())
    named = schema.get(name, {}).get("categorical", [])
    categorical = set(X.columns if named == "all" else named)
    for column in X.columns:
        kind = _as_category if column in categorical else pd.to_numeric
        X[column] = kind(X[column])
    X = X.astype({c: np.float64 for c in X.columns if c not in categorical})
    return DataSet(name, X, _target(table["target"], task), n_rows_stored)


def preparation(data):
    """Median for missing numbers, one column per category (missing is one, too)."""
    categorical = data.categorical
    numeric = [column for column in data.X.columns if column not in categorical]
    return make_column_transformer(
        (SimpleImputer(strategy="median", keep_empty_features=True), numeric),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), categorical),
    )


def _as_category(column):
    """Text categories, so that one-hot columns do not depend on number formats."""
    text = column.map(str, na_action="ignore").astype(object)
    return text.astype("category")


def _target(column, task):
    if task == "regression":
        return column.to_numpy(np.float64)
    return np.unique(column.astype(str), return_inverse=True)[1]
