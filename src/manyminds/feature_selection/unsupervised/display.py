"""Plot of importances: which features hold each cluster together."""

import numpy as np

from manyminds.analysis._plotting import new_axes
from manyminds.feature_selection.base import rank_scores

COLORS = "Blues"
SELECTED = "#d9822b"


class ClusterImportanceDisplay:
    """Plot the mean importance of features for the rows of each cluster.

    A dot marks what the scree test of the cluster selects. Create it by
    `from_selector`, which plots at once; `plot` plots again.

    Parameters
    ----------
    importances : ndarray of shape (n_clusters, n_features)
        Mean importance of each feature for the rows of each cluster.
    support : ndarray of bool of shape (n_clusters, n_features)
        Features that are selected for each cluster.
    sizes : ndarray of shape (n_clusters,)
        Number of rows of each cluster.
    feature_names : array-like of str of shape (n_features,), default=None
        Names of the features; by default x0, x1, ...

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes of the last plot.
    figure_ : matplotlib Figure
        Figure of the axes.
    shown_ : ndarray of int64
        Features of the columns of the plot.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.feature_selection import ClusterImportanceDisplay, RCESelector
    >>> selector = RCESelector(random_state=0).fit(load_iris().data)
    >>> ClusterImportanceDisplay.from_selector(selector).shown_
    array([3, 2, 0, 1])
    """

    def __init__(self, importances, support, sizes, feature_names=None):
        self.importances = importances
        self.support = support
        self.sizes = sizes
        self.feature_names = feature_names

    @classmethod
    def from_selector(cls, selector, *, n_shown=30, feature_names=None, ax=None):
        """Plot the importances of a fitted `RCESelector`.

        Parameters
        ----------
        selector : RCESelector
            A fitted selector.
        n_shown : int, default=30
            Maximum number of features, those of the highest importance for all rows.
        feature_names : array-like of str of shape (n_features,), default=None
            Names of the features; by default those of the table.
        ax : matplotlib Axes, default=None
            Axes to plot on; by default of a new figure.

        Returns
        -------
        display : ClusterImportanceDisplay
            The display.
        """
        if feature_names is None:
            feature_names = getattr(selector, "feature_names_in_", None)
        sizes = np.bincount(selector.labels_)
        display = cls(
            selector.cluster_importances_ / sizes[:, None],
            selector.local_support_,
            sizes,
            feature_names,
        )
        return display.plot(n_shown=n_shown, ax=ax)

    def plot(self, *, n_shown=30, ax=None):
        """Plot the importances.

        Parameters
        ----------
        n_shown : int, default=30
            Maximum number of features, those of the highest importance for all rows.
        ax : matplotlib Axes, default=None
            Axes to plot on; by default of a new figure.

        Returns
        -------
        display : ClusterImportanceDisplay
            This display, with ``ax_``, ``figure_`` and ``shown_``.
        """
        ax = new_axes("ClusterImportanceDisplay") if ax is None else ax
        total = self.sizes @ self.importances
        self.shown_ = np.argsort(rank_scores(total))[:n_shown]
        image = ax.imshow(
            self.importances[:, self.shown_], cmap=COLORS, vmin=0.0, aspect="auto"
        )
        cluster, place = np.nonzero(self.support[:, self.shown_])
        ax.plot(place, cluster, "o", color=SELECTED, label="selected by scree test")
        names = self.feature_names
        if names is None:
            names = [f"x{j}" for j in range(len(total))]
        ax.set_xticks(np.arange(len(self.shown_)), [str(names[j]) for j in self.shown_])
        ax.tick_params(axis="x", rotation=90)
        ax.set_yticks(
            np.arange(len(self.sizes)),
            [f"{c} ({n} rows)" for c, n in enumerate(self.sizes)],
        )
        ax.set(ylabel="cluster")
        ax.legend(loc="upper right", fontsize="small")
        ax.figure.colorbar(image, ax=ax, label="rows that change clusters")
        self.ax_, self.figure_ = ax, ax.figure
        return self
