"""Crosses of two category columns as new category columns."""

from itertools import combinations
from numbers import Integral

import numpy as np
import pandas as pd

from manyminds._compat import Interval
from manyminds.preprocessing.generation.base import (
    CONSTRAINTS,
    PARAGRAPHS,
    FeatureGenerator,
    encode_levels,
    find_levels,
    find_strongest,
    list_categorical,
)
from manyminds.preprocessing.generation.held_out_gain import (
    choose_gains,
    compute_gain,
)
from manyminds.utils.docstrings import fill_docstring

MISSING, OTHER = "?", "other"


@fill_docstring(**PARAGRAPHS)
class CrossedCategories(FeatureGenerator):
    """Append category columns whose levels are pairs of levels of two columns.

    A cross is kept if its levels predict held-out training rows significantly better
    than either column alone, and than the sum of the effects of both.

    Parameters
    ----------
    {choice}
    max_columns : int, default=10
        Number of category columns that are crossed; the strongest, if there are more.
    max_levels : int, default=100
        Number of levels of a cross: the most frequent ones. All others share the level
        ``"other"``.
    {task}
    {random_state}

    Attributes
    ----------
    features_ : list of tuple of (int, int)
        Positions of the parents of each cross, the best first.
    gains_ : ndarray of shape (n_new,)
        Decrease of the squared error on held-out rows, in its standard errors.
    levels_ : list of list of str
        Levels of each cross, without ``"other"``.
    {inputs}

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from manyminds.preprocessing import CrossedCategories
    >>> levels = np.random.default_rng(0).choice(["no", "yes"], size=(200, 3))
    >>> X = pd.DataFrame(levels, columns=["a", "b", "c"]).astype("category")
    >>> y = levels[:, 0] == levels[:, 2]
    >>> crossed = CrossedCategories().fit_transform(X, y)
    >>> crossed["a & c"].cat.categories.tolist()
    ['no & no', 'no & yes', 'other', 'yes & no', 'yes & yes']
    """

    _parameter_constraints = {
        **CONSTRAINTS,
        "max_columns": [Interval(Integral, 2, None, closed="left")],
        "max_levels": [Interval(Integral, 2, None, closed="left")],
    }

    def __init__(
        self,
        n_features=10,
        *,
        alpha=0.01,
        max_samples=10_000,
        max_columns=10,
        max_levels=100,
        task="auto",
        random_state=0,
    ):
        self.n_features = n_features
        self.alpha = alpha
        self.max_samples = max_samples
        self.max_columns = max_columns
        self.max_levels = max_levels
        self.task = task
        self.random_state = random_state

    def _choose(self, X, rows):
        """Keep the crosses that beat their parents and the sum of both effects."""
        codes = {}
        for place in list_categorical(X):
            column = X.iloc[:, place]
            codes[place] = encode_levels(column, find_levels(column))
        strongest = find_strongest(codes, rows, self.max_columns)
        alone = {place: rows.compute_losses(codes[place]) for place in strongest}

        baseline = rows.compute_baseline()
        features = list(combinations(strongest, 2))
        gains = []
        for i, j in features:
            sums = [
                rows.compute_losses(codes[a], codes[b]) for a, b in ((i, j), (j, i))
            ]
            reference = min((baseline, alone[i], alone[j], *sums), key=np.mean)
            crossed = _cross_codes(codes[i], codes[j], self.max_levels)
            gains.append(compute_gain(reference, rows.compute_losses(crossed)))
        chosen = choose_gains(gains, self.alpha, self.n_features, len(gains))
        self.features_ = [features[place] for place in chosen]
        self.gains_ = np.array([gains[place] for place in chosen], dtype=np.float64)

    def _learn(self, X):
        """Find the most frequent levels of the crosses in all training rows."""
        self.levels_ = []
        for i, j in self.features_:
            counts = _cross(X, i, j).value_counts()
            frequent = sorted(counts.index, key=lambda text: (-counts[text], text))
            self.levels_.append(sorted(frequent[: self.max_levels]))

    def _name_new(self, names):
        return [f"{names[i]} & {names[j]}" for i, j in self.features_]

    def _generate(self, X):
        made = []
        for (i, j), levels in zip(self.features_, self.levels_):
            crossed = _cross(X, i, j)
            known = crossed.where(crossed.isin(levels), OTHER)
            made.append(pd.Categorical(known, sorted({*levels, OTHER})))
        return made


def _cross_codes(first, second, max_levels):
    """Return the codes of the most frequent crosses; all others share a code."""
    crossed = first * (int(second.max()) + 1) + second
    _, codes, counts = np.unique(crossed, return_inverse=True, return_counts=True)
    rank = np.empty(len(counts), dtype=np.int64)
    rank[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    return np.minimum(rank[codes], max_levels)


def _cross(X, i, j):
    """Return the crossed levels of two columns as text."""
    first, second = _as_text(X.iloc[:, i]), _as_text(X.iloc[:, j])
    return first + " & " + second


def _as_text(column):
    codes, values = pd.factorize(column.astype(object))
    texts = np.array([*(str(value) for value in values), MISSING], dtype=object)
    return pd.Series(texts[codes], column.index, dtype=object)
