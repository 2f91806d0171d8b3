"""Kappa-error diagrams of the pairs of members."""

import numpy as np

from manyminds.analysis._checks import check_option
from manyminds.analysis._plotting import AXES, new_axes
from manyminds.analysis.diversity._reading import read_pair
from manyminds.analysis.diversity.pairwise import kappa as measure_kappa
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import MARGINEANTU_1997, cite

__all__ = ["KappaErrorDisplay"]

MAX_SHAPES = 5000  # more points are rasterized: shapes would take megabytes
# Color-blind readers can distinguish them; in gray, the markers of the centers differ.
COLORS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
MARKERS = "oDsP^v"


@fill_docstring(axes=AXES, references=cite(MARGINEANTU_1997))
class KappaErrorDisplay:
    """Scatter plot of the kappa and the mean error of each pair of members.

    Diverse pairs are on the left, accurate pairs at the bottom. It is created by
    `from_predictions` or `from_estimator` [1]_.

    Parameters
    ----------
    kappa : ndarray of shape (n_pairs,)
        Kappa of the pairs (0, 1), (0, 2), ..., (1, 2), ...
    error : ndarray of shape (n_pairs,)
        Mean error rate of the two members.
    n_members : int
        Number of members.
    name : str, default=None
        Name of the ensemble in the legend.

    Attributes
    ----------
    {axes}

    {references}

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from manyminds.analysis.diversity import KappaErrorDisplay
    >>> y = [0, 0, 1, 1]
    >>> predictions = [[0, 0, 1, 0], [0, 1, 1, 1], [1, 0, 1, 1]]
    >>> display = KappaErrorDisplay.from_predictions(y, predictions)
    >>> print(display.mean_error)
    0.25
    >>> display.find_hull().tolist()
    [1, 2]
    """

    def __init__(self, *, kappa, error, n_members, name=None):
        self.kappa = kappa
        self.error = error
        self.n_members = n_members
        self.name = name

    @classmethod
    def from_predictions(
        cls, y, predictions, *, on="labels", name=None, ax=None, **options
    ):
        """Plot the pairs of members from their predictions.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            True labels.
        predictions : array-like of shape (n_members, n_samples)
            Predictions of each member, such as those of ``predict_all``.
        on : {"labels", "correctness"}, default="labels"
            Basis of kappa; see `manyminds.analysis.diversity.kappa`.
        name : str, default=None
            Name of the ensemble in the legend.
        ax : matplotlib Axes, default=None
            Axes to draw on, such as the ``ax_`` of another display; by default those of
            a new figure.
        **options
            Options of `plot`.

        Returns
        -------
        display : KappaErrorDisplay
        """
        y, predictions = read_pair(y, predictions)
        matrix = measure_kappa(y, predictions, on=on, average=None)
        wrong = np.mean(predictions != y, axis=1)
        first, second = np.triu_indices(len(predictions), k=1)
        display = cls(
            kappa=matrix[first, second],
            error=(wrong[first] + wrong[second]) / 2.0,
            n_members=len(predictions),
            name=name,
        )
        return display.plot(ax=ax, **options)

    @classmethod
    def from_estimator(
        cls, estimator, X, y, *, on="labels", name=None, ax=None, **options
    ):
        """Plot the pairs of members of a fitted ensemble.

        Parameters
        ----------
        estimator : classifier with ``predict_all``
            Fitted ensemble.
        X : array-like of shape (n_samples, n_features)
            Samples to classify, preferably not training samples.
        y : array-like of shape (n_samples,)
            True labels.
        on, ax, **options
            As in `from_predictions`.
        name : str, default=None
            Name of the ensemble in the legend; by default the name of its class.

        Returns
        -------
        display : KappaErrorDisplay
        """
        if not hasattr(estimator, "predict_all"):
            raise TypeError(
                "estimator must have predict_all, the predictions of each member; got "
                f"{type(estimator).__name__}. Use from_predictions instead."
            )
        name = type(estimator).__name__ if name is None else name
        predictions = estimator.predict_all(X)
        return cls.from_predictions(y, predictions, on=on, name=name, ax=ax, **options)

    @property
    def mean_kappa(self):
        """Mean kappa of all pairs."""
        return float(self.kappa.mean())

    @property
    def mean_error(self):
        """Mean error of all pairs, which is that of all members."""
        return float(self.error.mean())

    def find_hull(self, part="lower left"):
        """Return the members of the pairs on the convex hull.

        Margineantu and Dietterich prune all other members of an ensemble.

        Parameters
        ----------
        part : {"lower left", "all"}, default="lower left"
            Part of the hull: the lower left, where pairs are both diverse and accurate,
            or all of it.

        Returns
        -------
        members : ndarray of int
            In ascending order. All pairs at a corner of the hull count; pairs on an
            edge between two corners do not.
        """
        check_option("part", part, ("lower left", "all"))
        points = np.column_stack([self.kappa, self.error])
        unique, place = np.unique(points, axis=0, return_inverse=True)
        corners = _lower_hull(unique)
        if part == "all":
            corners += [len(unique) - 1 - i for i in _lower_hull(-unique[::-1])]
        else:
            errors = unique[corners, 1]
            corners = corners[: int(errors.argmin()) + 1]
        pairs = np.triu_indices(self.n_members, k=1)
        is_kept = np.isin(place.ravel(), corners)
        return np.unique(np.concatenate([side[is_kept] for side in pairs]))

    def plot(self, *, ax=None, hull=False, color=None):
        """Plot the pairs and their mean.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; by default those of a new figure.
        hull : bool, default=False
            Whether to mark the pairs at the lower left of the convex hull.
        color : matplotlib color, default=None
            By default the next color that is not used in the axes.

        Returns
        -------
        display : KappaErrorDisplay
            The display itself.
        """
        self.ax_ = new_axes("KappaErrorDisplay") if ax is None else ax
        self.figure_ = self.ax_.figure
        n_drawn = sum(line.get_gid() == "center" for line in self.ax_.collections)
        turn = n_drawn % len(COLORS)
        color = COLORS[turn] if color is None else color
        _draw(self, self.ax_, color, MARKERS[turn], hull)
        return self


