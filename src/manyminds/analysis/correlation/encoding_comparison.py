"""Rank encodings by correlation scores, and compare the ranking with errors."""

import numpy as np
import pandas as pd

from manyminds.analysis._plotting import new_axes
from manyminds.analysis.correlation.agreement import error_agreement, score_range
from manyminds.analysis.correlation.reading import read_encoding
from manyminds.analysis.correlation.trials import measure_encoders, measure_subsets

__all__ = ["EncodingComparison"]

# Okabe and Ito's colors, which color-blind readers can distinguish; and markers, for
# prints without colors.
_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_MARKERS = "osD^vP"
_MAX_NAMES = 12  # names of encodings that fit in a figure


class EncodingComparison:
    """Encodings of the same samples, ranked by score, with the errors of classifiers.

    `from_encoders` and `from_subsets` compute scores on the training samples of each
    fold and errors on its test samples, and compare the means.

    Parameters
    ----------
    names : sequence of str
        One name for each encoding.
    scores : array-like of shape (n_encodings,)
        Score of each encoding; higher is better.
    errors : mapping of str to array-like of shape (n_encodings,), default=None
        Errors of each classifier, by its name.
    n_columns : array-like of int of shape (n_encodings,), default=None
        Number of columns of each encoding.
    method : str, default="r2"
        Coefficient of the scores.
    min_range : float, default=0.4
        A smaller range of scores issues a `RankingWarning`, unless there are errors to
        compare with; 0 for none.

    Attributes
    ----------
    score_range_ : float
        Best score minus worst.
    ax_ : matplotlib Axes
        Axes of the last ``plot``.
    figure_ : matplotlib Figure
        The figure of ``ax_``.

    Examples
    --------
    >>> from manyminds.analysis import EncodingComparison
    >>> comparison = EncodingComparison(
    ...     ["raw", "logarithms", "ranks"],
    ...     [0.2, 0.5, 0.7],
    ...     {"forest": [0.30, 0.18, 0.12]},
    ... )
    >>> comparison.table
                score  forest
    ranks         0.7    0.12
    logarithms    0.5    0.18
    raw           0.2    0.30
    >>> comparison.agreement().round(3)
            correlation  p_value  is_significant
    forest       -0.997    0.024            True
    """

    def __init__(
        self, names, scores, errors=None, *, n_columns=None, method="r2", min_range=0.4
    ):
        self.names = [str(name) for name in names]
        self.scores = np.asarray(scores, dtype=np.float64)
        self.errors = {str(k): np.asarray(e) for k, e in (errors or {}).items()}
        self.n_columns, self.method = n_columns, method
        for what, values in {"scores": self.scores, **self.errors}.items():
            if values.shape != (len(self.names),):
                raise ValueError(
                    f"{what} must have one value for each of the {len(self.names)} "
                    f"names; got shape {values.shape}."
                )
        min_range = 0.0 if self.errors else min_range
        self.score_range_ = score_range(self.scores, min_range=min_range)

    @property
    def table(self):
        """Scores and errors as a DataFrame, one row for each encoding, best first."""
        columns = {"score": self.scores, **self.errors}
        if self.n_columns is not None:
            columns = {"n_columns": np.asarray(self.n_columns), **columns}
        table = pd.DataFrame(columns, index=self.names)
        return table.sort_values("score", ascending=False, kind="stable")

    def agreement(self, *, alpha=0.05, reject_saturated=False):
        """Test, for each classifier, whether scores agree with its errors.

        Parameters
        ----------
        alpha, reject_saturated
            See `error_agreement`.

        Returns
        -------
        agreement : DataFrame
            One row for each classifier; columns as in `ErrorAgreement`.
        """
        options = {"alpha": alpha, "reject_saturated": reject_saturated}
        found = {
            name: vars(error_agreement(self.scores, errors, **options))
            for name, errors in self.errors.items()
        }
        columns = ["correlation", "p_value", "is_significant"]
        return pd.DataFrame.from_dict(found, orient="index", columns=columns)

    @classmethod
    def from_encoders(
        cls,
        encoders,
        X,
        y,
        *,
        classifiers=None,
        method="cross_validated_r2",
        cv=5,
        min_range=0.4,
        random_state=None,
        n_jobs=None,
        **options,
    ):
        """Score encoders, and test classifiers on the encodings.

        Parameters
        ----------
        encoders : mapping of str to transformer, table or None
            By name: a transformer, which is cloned and fitted to the training samples
            of each fold; an encoded table of the same samples; or None for X itself.
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples to encode.
        y : array-like of shape (n_samples,)
            Class labels.
        classifiers : mapping of str to classifier, default=None
            Classifiers by name, cloned and trained on each encoding; None for scores
            only.
        method : str, default="cross_validated_r2"
            Coefficient, see `correlation_score`. The default is unbiased for encodings
            with different numbers of columns; "r2" and most others favor many columns.
        cv : int, splitter or iterable of (train, test), default=5
            Folds, stratified if it is a number.
        min_range : float, default=0.4
            See the class.
        random_state : int, RandomState instance or None, default=None
            Random state of preparers, and of transformers and classifiers whose own is
            None.
        n_jobs : int, default=None
            Number of parallel jobs; the result does not depend on it.
        **options : dict
            More parameters of `correlation_score`.

        Returns
        -------
        comparison : EncodingComparison

        Examples
        --------
        >>> from sklearn.datasets import load_wine
        >>> from sklearn.decomposition import PCA
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from manyminds.analysis import EncodingComparison
        >>> X, y = load_wine(return_X_y=True)
        >>> comparison = EncodingComparison.from_encoders(
        ...     {"raw": None, "one component": PCA(1), "first column": X[:, :1]},
        ...     X,
        ...     y,
        ...     classifiers={"naive Bayes": GaussianNB()},
        ... )
        >>> list(comparison.table.index)
        ['raw', 'one component', 'first column']
        """
        found = measure_encoders(
            encoders, X, y, classifiers or {}, cv, random_state, n_jobs, method, options
        )
        return cls(
            encoders,
            found.scores,
            found.errors,
            n_columns=found.n_columns,
            method=method,
            min_range=min_range,
        )

    @classmethod
    def from_subsets(
        cls,
        X,
        y,
        subsets,
        *,
        names=None,
        classifiers=None,
        method="r2",
        cv=5,
        min_range=0.4,
        random_state=None,
        n_jobs=None,
        categorical_features="from_dtype",
        **options,
    ):
        """Score subsets of columns, and train classifiers on them.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Encoded vectors; categories become indicator columns, which count as
            columns.
        y : array-like of shape (n_samples,)
            Class labels.
        subsets : sequence of array-likes of int
            Columns of each subset, such as those of `draw_subsets`.
        names : sequence of str, default=None
            Name of each subset; by default, its columns.
        classifiers : mapping of str to classifier, default=None
            Classifiers by name, cloned and trained on each subset; None for scores
            only.
        method : str, default="r2"
            Coefficient, see `correlation_score`. The default is for subsets of equal
            size; use "adjusted_r2" or "cross_validated_r2" for others.
        cv, min_range, random_state, n_jobs
            See `from_encoders`.
        categorical_features : array-like, "from_dtype" or None, default="from_dtype"
            Categorical columns of X.
        **options : dict
            More parameters of `SubsetScorer`.

        Returns
        -------
        comparison : EncodingComparison

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from manyminds.analysis import EncodingComparison
        >>> comparison = EncodingComparison.from_subsets(
        ...     *load_iris(return_X_y=True),
        ...     [[0], [1], [2], [3]],
        ...     classifiers={"naive Bayes": GaussianNB()},
        ... )
        >>> comparison.table.round(2)
           n_columns  score  naive Bayes
        2          1   0.47         0.05
        3          1   0.46         0.04
        0          1   0.31         0.27
        1          1   0.20         0.45
        """
        X = read_encoding(X, categorical_features)
        subsets = [np.asarray(subset) for subset in subsets]
        found = measure_subsets(
            subsets, X, y, classifiers or {}, cv, random_state, n_jobs, method, options
        )
        return cls(
            [_name_subset(one) for one in subsets] if names is None else names,
            found.scores,
            found.errors,
            n_columns=found.n_columns,
            method=method,
            min_range=min_range,
        )

    def plot(self, ax=None):
        """Plot errors against scores; decreasing lines mean agreement.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; by default those of a new figure.

        Returns
        -------
        comparison : EncodingComparison
            The comparison itself; the plot is in ``ax_`` and ``figure_``.
        """
        if not self.errors:
            raise ValueError(
                "plot needs errors: create the comparison with classifiers."
            )
        self.ax_ = new_axes("EncodingComparison.plot") if ax is None else ax
        self.figure_ = self.ax_.figure
        agreement = self.agreement() if len(self.names) > 2 else None
        for i, (name, errors) in enumerate(self.errors.items()):
            r = np.nan if agreement is None else agreement["correlation"][name]
            label = name if np.isnan(r) else f"{name} (r = {r:.2f})"
            self._draw_classifier(i, errors, label)
        if len(self.names) <= _MAX_NAMES:
            self._write_names()
        self.ax_.set(
            title="Error of classifiers and score of encodings",
            xlabel=f"correlation score ({self.method})",
            ylabel="mean error on test rows",
        )
        self.ax_.legend()
        return self

    def _draw_classifier(self, i, errors, label):
        color, marker = _COLORS[i % len(_COLORS)], _MARKERS[i % len(_MARKERS)]
        self.ax_.scatter(
            self.scores, errors, color=color, marker=marker, s=36, label=label
        )
        if self.score_range_ > 0.0:
            ends = np.array([self.scores.min(), self.scores.max()])
            line = np.polynomial.Polynomial.fit(self.scores, errors, 1)
            self.ax_.plot(ends, line(ends), color=color, linewidth=1.0, alpha=0.6)

    def _write_names(self):
        """Draw the name of each encoding above its points, with a white outline."""
        from matplotlib.patheffects import withStroke

        highest = np.max(list(self.errors.values()), axis=0)
        for name, score, error in zip(self.names, self.scores, highest):
            self.ax_.annotate(
                name,
                (score, error),
                xytext=(0, 7),
                textcoords="offset points",
                ha="center",
                fontsize=8,
                color="0.2",
                path_effects=[withStroke(linewidth=2.5, foreground="white")],
                zorder=4,
            )
        self.ax_.margins(x=0.12, y=0.12)


def _name_subset(subset):
    columns = np.flatnonzero(subset) if subset.dtype == bool else subset
    return ", ".join(str(column) for column in columns.tolist())
