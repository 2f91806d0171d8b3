"""Tests of independence by name, for estimators that let users choose one."""

import numpy as np

from manyminds.networks.independence.conditional_gaussian import (
    ConditionalGaussianTest,
)
from manyminds.networks.independence.contingency import ContingencyTest
from manyminds.networks.independence.fisher_z import FisherZTest
from manyminds.networks.independence.permutation import PermutationTest

TEST_NAMES = frozenset(
    {"g2", "chi2", "mutual_information", "permutation", "fisher_z", "mixed"}
)
TESTS_OF_NUMBERS = frozenset({"fisher_z", "mixed"})


def make_coded_test(
    name, codes, n_levels, *, alpha=0.01, threshold=0.01, dof="observed",
    min_count=5.0, sample_weight=None, random_state=None, names=None, n_jobs=None,
):  # fmt: skip
    """Return a test of columns of codes.

    Parameters
    ----------
    name : {"g2", "chi2", "mutual_information", "permutation"}
    codes : ndarray of uint8 of shape (n_variables, n_samples)
    n_levels : array-like of int of shape (n_variables,)
    alpha, threshold, dof, min_count, sample_weight, names, n_jobs
        See `ContingencyTest`; the threshold is of "mutual_information" only.
    random_state : int, RandomState instance or None, default=None
        See `PermutationTest`.

    Returns
    -------
    test : IndependenceTest
    """
    if name == "permutation":
        if sample_weight is not None:
            raise ValueError(
                "test='permutation' does not take sample_weight: use 'g2'."
            )
        return PermutationTest.from_codes(
            codes, n_levels, alpha=alpha, random_state=random_state, names=names,
            n_jobs=n_jobs,
        )  # fmt: skip
    return ContingencyTest.from_codes(
        codes, n_levels, statistic="chi2" if name == "chi2" else "g2", alpha=alpha,
        threshold=threshold if name == "mutual_information" else None, dof=dof,
        min_count=min_count, sample_weight=sample_weight, names=names, n_jobs=n_jobs,
    )  # fmt: skip


def make_numeric_test(
    name, table, is_categorical, names, *, alpha=0.01, sample_weight=None, n_jobs=None
):
    """Return a test of columns of numbers, or of numbers and codes.

    Parameters
    ----------
    name : {"fisher_z", "mixed"}
    table : ndarray of shape (n_samples, n_variables)
    is_categorical : ndarray of bool of shape (n_variables,)
    names : list of str
    alpha, sample_weight, n_jobs
        See `FisherZTest`.

    Returns
    -------
    test : IndependenceTest
    """
    options = {"alpha": alpha, "sample_weight": sample_weight, "names": names,
               "n_jobs": n_jobs}  # fmt: skip
    if name == "mixed":
        return ConditionalGaussianTest(table, is_categorical=is_categorical, **options)
    if is_categorical.any():
        where = [names[j] for j in np.flatnonzero(is_categorical)]
        raise ValueError(
            f"test='fisher_z' takes numbers only; {where} are categories. Use 'mixed' "
            "or 'g2'."
        )
    return FisherZTest(table, **options)
