"""Relevance and redundancy of mRMR: which measure for which columns."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.feature_selection.associations.code_tables import (
    TINY,
    CodeTable,
    compute_association,
    count_table,
    joint_entropy,
)
from manyminds.feature_selection.filters.discretization import (
    code_target,
    make_code_table,
)
from manyminds.feature_selection.filters.numeric_pairs import NumericPairs

NUMERIC = ("f", "pearson")
INFORMATION = ("mutual_information", "symmetrical_uncertainty")


@dataclass(frozen=True)
class Columns:
    """A training set in the form that the measures need: numbers, codes, or both.

    Parameters
    ----------
    X : ndarray or sparse CSC matrix of shape (n_samples, n_numeric), or None
        The numeric columns, if a measure needs them.
    is_numeric : ndarray of bool of shape (n_features,)
        Which columns these are.
    y : ndarray of shape (n_samples,)
        Numbers, or codes of classes.
    n_classes : int or None
        None if the target is a number.
    table, target : CodeTable or None
        Codes of all columns and of the target, if a measure needs them.
    """

    X: Any
    is_numeric: Any
    y: Any
    n_classes: int | None
    table: CodeTable | None = None
    target: CodeTable | None = None


def choose_measures(relevance, redundancy, is_categorical, classes):
    """Resolve "auto"; refuse measures that do not apply to the columns.

    Returns
    -------
    relevance, redundancy : str
    """
    if relevance == "auto":
        relevance = redundancy if redundancy in INFORMATION else None
    if redundancy == "auto":
        redundancy = relevance if relevance in INFORMATION else None
    if relevance is None or redundancy is None:
        default = _choose_default(is_categorical, classes)
        relevance, redundancy = relevance or default[0], redundancy or default[1]
    for name, measure in (("relevance", relevance), ("redundancy", redundancy)):
        if measure in NUMERIC and is_categorical.any():
            raise ValueError(
                f"{name}={measure!r} takes numeric columns only; columns "
                f"{np.flatnonzero(is_categorical).tolist()} are categorical. Use "
                "'auto', 'mutual_information', 'symmetrical_uncertainty' or 'by_dtype'."
            )
    if relevance == "pearson" and classes is not None and len(classes) > 2:
        raise ValueError(
            "relevance='pearson' takes numbers or two classes as target; y has "
            f"{len(classes)} classes. Take 'f' or 'mutual_information'."
        )
    return relevance, redundancy


def _choose_default(is_categorical, classes):
    if not is_categorical.any():
        return ("pearson" if classes is None else "f"), "pearson"
    if is_categorical.all():
        return "mutual_information", "mutual_information"
    return "symmetrical_uncertainty", "symmetrical_uncertainty"


def prepare_columns(
    X, is_categorical, y, classes, weight, measures, discretize, n_bins, n_jobs
):
    """Discretize the columns, or take the numeric ones, as the measures need.

    Returns
    -------
    columns : Columns
    """
    needs_codes = any(one in INFORMATION or one == "by_dtype" for one in measures)
    needs_numbers = any(one in NUMERIC or one == "by_dtype" for one in measures)
    n_classes = None if classes is None else len(classes)
    is_numeric, table, target = ~is_categorical, None, None
    if needs_codes:
        codes, n_levels = code_target(y, classes, n_bins, weight)
        dtype = np.uint8 if n_levels <= 256 else np.uint16
        target = CodeTable(codes.astype(dtype)[None, :], [n_levels])
        table = make_code_table(
            X, is_categorical, codes, discretize, n_bins,
            sample_weight=weight, n_jobs=n_jobs,
        )  # fmt: skip
    if not needs_numbers:
        X = None
    elif not is_numeric.all():
        X = X[:, is_numeric]
    return Columns(X, is_numeric, y, n_classes, table, target)


def make_pairs(columns, weight, fold, measures, n_jobs=None, lockstep=False):
    """Compute the relevance of all columns; prepare to compute their redundancy.

    Parameters
    ----------
    columns : Columns
    weight : ndarray of shape (n_samples,) or None
    fold : ndarray of int of shape (n_samples,) or None
    measures : tuple of str
        Of relevance and of redundancy.
    n_jobs : int or None
    lockstep : bool, default=False
        Whether the members of an ensemble search in lockstep.

    Returns
    -------
    pairs : NumericPairs, CodePairs or MixedPairs
        ``relevance`` and ``constant`` are arrays of shape (n_splits, n_features);
        ``measure`` and ``measure_splits`` compute redundancy.
    """
    relevance, redundancy = measures
    options = (columns, weight, fold, measures, n_jobs, lockstep)
    pairs = _make_pairs(_find_family(redundancy), *options)
    if _find_family(relevance) != _find_family(redundancy):
        other = _make_pairs(_find_family(relevance), *options)
        pairs.relevance = other.relevance
    return pairs


def _find_family(measure):
    if measure in NUMERIC:
        return "numeric"
    return "coded" if measure in INFORMATION else "mixed"


def _make_pairs(family, columns, weight, fold, measures, n_jobs, lockstep):
    if family == "mixed" and not columns.is_numeric.any():
        family = "coded"
    if family != "numeric":
        shared = tuple(
            one if one in INFORMATION else INFORMATION[0] for one in measures
        )
        coded = CodePairs(columns.table, weight, fold, columns.target, shared, n_jobs)
        if family == "coded":
            return coded
    default = "pearson" if columns.n_classes is None else "f"
    relevance = measures[0] if measures[0] in NUMERIC else default
    if weight is None:
        weight = np.ones(len(columns.y))
    numeric = NumericPairs(
        columns.X, weight, fold, columns.y, columns.n_classes, relevance, lockstep
    )
    if family == "numeric":
        return numeric
    return MixedPairs(numeric, coded, columns.is_numeric)


class CodePairs:
    """Mutual information of columns of codes, from their contingency tables.

    Parameters
    ----------
    table : CodeTable
    weight : ndarray of shape (n_samples,) or None
    fold : ndarray of int of shape (n_samples,) or None
    target : CodeTable
        Its one column is the target.
    measures : tuple of two of {"mutual_information", "symmetrical_uncertainty"}
        For the relevance, and for the redundancy.
    n_jobs : int or None

    Attributes
    ----------
    relevance : ndarray of shape (n_splits, n_features)
        Information of each column about the target.
    constant : ndarray of bool of shape (n_splits, n_features)
        Which columns have a single level in which split.
    """

    def __init__(self, table, weight, fold, target, measures, n_jobs=None):
        self._counted, self._n_jobs = count_table(table, weight, fold), n_jobs
        self._measure = measures[1]
        self._everything = np.arange(table.n_features)
        self.constant = self._counted.entropy <= TINY
        target = count_table(target, weight, fold)
        h_xy = joint_entropy(
            target, [0], self._counted, self._everything, n_jobs=n_jobs
        )[0]
        self.relevance = compute_association(
            measures[0], self._counted.entropy, target.entropy, h_xy
        )

    def measure(self, features, candidates=None):
        """Associate each of ``features`` with each of ``candidates``; None: with all.

        Returns an array of shape (n_features, n_splits, n_candidates).
        """
        candidates = self._everything if candidates is None else candidates
        counted, entropy = self._counted, self._counted.entropy
        h_xy = joint_entropy(
            counted, features, counted, candidates, n_jobs=self._n_jobs
        )
        h_y = entropy[:, features].T[..., None]
        return compute_association(self._measure, entropy[:, candidates], h_y, h_xy)

    def measure_splits(self, splits, features):
        """Associate ``features[i]`` with all columns in the split ``splits[i]`` alone.

        Returns an array of shape (n_splits, n_features).
        """
        counted, entropy = self._counted, self._counted.entropy
        h_xy = [
            joint_entropy(
                counted, [feature], counted, self._everything, split, self._n_jobs
            )[0, 0]
            for split, feature in zip(splits, features)
        ]
        h_y = entropy[splits, features][:, None]
        return compute_association(self._measure, entropy[splits], h_y, np.stack(h_xy))


class MixedPairs:
    """Correlation for two numeric columns, information for all other pairs.

    Parameters
    ----------
    numeric : NumericPairs
        Of the numeric columns alone.
    coded : CodePairs
        Of all columns.
    is_numeric : ndarray of bool of shape (n_features,)
    """

    def __init__(self, numeric, coded, is_numeric):
        self._numeric, self._coded = numeric, coded
        self._is_numeric, self._place = is_numeric, np.cumsum(is_numeric) - 1
        self.constant = coded.constant.copy()
        self.constant[:, is_numeric] = numeric.constant
        self.relevance = coded.relevance.copy()
        self.relevance[:, is_numeric] = numeric.relevance

    def measure(self, features, candidates=None):
        """Associate each of ``features`` with each of ``candidates``; None: with all.

        Returns an array of shape (n_features, n_splits, n_candidates).
        """
        features = np.asarray(features)
        if candidates is None:
            candidates = np.arange(len(self._is_numeric))
        values = self._coded.measure(features, candidates)
        rows = np.flatnonzero(self._is_numeric[features])
        columns = np.flatnonzero(self._is_numeric[candidates])
        if len(rows) and len(columns):
            lefts, rights = features[rows], candidates[columns]
            found = self._numeric.measure(self._place[lefts], self._place[rights])
            values[rows[:, None], :, columns] = np.moveaxis(found, 1, 2)
        return values

    def measure_splits(self, splits, features):
        """Associate ``features[i]`` with all columns in the split ``splits[i]`` alone.

        Returns an array of shape (n_splits, n_features).
        """
        splits, features = np.asarray(splits), np.asarray(features)
        values = self._coded.measure_splits(splits, features)
        rows = np.flatnonzero(self._is_numeric[features])
        if len(rows):
            values[np.ix_(rows, self._is_numeric)] = self._numeric.measure_splits(
                splits[rows], self._place[features[rows]]
            )
        return values
