"""Plots of complexity: profiles, a map of the samples, errors of clusters."""

import numpy as np
from sklearn.decomposition import PCA
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from manyminds.analysis._plotting import AXES, new_axes
from manyminds.analysis.complexity.agreement import measure_complexity_agreement
from manyminds.utils.docstrings import fill_docstring

KINDS = ("profiles", "map", "errors")
COLORMAP = "viridis_r"  # ordered, also in gray and for color-blind readers


@fill_docstring(axes=AXES)
class ComplexityDisplay:
    """Visualization of a fitted `MultiResolutionComplexity`.

    It is created by `from_estimator`; ``plot`` draws another kind of plot.

    Parameters
    ----------
    radii : ndarray of shape (n_radii,)
        Radii of the neighborhoods.
    profiles : ndarray of shape (n_samples, n_radii)
        Profiles of the samples.
    mri : ndarray of shape (n_samples,)
        Multi-resolution index of the samples.
    labels : ndarray of shape (n_samples,)
        Clusters of the samples; 0 is the hardest.
    embedding : ndarray of shape (n_samples, 2), default=None
        Coordinates of the samples on the map.
    axis_names : tuple of two str, default=("first axis", "second axis")
        Labels of the axes of the map.
    is_error : ndarray of shape (n_samples,), default=None
        Mask of the samples that a classifier gets wrong.

    Attributes
    ----------
    {axes}

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.analysis import ComplexityDisplay, MultiResolutionComplexity
    >>> complexity = MultiResolutionComplexity().fit(*load_iris(return_X_y=True))
    >>> display = ComplexityDisplay.from_estimator(complexity, kind="map")
    >>> display.ax_.get_title()
    'Multi-resolution complexity of 150 rows'
    """

    def __init__(
        self,
        *,
        radii,
        profiles,
        mri,
        labels,
        embedding=None,
        axis_names=("first axis", "second axis"),
        is_error=None,
    ):
        self.radii = radii
        self.profiles = profiles
        self.mri = mri
        self.labels = labels
        self.embedding = embedding
        self.axis_names = axis_names
        self.is_error = is_error

    @classmethod
    def from_estimator(
        cls, estimator, *, kind="profiles", embedding=None, is_error=None, ax=None
    ):
        """Plot the training samples of an estimator.

        Parameters
        ----------
        estimator : MultiResolutionComplexity
            Fitted estimator.
        kind : {"profiles", "map", "errors"}, default="profiles"
            - "profiles": mean profile of each cluster, with its quartiles.
            - "map": the samples, colored by their index.
            - "errors": error rate of each cluster against its index.
        embedding : array-like of shape (n_samples, 2), default=None
            Coordinates of the samples on the map; by default the first two principal
            components of the scaled columns.
        is_error : array-like of shape (n_samples,), default=None
            Mask of the samples that a classifier gets wrong; required by "errors".
        ax : matplotlib Axes, default=None
            Axes to draw on; by default those of a new figure.

        Returns
        -------
        display : ComplexityDisplay
        """
        check_is_fitted(estimator)
        names = ("first axis", "second axis")
        if embedding is None:
            embedding, names = _project(estimator._reference.points)
        embedding = np.asarray(embedding, dtype=np.float64)
        n_rows = len(estimator.mri_)
        if embedding.shape != (n_rows, 2):
            raise ValueError(
                f"embedding must have shape ({n_rows}, 2), a row for each training "
                f"sample; got {embedding.shape}."
            )
        if is_error is not None:
            is_error = column_or_1d(is_error).astype(bool)
            check_consistent_length(estimator.mri_, is_error)
        display = cls(
            radii=estimator.radii_,
            profiles=estimator.profiles_,
            mri=estimator.mri_,
            labels=estimator.labels_,
            embedding=embedding,
            axis_names=names,
            is_error=is_error,
        )
        return display.plot(kind=kind, ax=ax)

    def plot(self, *, kind="profiles", ax=None):
        """Draw a plot.

        Parameters
        ----------
        kind : {"profiles", "map", "errors"}, default="profiles"
            See `from_estimator`.
        ax : matplotlib Axes, default=None
            Axes to draw on; by default those of a new figure.

        Returns
        -------
        display : ComplexityDisplay
            The display itself.
        """
        if kind not in KINDS:
            raise ValueError(f"kind must be one of {KINDS}; got {kind!r}.")
        if kind == "errors" and self.is_error is None:
            raise ValueError(
                "kind='errors' requires is_error, a mask of misclassified samples."
            )
        if kind == "map" and self.embedding is None:
            raise ValueError("kind='map' requires an embedding of the samples.")
        self.ax_ = new_axes("ComplexityDisplay") if ax is None else ax
        self.figure_ = self.ax_.figure
        {"profiles": _draw_profiles, "map": _draw_map, "errors": _draw_errors}[kind](
            self, self.ax_
        )
        return self


