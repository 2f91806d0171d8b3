"""Plots of stability: frequencies of features, stability against their number."""

import numpy as np

from manyminds.feature_selection.base import rank_scores
from manyminds.feature_selection.stability.nogueira import (
    nogueira_stability,
    stability_by_size,
)
from manyminds.feature_selection.stability.selection_matrix import (
    count_by_feature,
    read_selections,
)
from manyminds.feature_selection.stability.stable_selector import StableSelector

SELECTED = "#3d8bc9"
LEFT_OUT = "#b8b8b8"
LINE = "#d9822b"
NULL = "#303030"


class StabilityDisplay:
    """Plot the frequencies of features, or stability against the number of features.

    Create it by one of its class methods, which plot at once; `plot` plots again.

    Parameters
    ----------
    frequencies : array-like of shape (n_features,), default=None
        Share of the selections that include each feature.
    estimate : StabilityEstimate, default=None
        Stability of the selections.
    by_size : dict of int to StabilityEstimate, default=None
        Stability of the best k features for several k.
    threshold : float, default=None
        Minimum frequency of a selected feature.
    feature_names : array-like of str of shape (n_features,), default=None
        Names of the features; by default x0, x1, ...
    null_frequencies : array-like of shape (n_permutations, n_features), default=None
        Frequencies for permuted targets: a mark shows each feature's mean, and a line
        the maximum of all. Without a threshold, bars that do not exceed the line are
        gray.
    null_stability : array-like of shape (n_permutations,), default=None
        Stability for permuted targets.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes.
    figure_ : matplotlib Figure
        The figure of the axes.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from manyminds.feature_selection.stability import StabilityDisplay
    >>> display = StabilityDisplay.from_selections([[0, 1], [0, 2]], n_features=4)
    >>> display.ax_.get_xlabel()
    'share of the selections'
    """

    def __init__(
        self,
        *,
        frequencies=None,
        estimate=None,
        by_size=None,
        threshold=None,
        feature_names=None,
        null_frequencies=None,
        null_stability=None,
    ):
        self.frequencies = frequencies
        self.estimate = estimate
        self.by_size = by_size
        self.threshold = threshold
        self.feature_names = feature_names
        self.null_frequencies = null_frequencies
        self.null_stability = null_stability

    @classmethod
    def from_selections(
        cls,
        selections,
        n_features=None,
        *,
        threshold=None,
        feature_names=None,
        ax=None,
        n_shown=30,
    ):
        """Plot how often each feature is selected.

        Parameters
        ----------
        selections : array-like, sparse matrix or list of array-like of int
            Masks of shape (n_selections, n_features); or, with ``n_features``, the
            positions of the features of each selection.
        n_features : int, default=None
            Number of features, needed with positions.
        threshold : float, default=None
            Frequency at which to plot a line.
        feature_names : array-like of str of shape (n_features,), default=None
            Names of the features; by default x0, x1, ...
        ax : matplotlib Axes, default=None
            Axes to plot on; by default of a new figure.
        n_shown : int, default=30
            Maximum number of bars, those of the most frequent features.

        Returns
        -------
        display : StabilityDisplay
            The display.
        """
        selections = read_selections(selections, n_features)
        display = cls(
            frequencies=count_by_feature(selections) / selections.shape[0],
            estimate=nogueira_stability(selections),
            threshold=threshold,
            feature_names=feature_names,
        )
        return display.plot("frequencies", ax=ax, n_shown=n_shown)

    @classmethod
    def from_rankings(cls, rankings, *, sizes=None, ax=None):
        """Plot the stability of the best k features of some rankings against k.

        Parameters
        ----------
        rankings : array-like of shape (n_rankings, n_features)
            Rank of each feature, 1 for the best.
        sizes : array-like of int, default=None
            Numbers of features; see `stability_by_size`.
        ax : matplotlib Axes, default=None
            Axes to plot on; by default of a new figure.

        Returns
        -------
        display : StabilityDisplay
            The display.
        """
        display = cls(by_size=stability_by_size(rankings, sizes))
        return display.plot("stability", ax=ax)

    @classmethod
    def from_selector(
        cls,
        selector,
        X,
        y=None,
        *,
        kind="frequencies",
        sizes=None,
        feature_names=None,
        ax=None,
        n_shown=30,
        **options,
    ):
        """Fit a selector to resamples of a table and plot its stability.

        Parameters
        ----------
        selector : selector
            Any selector; or a `StableSelector`, which is not fitted again if it is
            fitted.
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,), default=None
            Targets.
        kind : {"frequencies", "stability"}, default="frequencies"
            What to plot; "stability", against the number of features, needs a selector
            with ``ranking_`` or ``scores_``.
        sizes : array-like of int, default=None
            Numbers of features; see `stability_by_size`.
        feature_names : array-like of str of shape (n_features,), default=None
            Names of the features; by default those of the table.
        ax : matplotlib Axes, default=None
            Axes to plot on; by default of a new figure.
        n_shown : int, default=30
            Maximum number of bars.
        **options : dict
            Parameters of the `StableSelector` around the selector.

        Returns
        -------
        display : StabilityDisplay
            The display.
        """
        stable = _fit_stable(selector, X, y, options)
        by_size = None
        if hasattr(stable, "rankings_"):
            by_size = stability_by_size(stable.rankings_, sizes)
        if feature_names is None:
            feature_names = getattr(stable, "feature_names_in_", None)
        by_count = stable.n_features_to_select is not None
        display = cls(
            frequencies=stable.selection_frequencies_,
            estimate=stable._estimate(stable.selections_),
            by_size=by_size,
            threshold=None if by_count else stable.threshold,
            feature_names=feature_names,
            null_frequencies=stable.null_frequencies_,
            null_stability=stable.null_stability_,
        )
        return display.plot(kind, ax=ax, n_shown=n_shown)

    def plot(self, kind=None, *, ax=None, n_shown=30, color=SELECTED, label=None):
        """Plot the frequencies, or stability against the number of features.

        Parameters
        ----------
        kind : {"frequencies", "stability"}, default=None
            What to plot; by default the frequencies if they are known.
        ax : matplotlib Axes, default=None
            Axes to plot on; by default of a new figure.
        n_shown : int, default=30
            Maximum number of bars, those of the most frequent features.
        color : matplotlib color, default="#3d8bc9"
            Color of the bars of selected features, or of the line.
        label : str, default=None
            Label of the line or of these bars in a legend.

        Returns
        -------
        display : StabilityDisplay
            This display, with ``ax_`` and ``figure_``.
        """
        if kind is None:
            kind = "stability" if self.frequencies is None else "frequencies"
        if kind not in ("frequencies", "stability"):
            raise ValueError(
                f"kind must be 'frequencies' or 'stability'; got {kind!r}."
            )
        if (self.frequencies if kind == "frequencies" else self.by_size) is None:
            raise ValueError(
                f"kind={kind!r} cannot be plotted: the display has no "
                f"{'frequencies' if kind == 'frequencies' else 'rankings'}."
            )
        ax = _new_axes() if ax is None else ax
        if kind == "frequencies":
            self._draw_frequencies(ax, n_shown, color, label)
        else:
            self._draw_stability(ax, color, label)
        ax.spines[["top", "right"]].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw_frequencies(self, ax, n_shown, color, label):
        frequencies = np.asarray(self.frequencies)
        order = np.argsort(rank_scores(frequencies))[:n_shown]
        names = self.feature_names
        if names is None:
            names = [f"x{j}" for j in range(len(frequencies))]
        null = self.null_frequencies
        null = None if null is None or not len(null) else np.asarray(null)
        is_selected = frequencies >= (0.0 if self.threshold is None else self.threshold)
        if self.threshold is None and null is not None:
            is_selected = frequencies > null.max()
        place = np.arange(len(order))
        for some, look in (
            (is_selected[order], {"color": color, "label": label}),
            (~is_selected[order], {"color": LEFT_OUT}),
        ):
            ax.barh(place[some], frequencies[order][some], height=0.75, **look)
        ax.set_yticks(place, [str(names[j]) for j in order])
        ax.invert_yaxis()
        if self.threshold is not None:
            ax.axvline(self.threshold, color=LINE, linestyle="--")
        if null is not None:
            _draw_null(ax, place, null[:, order], null.max())
        ax.set(xlim=(0, 1), xlabel="share of the selections")
        if self.estimate is not None:
            title = _describe(self.estimate, self.null_stability)
            ax.set_title(title, fontsize="medium")

    def _draw_stability(self, ax, color, label):
        sizes = list(self.by_size)
        found = [self.by_size[size] for size in sizes]
        low, high = ([getattr(each, end) for each in found] for end in ("low", "high"))
        ax.fill_between(sizes, low, high, color=color, alpha=0.25, linewidth=0)
        values = [each.stability for each in found]
        ax.plot(sizes, values, color=color, marker="o", markersize=3, label=label)
        ax.axhline(0.0, color="#808080", linewidth=0.8)
        ax.set(xlabel="number of features", ylabel="stability (Nogueira)")