def _lower_hull(points):
    """Return the indices of the corners of the lower hull of sorted points.

    From the leftmost point, of several the lowest, to the rightmost.
    """
    points, corners = points.tolist(), []
    for i, (x, y) in enumerate(points):
        if corners and points[corners[-1]][0] == x:
            continue  # above another point: not a corner
        while len(corners) > 1:
            (ax, ay), (bx, by) = points[corners[-2]], points[corners[-1]]
            if (bx - ax) * (y - ay) > (by - ay) * (x - ax):
                break
            corners.pop()
        corners.append(i)
    return corners


def _draw(display, ax, color, marker, hull):
    n_pairs = len(display.kappa)
    ax.scatter(
        display.kappa,
        100.0 * display.error,
        s=7,
        alpha=float(np.clip(500.0 / n_pairs, 0.05, 0.6)),
        color=color,
        linewidth=0,
        rasterized=n_pairs > MAX_SHAPES,
    )
    center = display.mean_kappa, 100.0 * display.mean_error
    name = f"{display.n_members} members" if display.name is None else display.name
    ax.scatter(
        *center,
        s=90,
        marker=marker,
        color=color,
        edgecolor="black",
        linewidth=1.2,
        zorder=3,
        label=f"{name}: mean kappa {center[0]:.2f}, mean error {center[1]:.1f} %",
        gid="center",
    )
    if hull:
        _draw_hull(display, ax, color)
    ax.set(
        xlabel="kappa of two members (left: more diverse)",
        ylabel="mean error of the two (%)",
        title="Kappa and error of all pairs of members",
    )
    ax.legend(loc="best")


def _draw_hull(display, ax, color):
    points = np.unique(np.column_stack([display.kappa, display.error]), axis=0)
    corners = _lower_hull(points)
    corners = points[corners[: int(points[corners, 1].argmin()) + 1]]
    x, y = corners[:, 0], 100.0 * corners[:, 1]
    ax.plot(x, y, color="black", linewidth=2.2, zorder=2)
    ax.plot(x, y, color=color, linewidth=1.2, marker=".", markersize=8, zorder=2)
