"""Plot of a consensus: the co-association matrix, ordered by clusters."""

import numpy as np

from manyminds.analysis._plotting import new_axes

BORDER = "#d9822b"
COLORS = "Blues"


class ConsensusMatrixDisplay:
    """Plot how often rows are clustered together, rows of a cluster side by side.

    Dark blocks in the diagonal are clusters that the base clusterings agree on; dark
    cells beyond them are rows between two clusters. Create it by `from_estimator`,
    which plots at once; `plot` plots again.

    Parameters
    ----------
    matrix : ndarray of shape (n_rows, n_rows)
        Co-association of rows, ordered by clusters.
    labels : ndarray of shape (n_rows,)
        Cluster of each of these rows.
    rows : ndarray of shape (n_rows,)
        Which training rows they are.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes of the last plot.
    figure_ : matplotlib Figure
        Figure of the axes.
    image_ : matplotlib AxesImage
        The matrix.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import ConsensusMatrixDisplay, RandomClusterEnsemble
    >>> model = RandomClusterEnsemble(n_clusters=3, random_state=0)
    >>> display = ConsensusMatrixDisplay.from_estimator(model.fit(load_iris().data))
    >>> display.matrix.shape
    (150, 150)
    """

    def __init__(self, matrix, labels, rows):
        self.matrix = matrix
        self.labels = labels
        self.rows = rows

    @classmethod
    def from_estimator(cls, estimator, *, n_shown=500, ax=None):
        """Plot the co-association matrix of a fitted ensemble.

        Parameters
        ----------
        estimator : RandomClusterEnsemble
            A fitted ensemble.
        n_shown : int, default=500
            Maximum number of rows, equally spaced among all in the order of their
            clusters.
        ax : matplotlib Axes, default=None
            Axes to plot on; by default of a new figure.

        Returns
        -------
        display : ConsensusMatrixDisplay
            The display.
        """
        rows = estimator.landmarks_
        rows = rows[np.argsort(estimator.labels_[rows], kind="stable")]
        if len(rows) > n_shown:
            rows = rows[np.linspace(0, len(rows) - 1, n_shown).round().astype(int)]
        matrix, labels = estimator.consensus_matrix(rows), estimator.labels_[rows]
        order = _order_within_clusters(matrix, labels)
        return cls(matrix[np.ix_(order, order)], labels, rows[order]).plot(ax=ax)

    def plot(self, *, ax=None):
        """Plot the matrix, with a frame around each cluster.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to plot on; by default of a new figure.

        Returns
        -------
        display : ConsensusMatrixDisplay
            This display, with ``ax_``, ``figure_`` and ``image_``.
        """
        ax = new_axes("ConsensusMatrixDisplay") if ax is None else ax
        self.image_ = ax.imshow(self.matrix, cmap=COLORS, vmin=0.0, vmax=1.0)
        names, first, size = np.unique(
            self.labels, return_index=True, return_counts=True
        )
        for start, count in zip(first, size):
            edges = np.array([start, start + count]) - 0.5
            ax.plot(edges[[0, 1, 1, 0, 0]], edges[[0, 0, 1, 1, 0]], color=BORDER)
        ax.set_yticks(
            first + size / 2 - 0.5, [f"{c} ({n})" for c, n in zip(names, size)]
        )
        ax.set_xticks([])
        ax.set(ylabel="cluster (rows shown)", title="clustered together")
        ax.figure.colorbar(self.image_, ax=ax, label="share of base clusterings")
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _order_within_clusters(matrix, labels):
    """Order the rows of each cluster by their mean co-association with it."""
    own = labels[:, None] == labels
    mean = (matrix * own).sum(axis=1) / own.sum(axis=1)
    return np.lexsort((-mean, labels))
