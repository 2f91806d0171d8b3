"""Columns as inputs of a RealMLP net: robust scales, one-hot codes, category rows."""

import numpy as np

from manyminds.kernels.real_mlp import Table

MAX_ONE_HOT = 8  # levels beyond which a categorical column is embedded
CLIP = 3.0  # absolute value that scaled numbers stay below
MAX_SCALED = 1e6  # to which scaled numbers are cut before their squares are taken


class NetColumns:
    """Turn codes and numbers with missing values into the inputs of a net.

    Numbers and one-hot codes are centered at the median, divided by the interquartile
    range, or by half the range if that is zero, and clipped smoothly by
    ``x / sqrt(1 + (x / 3) ** 2)``. Columns that do not vary are left out. A missing
    number is the median, and has an indicator column if the column had missing values
    in ``fit``. A missing category has zeros as its one-hot code.

    Attributes
    ----------
    n_levels : int
        Number of categories of all embedded columns, with one more of each for
        missing and unknown ones.
    """

    def fit(self, X, n_states, embed_numbers=True):
        """Learn scales; return the columns.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)
            Numbers and codes; NaN where missing.
        n_states : ndarray of int of shape (n_features,)
            Number of categories; 0 for numbers.
        embed_numbers : bool, default=True
            Whether numbers become columns that are embedded.

        Returns
        -------
        columns : NetColumns
            Itself.
        """
        self._n_states, self._embed_numbers = n_states, embed_numbers
        missing = np.isnan(X).any(axis=0)
        self._numeric = np.flatnonzero(n_states == 0)
        self._indicated = np.flatnonzero((n_states == 0) & missing)
        self._one_hot = np.flatnonzero((n_states > 0) & (n_states <= MAX_ONE_HOT))
        self._coded = np.flatnonzero(n_states > MAX_ONE_HOT)
        sizes = n_states[self._coded] + 1
        self._offsets = np.cumsum(sizes) - sizes
        self.n_levels = int(sizes.sum())
        self._number_scales = _find_scales(X[:, self._numeric])
        self._code_scales = _find_scales(self._expand(X))
        return self

    def transform(self, X):
        """Return the inputs of rows, numbers and codes with NaN where missing."""
        numbers = _apply_scales(X[:, self._numeric], self._number_scales)
        plain = _apply_scales(self._expand(X), self._code_scales)
        if not self._embed_numbers:
            numbers, plain = numbers[:, :0], np.hstack([numbers, plain])
        codes = X[:, self._coded]
        codes = np.where(np.isnan(codes), self._n_states[self._coded], codes)
        codes = codes.astype(np.int64) + self._offsets
        if numbers.shape[1] + plain.shape[1] + codes.shape[1] == 0:
            plain = np.zeros((len(X), 1))  # a net has an input
        return Table(
            np.ascontiguousarray(numbers, dtype=np.float32),
            np.ascontiguousarray(plain, dtype=np.float32),
            np.ascontiguousarray(codes),
        )

    def _expand(self, X):
        """Return one-hot codes, of which two levels are one column, and indicators."""
        found = [np.isnan(X[:, self._indicated]).astype(np.float64)]
        for j in self._one_hot:
            codes = X[:, j, np.newaxis]
            if self._n_states[j] == 2:
                found.append(np.where(np.isnan(codes), 0.0, 2.0 * codes - 1.0))
            else:
                levels = np.arange(self._n_states[j])
                found.append((codes == levels).astype(np.float64))
        return np.hstack(found)


def _find_scales(X):
    """Return unit, median and spread of each column: (3, n_columns).

    The unit makes numbers at most 1, so that no difference overflows. The spread of a
    column that does not vary is 0.
    """
    scales = np.zeros((3, X.shape[1]))
    scales[0] = 1.0
    for j in range(X.shape[1]):
        known = X[~np.isnan(X[:, j]), j]
        if len(known) == 0:
            continue
        unit = abs(known).max()
        known = known / unit if unit > 0.0 else known
        low, median, high = np.quantile(known, [0.25, 0.5, 0.75])
        spread = high - low
        if spread <= 0.0:
            spread = 0.5 * (known.max() - known.min())
        scales[:, j] = unit if unit > 0.0 else 1.0, median, spread
    return scales


def _apply_scales(X, scales):
    """Center, scale and clip columns; leave out those that do not vary."""
    kept = scales[2] > 0.0
    unit, median, spread = scales[:, kept]
    X = (X[:, kept] / unit - median) / spread
    X = np.clip(np.where(np.isnan(X), 0.0, X), -MAX_SCALED, MAX_SCALED)
    return X / np.sqrt(1.0 + (X / CLIP) ** 2)