def _project(points):
    """Project points on their first two principal components."""
    n_components = min(2, *points.shape)
    pca = PCA(n_components, svd_solver="full")
    placed = pca.fit_transform(points)
    shares = list(pca.explained_variance_ratio_)
    names = [
        f"principal component {i + 1} ({100 * share:.0f} % of the variance)"
        for i, share in enumerate(shares)
    ]
    if n_components < 2:
        placed = np.column_stack([placed, np.zeros(len(placed))])
        names.append("")
    return placed, tuple(names)


def _draw_profiles(display, ax):
    import matplotlib

    clusters = np.unique(display.labels)
    colors = matplotlib.colormaps[COLORMAP](np.linspace(0.95, 0.1, len(clusters)))
    for color, cluster, marker in zip(colors, clusters, "osD^vP*X" * len(clusters)):
        mine = display.labels == cluster
        low, high = np.percentile(display.profiles[mine], [25, 75], axis=0)
        ax.fill_between(display.radii, low, high, color=color, alpha=0.2, lw=0)
        ax.plot(
            display.radii,
            display.profiles[mine].mean(axis=0),
            color=color,
            marker=marker,
            markersize=4,
            label=f"{mine.sum()} rows, MRI {display.mri[mine].mean():.2f}",
        )
    ax.axhline(0.0, color="#808080", linewidth=0.8, linestyle=":")
    ax.set(
        xlabel="radius (in units of the scaled columns)",
        ylabel="probe (1: the label is supported)",
        ylim=(-1.05, 1.05),
        title="Profiles of the clusters: mean and quartiles",
    )
    ax.legend(
        title="clusters, hardest first",
        loc="upper center",
        bbox_to_anchor=(0.5, -0.16),
        ncols=2,
        frameon=False,
    )


def _draw_map(display, ax):
    # The hardest rows are the fewest: drawn last, they are on top of the others.
    order = np.argsort(display.mri, kind="stable")
    points = ax.scatter(
        *display.embedding[order].T,
        c=display.mri[order],
        cmap=COLORMAP,
        vmin=0.0,
        vmax=1.0,
        s=22,
        edgecolor="#40404080",
        linewidth=0.4,
        rasterized=len(order) > 5_000,
    )
    bar = ax.figure.colorbar(points, ax=ax)
    bar.set_label("multi-resolution index: 0 easy, 1 hard")
    ax.set(
        xlabel=display.axis_names[0],
        ylabel=display.axis_names[1],
        title=f"Multi-resolution complexity of {len(order):,} rows",
    )


def _draw_errors(display, ax):
    found = measure_complexity_agreement(display.mri, display.labels, display.is_error)
    share = found.cluster_sizes / found.cluster_sizes.sum()
    ax.scatter(
        found.cluster_mri,
        100.0 * found.cluster_error,
        s=60 + 600 * share,
        c=found.cluster_mri,
        cmap=COLORMAP,
        vmin=0.0,
        vmax=1.0,
        edgecolor="black",
        linewidth=0.8,
        zorder=2,
    )
    places = zip(found.cluster_mri, 100.0 * found.cluster_error, found.cluster_sizes)
    for k, (x, y, size) in enumerate(places):
        # Labels of neighboring clusters alternate between above and below.
        offset = (0, 16 if k % 2 else -24)
        text = f"{size} rows"
        look = {"ha": "center", "fontsize": 8, "textcoords": "offset points"}
        ax.annotate(text, (x, y), xytext=offset, **look)
    ax.grid(color="#808080", alpha=0.25, linewidth=0.6, zorder=0)
    ax.set(
        xlabel="mean multi-resolution index of the cluster",
        ylabel="misclassified rows of the cluster (%)",
        title=_format_agreement(found),
        xlim=(-0.05, 1.05),
    )
    ax.margins(y=0.25)


def _format_agreement(found):
    if found.n_clusters < 3:
        return f"{found.n_clusters} clusters with rows: too few to correlate"
    if np.isnan(found.correlation):
        return "all clusters have the same error rate"
    return (
        f"{found.n_clusters} clusters: r = {found.correlation:.2f}, "
        f"rank r = {found.rank_correlation:.2f}\nrows: AUC {found.auc:.2f}"
    )
