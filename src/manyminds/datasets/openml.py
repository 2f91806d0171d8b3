"""Fetch data sets from OpenML, with pinned versions of well-known names."""

import warnings
from os import PathLike
from typing import Any

import pandas as pd
from sklearn import datasets as theirs

from manyminds.datasets.dataset import Dataset, DatasetNotFoundError
from manyminds.datasets.frames import from_arrays

__all__ = ["OPENML", "fetch_openml_dataset"]

# Our names of data sets: the name and the version at OpenML.
OPENML: dict[str, tuple[str, int]] = {
    "abalone": ("abalone", 1),
    "anneal-orig": ("anneal", 1),
    "audiology": ("audiology", 1),
    "auto-mpg": ("autoMpg", 1),
    "autos": ("autos", 1),
    "balance-scale": ("balance-scale", 1),
    "bank8FM": ("bank8FM", 1),
    "breast-cancer": ("breast-cancer", 1),
    "breast-w": ("breast-w", 1),
    "cpu-act": ("cpu_act", 1),
    "credit-a": ("credit-approval", 1),
    "credit-g": ("credit-g", 1),
    "diabetes": ("diabetes", 1),
    "elevators": ("elevators", 1),
    "glass": ("glass", 1),
    "heart-c": ("heart-c", 1),
    "heart-h": ("heart-h", 1),
    "heart-statlog": ("heart-statlog", 1),
    "hepatitis": ("hepatitis", 1),
    "housing": ("boston", 1),
    "hypothyroid": ("hypothyroid", 1),
    "ionosphere": ("ionosphere", 1),
    "iris": ("iris", 1),
    "kin8nm": ("kin8nm", 1),
    "kr-vs-kp": ("kr-vs-kp", 1),
    "labor": ("labor", 1),
    "letter": ("letter", 1),
    "lymph": ("lymph", 1),
    "primary-tumor": ("primary-tumor", 1),
    "puma8NH": ("puma8NH", 1),
    "satimage": ("satimage", 1),
    "segment": ("segment", 1),
    "sick": ("sick", 1),
    "sonar": ("sonar", 1),
    "soybean": ("soybean", 1),
    "spambase": ("spambase", 1),
    "splice": ("splice", 1),
    "vehicle": ("vehicle", 1),
    "vote": ("vote", 1),
    "vowel": ("vowel", 2),
    "waveform": ("waveform-5000", 1),
    "wine": ("wine", 1),
    "winequality-red": ("wine-quality-red", 1),
    "zoo": ("zoo", 1),
}

# The regression problems among them. OpenML declares some of them as classes.
REGRESSION = frozenset(
    {
        "abalone",
        "auto-mpg",
        "bank8FM",
        "cpu-act",
        "elevators",
        "housing",
        "kin8nm",
        "puma8NH",
        "winequality-red",
    }
)


def fetch_openml_dataset(
    name: str,
    version: int | None = None,
    *,
    task: str | None = None,
    data_home: str | PathLike[str] | None = None,
    n_retries: int = 2,
) -> Dataset:
    """Fetch a data set from openml.org; scikit-learn caches it.

    Columns are numbers or categories as declared at OpenML. Its copies may differ from
    those of other sources in the names of columns and in the order of rows.

    Parameters
    ----------
    name : str
        A name in ``OPENML``, or OpenML's own name.
    version : int or None, default=None
        Version at OpenML. By default the version pinned in ``OPENML``; for other names
        the oldest active one, which may change.
    task : {"classification", "regression", "multilabel"} or None, default=None
        Type of the target. By default the usual one for names in ``OPENML``; for other
        names classification if the target is declared nominal, else regression.
    data_home : path, default=None
        Folder of the cache; scikit-learn's own if None.
    n_retries : int, default=2
        Number of retries after a network error.

    Returns
    -------
    data : Dataset
        The set; its ``source`` has the version.

    Raises
    ------
    DatasetNotFoundError
        If OpenML cannot be reached or does not have the set.

    Examples
    --------
    >>> from manyminds.datasets.openml import OPENML, fetch_openml_dataset
    >>> OPENML["credit-a"]
    ('credit-approval', 1)
    >>> fetch_openml_dataset("credit-a")  # doctest: +SKIP
    Dataset('credit-a', 690 rows, 6 numeric and 9 categorical columns, 2 classes)
    """
    pinned = version is None and name in OPENML
    their_name, their_version = OPENML[name] if pinned else (name, version or "active")
    if pinned and task is None:
        task = "regression" if name in REGRESSION else "classification"
    try:
        bunch = _fetch(their_name, their_version, data_home, n_retries)
    except (OSError, ValueError) as error:
        raise DatasetNotFoundError(
            f"OpenML did not return the data set {their_name!r} (version "
            f"{their_version}): {error}. Without a network, read a file by "
            "read_table() or a folder by DataFolder().",
            name=name,
        ) from error
    return _as_dataset(name, bunch, task)


def _fetch(name: str, version: Any, data_home: Any, n_retries: int) -> Any:
    with warnings.catch_warnings():
        # It warns of each failed attempt and of other active versions; the error and
        # the version in `source` have the same information.
        warnings.simplefilter("ignore", UserWarning)
        options = {"data_home": data_home, "n_retries": n_retries, "delay": 0.5}
        options |= {"name": name, "version": version, "as_frame": "auto"}
        try:
            return theirs.fetch_openml(parser="auto", **options)
        except TypeError:
            # With pandas 3.1, scikit-learn's fast parser fails on nominal values that
            # are all numbers; its slow one does not.
            return theirs.fetch_openml(parser="liac-arff", **options)


def _as_dataset(name: str, bunch: Any, task: str | None) -> Dataset:
    if bunch.target is None:
        raise DatasetNotFoundError(
            f"OpenML's data set {name!r} does not declare a target. Fetch it by "
            "scikit-learn's fetch_openml and convert it by from_frame().",
            name=name,
        )
    if task is None and isinstance(bunch.target, pd.Series):
        nominal = isinstance(bunch.target.dtype, pd.CategoricalDtype)
        task = "classification" if nominal else "regression"
    details = bunch.details
    source = f"OpenML: {details['name']}, version {details['version']}"
    if "id" in details:
        source += f", number {details['id']}"
    return from_arrays(
        bunch.data,
        bunch.target,
        task=task,
        missing_values=("",),
        name=name,
        source=source,
        drop_missing_target=True,
    )
