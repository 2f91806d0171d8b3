"""Multi-resolution complexity analysis: how hard each row is, by its neighborhoods."""

from numbers import Integral, Real

import numpy as np

from manyminds._compat import (
    HasMethods,
    Interval,
    RealNotInt,
    StrOptions,
    with_callbacks,
)
from manyminds.analysis.complexity.base import ProfileModel
from manyminds.analysis.complexity.clustering import (
    assign,
    average_clusters,
    find_centroids,
    make_weights,
    multi_resolution_index,
)
from manyminds.analysis.complexity.gathering import (
    Reference,
    find_distances,
    list_bounds,
    run_tasks,
)
from manyminds.analysis.complexity.profiling import Profiler
from manyminds.analysis.complexity.radii import (
    STATISTICS,
    count_neighbors,
    list_counts,
    space_radii,
)
from manyminds.analysis.complexity.space import DistanceSpace

_SIZE = [
    Interval(Integral, 1, None, closed="left"),
    Interval(RealNotInt, 0.0, 1.0, closed="right"),
]


class MultiResolutionComplexity(ProfileModel):
    """Tell hard rows from easy ones by what is near them, and by what is further away.

    Around each row there are neighborhoods of growing radius. A probe says how well
    each of them supports the row's label, from -1 to 1: together they are the row's
    profile. The multi-resolution index (MRI) sums a profile up, 0 for easy and 1 for
    hard, and profiles that are alike form clusters, the hardest first [1]_. No
    classifier is fitted.

    The defaults follow the text of the thesis. Its tables were made with
    ``weights="harmonic"`` and, for the linear boundary, ``covariance="global"``.

    Parameters
    ----------
    probe : {"imbalance", "linear_boundary", "discriminant"} or callable, \
            default="imbalance"
        - "imbalance": twice the share of members with the row's label, less one.
        - "linear_boundary": distance of the row from a linear boundary between its
          own class and all others, squashed; negative on the wrong side.
        - "discriminant": twice the probability of the row's label, less one, by a
          linear discriminant analysis of the neighborhood.
        - a callable: ``probe(x, label, X_near, labels_near)`` gives a number from -1
          to 1 for one row and the members of one neighborhood, columns scaled. It is
          called for each row and radius, which takes time.
    n_radii : int, default=15
        Radii, two or more. 5 to 25 make little difference.
    smallest : int or float, default=0.05
        How many other rows are to be near by, at the first radius; a float is a share
        of them.
    largest : int or float, default=0.45
        The same at the last radius. Not used if ``spacing="multiples"``.
    statistic : {"max", "mean", "median"}, default="mean"
        One radius is for all rows: what to make of the different distances at which
        they have so many neighbors. "max" promises them to every row.
    spacing : {"linear_radius", "linear_count", "multiples"}, default="linear_radius"
        Whether radii go up in equal steps, or the numbers of neighbors do, or the
        radii are the multiples of the first.
    scaling : {"standard", "mahalanobis"} or None, default="standard"
        Columns get mean 0 and variance 1, or lose their correlations as well, or stay
        as they are. "mahalanobis" is not for many columns or few rows.
    covariance : {"local", "global", "identity"}, default="local"
        Covariance matrix of the linear boundary and the discriminant: that of the
        neighborhood around the means of its groups; one of all rows around the mean
        of all numbers; none. Directions without scatter are left out.
    shrinkage : float, default=0.0
        With ``covariance="local"``, how far the matrix is drawn towards a multiple of
        the identity, from 0 to 1.
    chance_corrected : bool, default=False
        Whether "imbalance" divides members of other classes by the number of other
        classes: then classes of equal size without structure are at 0, not at
        2 / n_classes - 1.
    include_self : bool, default=True
        Whether a row is a member of its own neighborhoods.
    clusterer : {"manual", "kmeans", "minibatch"}, array-like or estimator, \
            default="manual"
        Whose centroids profiles go to: those of `make_profile_centroids`, which do not
        depend on the data; those that k-means finds; an array of centroids, one per
        row; or those of a clusterer with ``cluster_centers_``.
    n_clusters : int, default=3
        Clusters; not used if ``clusterer`` is an array or an estimator.
    weights : {"linear", "harmonic"} or array-like of shape (n_radii,), default="linear"
        What radius j of t counts in the MRI: 1 - (j - 1) / t, or 1 / j, or a number.
    n_neighbors : int, default=5
        Known rows whose mean profile is taken for a new row without a label.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categorical: a mask, positions, names, or those columns of a
        dataframe that have a categorical dtype. Each of their values becomes a column.
    n_jobs : int, default=None
        Threads. The result does not depend on it.
    verbose : int, default=0
        Whether to tell on the way how far ``fit`` is.
    random_state : int, RandomState instance or None, default=None
        Draws the first centroids of "kmeans" and "minibatch".

    Attributes
    ----------
    profiles_ : ndarray of shape (n_samples, n_radii)
        What the probe says of each row at each radius.
    mri_ : ndarray of shape (n_samples,)
        Multi-resolution index of each row: 1 is the hardest.
    labels_ : ndarray of shape (n_samples,)
        Cluster of each row; 0 is the hardest.
    cluster_mri_ : ndarray of shape (n_clusters,)
        Mean index of each cluster, falling; NaN for an empty one.
    cluster_sizes_ : ndarray of shape (n_clusters,)
        Rows in each cluster. Manual centroids often leave some empty.
    centroids_ : ndarray of shape (n_clusters, n_radii)
        The clusters' centroids.
    radii_ : ndarray of shape (n_radii,)
        The radii, in the units of the scaled columns.
    weights_ : ndarray of shape (n_radii,)
        What each radius counts.
    classes_ : ndarray of shape (n_classes,)
        The classes of the rows.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if they are strings.

    See Also
    --------
    ComplexityDisplay : Draw profiles, a map of the rows, or clusters against errors.
    measure_complexity_agreement : Hold the MRI against the errors of a classifier.

    Notes
    -----
    Time grows with the square of the number of rows, memory does not: no matrix of
    all distances is held. A missing number counts as its column's mean.

    References
    ----------
    .. [1] Tamponi, "Dataset analysis for classifier ensemble enhancement", doctoral
       thesis, University of Cagliari, 2015, chapter 3.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.analysis import MultiResolutionComplexity
    >>> X, y = load_iris(return_X_y=True)
    >>> complexity = MultiResolutionComplexity().fit(X, y)
    >>> complexity.cluster_sizes_
    array([  1,  37, 112])
    >>> complexity.cluster_mri_.round(2)
    array([0.67, 0.37, 0.07])
    >>> y[complexity.mri_.argsort()[-3:]]  # the hardest are no setosas
    array([1, 2, 2])
    """

    _parameter_constraints = {
        "probe": [
            StrOptions({"imbalance", "linear_boundary", "discriminant"}),
            callable,
        ],
        "n_radii": [Interval(Integral, 2, None, closed="left")],
        "smallest": _SIZE,
        "largest": _SIZE,
        "statistic": [StrOptions(set(STATISTICS))],
        "spacing": [StrOptions({"linear_radius", "linear_count", "multiples"})],
        "scaling": [StrOptions({"standard", "mahalanobis"}), None],
        "covariance": [StrOptions({"local", "global", "identity"})],
        "shrinkage": [Interval(Real, 0.0, 1.0, closed="both")],
        "chance_corrected": ["boolean"],
        "include_self": ["boolean"],
        "clusterer": [
            StrOptions({"manual", "kmeans", "minibatch"}),
            HasMethods("fit"),
            "array-like",
        ],
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "weights": [StrOptions({"linear", "harmonic"}), "array-like"],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        probe="imbalance",
        *,
        n_radii=15,
        smallest=0.05,
        largest=0.45,
        statistic="mean",
        spacing="linear_radius",
        scaling="standard",
        covariance="local",
        shrinkage=0.0,
        chance_corrected=False,
        include_self=True,
        clusterer="manual",
        n_clusters=3,
        weights="linear",
        n_neighbors=5,
        categorical_features="from_dtype",
        n_jobs=None,
        verbose=0,
        random_state=None,
    ):
        self.probe = probe
        self.n_radii = n_radii
        self.smallest = smallest
        self.largest = largest
        self.statistic = statistic
        self.spacing = spacing
        self.scaling = scaling
        self.covariance = covariance
        self.shrinkage = shrinkage
        self.chance_corrected = chance_corrected
        self.include_self = include_self
        self.clusterer = clusterer
        self.n_clusters = n_clusters
        self.weights = weights
        self.n_neighbors = n_neighbors
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y):
        """Measure profile and index of every row, and cluster the profiles.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Rows of numbers and categories; they may have missing values.
        y : array-like of shape (n_samples,)
            Their classes.

        Returns
        -------
        self : MultiResolutionComplexity
        """
        self._validate_params()
        X = self._read_table(X, reset=True)
        labels = self._read_labels(X, y, reset=True)
        counts = self._list_counts(len(X))
        self.weights_ = make_weights(self.weights, self.n_radii)

        self._space = DistanceSpace(self.scaling)
        points = self._space.fit(X, self._encoder.is_categorical)
        self._reference = Reference(points, labels, len(self.classes_))
        profiles = self._watch(self._measure_rows(counts), 2 * len(list_bounds(len(X))))
        self.profiles_ = np.concatenate(profiles)
        self.mri_ = multi_resolution_index(self.profiles_, self.weights_)
        centroids = find_centroids(
            self.profiles_, self.clusterer, self.n_clusters, self.random_state
        )
        self._sort_clusters(centroids)
        return self

    def _list_counts(self, n_samples):
        smallest = count_neighbors("smallest", self.smallest, n_samples)
        if self.spacing == "multiples":
            return list_counts(smallest, None, self.n_radii, self.spacing)
        largest = count_neighbors("largest", self.largest, n_samples)
        if smallest > largest:
            raise ValueError(
                f"smallest={self.smallest} gives more neighbors than "
                f"largest={self.largest}: {smallest} and {largest}."
            )
        return list_counts(smallest, largest, self.n_radii, self.spacing)

    def _measure_rows(self, counts):
        """Find the radii, then all profiles; yield after every piece of the work."""
        reference, distances = self._reference, []
        for found in find_distances(reference, counts, self.n_jobs):
            distances.append(found)
            yield None
        self.radii_ = space_radii(
            np.concatenate(distances), self.n_radii, self.statistic, self.spacing
        )
        self._profiler = Profiler(
            reference,
            self.radii_,
            self.probe,
            covariance=self.covariance,
            shrinkage=self.shrinkage,
            chance_corrected=self.chance_corrected,
            classes=self.classes_,
        )
        n_rows = len(reference.points)
        yield from run_tasks(self._profile_own, reference, n_rows, self.n_jobs)

    def _profile_own(self, first, last):
        rows, labels = np.arange(first, last), self._reference.labels
        return self._profiler.profile(
            self._reference.points[rows],
            labels[rows, None],
            own=rows,
            leave_out=not self.include_self,
        )[:, 0]

    def _sort_clusters(self, centroids):
        """Put the hardest cluster first; an empty one goes where its centroid is."""
        labels = assign(self.profiles_, centroids)
        mri, sizes = average_clusters(self.mri_, labels, len(centroids))
        own = multi_resolution_index(centroids, self.weights_)
        order = np.argsort(-np.where(sizes > 0, mri, own), kind="stable")
        self.labels_ = np.argsort(order, kind="stable")[labels]
        self.cluster_mri_, self.cluster_sizes_ = mri[order], sizes[order]
        self.centroids_ = centroids[order]