def _fit_stable(selector, X, y, options):
    """Return a fitted StableSelector around a selector."""
    if not isinstance(selector, StableSelector):
        return StableSelector(selector, **options).fit(X, y)
    if options:
        raise TypeError(
            f"A StableSelector has its own parameters; got {sorted(options)} as well."
        )
    return selector if hasattr(selector, "selections_") else selector.fit(X, y)


def _draw_null(ax, place, frequencies, highest):
    """Plot the mean frequencies for permuted targets, and their maximum."""
    label = "permuted targets: mean"
    means = frequencies.mean(axis=0)
    ax.plot(means, place, "|", color=NULL, markersize=9, markeredgewidth=2, label=label)
    label = "permuted targets: highest of all columns"
    ax.axvline(highest, color=NULL, linestyle=":", label=label)
    ax.legend(loc="lower right", fontsize="small")


def _describe(estimate, null_stability):
    text = (
        f"stability {estimate.stability:.2f} "
        f"(interval {estimate.low:.2f} to {estimate.high:.2f})"
    )
    if null_stability is None or not len(null_stability):
        return text
    return f"{text}; permuted targets {np.mean(null_stability):.2f}"


def _new_axes():
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "StabilityDisplay needs matplotlib: pip install matplotlib."
        ) from error
    return plt.subplots(layout="constrained")[1]
