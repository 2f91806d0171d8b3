"""RSS: one classifier for each of some random subsets of the rows, the control."""

import numpy as np
from scipy.sparse import issparse

from manyminds.ensemble.experts._parameters import PARAGRAPHS
from manyminds.ensemble.experts.base import (
    LocalClassifier,
    group_rows,
    look_up_regions,
    number_regions,
)
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class RandomSubsetLocalClassifier(LocalClassifier):
    """Classify each row by the model of a random subset: the control of local models.

    Rows are assigned to groups at random, training rows and new ones alike, and each
    group has a model [1]_. Whatever a local model gains over this one is due to its
    regions, not to the number of its models.

    Parameters
    ----------
    {estimator}
    n_regions : int, default=4
        Number of groups.
    {correction}
    {run}

    Attributes
    ----------
    {local}
    {class_names}

    Notes
    -----
    The group is a hash of the row and the seed: the same row always belongs to the same
    group, whatever is predicted with it. Equal rows share a group, so that groups of a
    table with few different rows are of different sizes.

    {local_references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import RandomSubsetLocalClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> control = RandomSubsetLocalClassifier(n_regions=3, random_state=0).fit(X, y)
    >>> control.n_rows_.sum()
    np.int64(150)
    """

    _gates_take_missing = True

    def __init__(
        self,
        estimator=None,
        n_regions=4,
        *,
        prior_correction="none",
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_regions = n_regions
        self.prior_correction = prior_correction
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Assign the rows to groups; fit an expert to each.

        {fit_table}
        """
        X, label, weight, rng = self._start(X, y, sample_weight)

        self._keys = rng.randint(2**32, size=(X.shape[1] + 1, 2), dtype=np.uint64)
        self._names, region = number_regions(hash_rows(X, self._keys) % self.n_regions)
        regions = group_rows(region, len(self._names))
        return self._fit_experts(X, label, weight, regions, rng)

    def _route(self, X):
        found = hash_rows(X, self._keys) % self.n_regions
        return look_up_regions(found, self._names, self.n_rows_)


def hash_rows(X, keys):
    """Return a random number for each row that depends on its values only.

    Parameters
    ----------
    X : ndarray or csr matrix of shape (n_samples, n_features)
    keys : ndarray of uint64 of shape (n_features + 1, 2)
        Random numbers below 2 to the power of 32; the last are those of the seed.

    Returns
    -------
    numbers : ndarray of int64 of shape (n_samples,)
        From 0 to 2**32 - 1; equal for an array and its sparse copy.
    """
    odd = (keys[:, 0] << np.uint64(32)) | keys[:, 1] | np.uint64(1)
    if issparse(X):
        bits = (X.data + 0.0).view(np.uint64) * odd[X.indices]
        total = np.zeros(len(X.indices) + 1, dtype=np.uint64)
        np.cumsum(bits, out=total[1:])
        total = total[X.indptr[1:]] - total[X.indptr[:-1]]
    else:
        # Adding 0 turns -0 into 0; a missing value has one pattern of bits.
        values = np.where(np.isnan(X), np.nan, X + 0.0)
        total = (values.view(np.uint64) * odd[:-1]).sum(axis=1, dtype=np.uint64)
    return (_mix(total ^ odd[-1]) >> np.uint64(32)).astype(np.int64)


def _mix(words):
    """Let every bit of a word depend on all bits, as splitmix64 does."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
