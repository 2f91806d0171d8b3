"""Which measure of association for which columns."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.feature_selection.associations import CodeTable
from manyminds.feature_selection.filters.discretizing import (
    code_target,
    make_code_table,
)
from manyminds.feature_selection.filters.mrmr_pairs import (
    CodePairs,
    MixedPairs,
    NumericPairs,
)

NUMERIC = ("f", "pearson")
INFORMATION = ("mutual_information", "symmetrical_uncertainty")


@dataclass(frozen=True)
class Data:
    """A training set as measures of association want it.

    Parameters
    ----------
    X : ndarray or sparse CSC matrix of shape (n_samples, n_numeric), or None
        The numeric columns, if a measure asks for them.
    is_numeric : ndarray of bool of shape (n_features,)
        Which columns these are.
    y : ndarray of shape (n_samples,)
        Numbers, or codes of classes.
    n_classes : int or None
        None if the target is a number.
    table, target : CodeTable or None
        Codes of all columns and of the target, if a measure asks for them.
    """

    X: Any
    is_numeric: Any
    y: Any
    n_classes: int | None
    table: CodeTable | None = None
    target: CodeTable | None = None


def choose_measures(relevance, redundancy, is_categorical, classes):
    """Settle what "auto" means; refuse measures that do not suit the columns.

    Returns
    -------
    relevance, redundancy : str
    """
    if relevance == "auto":
        relevance = redundancy if redundancy in INFORMATION else None
    if redundancy == "auto":
        redundancy = relevance if relevance in INFORMATION else None
    if relevance is None or redundancy is None:
        usual = _choose_usual(is_categorical, classes)
        relevance, redundancy = relevance or usual[0], redundancy or usual[1]
    for name, measure in (("relevance", relevance), ("redundancy", redundancy)):
        if measure in NUMERIC and is_categorical.any():
            raise ValueError(
                f"{name}={measure!r} takes numeric columns only; columns "
                f"{np.flatnonzero(is_categorical).tolist()} are categorical. Take "
                "'auto', 'mutual_information', 'symmetrical_uncertainty' or 'by_kind'."
            )
    if relevance == "pearson" and classes is not None and len(classes) > 2:
        raise ValueError(
            "relevance='pearson' takes numbers or two classes as target; y has "
            f"{len(classes)} classes. Take 'f' or 'mutual_information'."
        )
    return relevance, redundancy


def _choose_usual(is_categorical, classes):
    if not is_categorical.any():
        return ("pearson" if classes is None else "f"), "pearson"
    if is_categorical.all():
        return "mutual_information", "mutual_information"
    return "symmetrical_uncertainty", "symmetrical_uncertainty"


def gather(X, is_categorical, y, classes, weight, measures, discretize, n_bins, n_jobs):
    """Make of a table what the measures ask for.

    Returns
    -------
    data : Data
    """
    needs_codes = any(one in INFORMATION or one == "by_kind" for one in measures)
    needs_numbers = any(one in NUMERIC or one == "by_kind" for one in measures)
    n_classes = None if classes is None else len(classes)
    is_numeric, table, target = ~is_categorical, None, None
    if needs_codes:
        codes, n_levels = code_target(y, classes, n_bins, weight)
        kind = np.uint8 if n_levels <= 256 else np.uint16
        target = CodeTable(codes.astype(kind)[None, :], [n_levels])
        table = make_code_table(
            X, is_categorical, codes, discretize, n_bins,
            sample_weight=weight, n_jobs=n_jobs,
        )  # fmt: skip
    if not needs_numbers:
        X = None
    elif not is_numeric.all():
        X = X[:, is_numeric]
    return Data(X, is_numeric, y, n_classes, table, target)


def pair_up(data, weight, fold, measures, n_jobs=None, in_step=False):
    """Make the pairs that measure redundancy, and give them their relevance.

    Parameters
    ----------
    data : Data
    weight : ndarray of shape (n_samples,) or None
    fold : ndarray of int of shape (n_samples,) or None
    measures : tuple of str
        Of relevance and of redundancy.
    n_jobs : int or None
    in_step : bool, default=False
        Whether all parts search in step.

    Returns
    -------
    pairs : NumericPairs, CodePairs or MixedPairs
    """
    relevance, redundancy = measures
    options = (data, weight, fold, measures, n_jobs, in_step)
    pairs = _make_pairs(_find_family(redundancy), *options)
    if _find_family(relevance) != _find_family(redundancy):
        other = _make_pairs(_find_family(relevance), *options)
        pairs.relevance = other.relevance
    return pairs


def _find_family(measure):
    if measure in NUMERIC:
        return "numeric"
    return "coded" if measure in INFORMATION else "mixed"


def _make_pairs(family, data, weight, fold, measures, n_jobs, in_step):
    if family == "mixed" and not data.is_numeric.any():
        family = "coded"
    if family != "numeric":
        shared = tuple(
            one if one in INFORMATION else INFORMATION[0] for one in measures
        )
        coded = CodePairs(data.table, weight, fold, data.target, shared, n_jobs)
        if family == "coded":
            return coded
    usual = "pearson" if data.n_classes is None else "f"
    relevance = measures[0] if measures[0] in NUMERIC else usual
    if weight is None:
        weight = np.ones(len(data.y))
    numeric = NumericPairs(
        data.X, weight, fold, data.y, data.n_classes, relevance, in_step
    )
    if family == "numeric":
        return numeric
    return MixedPairs(numeric, coded, data.is_numeric)
