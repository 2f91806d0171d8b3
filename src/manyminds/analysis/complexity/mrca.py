"""Multi-resolution complexity analysis of samples by their neighborhoods."""

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
from manyminds.analysis.complexity.sampling import (
    SampledProfiler,
    draw_rows,
    rescale_ranks,
)
from manyminds.analysis.distance_space import DistanceSpace
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import TAMPONI_2015, cite

_SIZE = [
    Interval(Integral, 1, None, closed="left"),
    Interval(RealNotInt, 0.0, 1.0, closed="right"),
]


@fill_docstring(references=cite(f"{TAMPONI_2015}, chapter 3"))
class MultiResolutionComplexity(ProfileModel):
    """Estimate how hard each sample is to classify, from neighborhoods of many sizes.

    Around each sample there are neighborhoods of growing radius. A probe measures how
    well each of them supports the sample's label, from -1 to 1: together they are the
    sample's profile. The multi-resolution index (MRI) summarizes a profile, 0 for easy
    and 1 for hard, and similar profiles form clusters, the hardest first [1]_. No
    classifier is fitted.

    The defaults follow the text of the thesis. Its tables were computed with
    ``weights="harmonic"`` and, for the linear boundary, ``covariance="global"``.

    Parameters
    ----------
    probe : {"imbalance", "linear_boundary", "discriminant"} or callable, \
            default="imbalance"
        - "imbalance": 2 p - 1, where p is the fraction of members with the sample's
          label.
        - "linear_boundary": signed distance of the sample from a linear boundary
          between its own class and all others, through a sigmoid.
        - "discriminant": 2 p - 1, where p is the probability of the sample's label by
          a linear discriminant analysis of the neighborhood.
        - a callable: ``probe(x, label, X_near, labels_near)`` returns a number from -1
          to 1 for one sample and the members of one neighborhood, columns scaled. It
          is called for each sample and radius, which is slow.
    n_radii : int, default=15
        Number of radii, at least two. Results hardly differ between 5 and 25.
    smallest : int or float, default=0.05
        Number of neighbors within the first radius; a float is a fraction of the other
        samples.
    largest : int or float, default=0.45
        The same for the last radius. Ignored if ``spacing="multiples"``.
    statistic : {"max", "mean", "median"}, default="mean"
        A radius is the same for all samples: statistic over the samples of the distance
        to the neighbor of a given rank. With "max" every sample has so many neighbors.
    spacing : {"linear_radius", "linear_count", "multiples"}, default="linear_radius"
        Equally spaced radii, equally spaced numbers of neighbors, or multiples of the
        first radius.
    scaling : {"standard", "mahalanobis"} or None, default="standard"
        Standardize the columns, also decorrelate them, or do not scale them.
        "mahalanobis" is not suitable for many columns or few samples.
    covariance : {"local", "global", "identity"}, default="local"
        Covariance matrix of the linear boundary and the discriminant: that within the
        groups of the neighborhood; one of all samples around the mean of all numbers;
        the identity. Directions without variance are left out.
    shrinkage : float, default=0.0
        With ``covariance="local"``, shrinkage towards a multiple of the identity, from
        0 to 1.
    chance_corrected : bool, default=False
        Whether "imbalance" divides the number of members of other classes by the number
        of other classes, so that random labels have a mean of 0, not
        2 / n_classes - 1.
    include_self : bool, default=True
        Whether a sample is a member of its own neighborhoods.
    clusterer : {"manual", "kmeans", "minibatch"}, array-like or estimator, \
            default="manual"
        Centroids of the clusters: those of `make_profile_centroids`, which do not
        depend on the data; those of k-means; an array with a centroid per row; or those
        of a clusterer with ``cluster_centers_``.
    n_clusters : int, default=3
        Number of clusters; ignored if ``clusterer`` is an array or an estimator.
    weights : {"linear", "harmonic"} or array-like of shape (n_radii,), default="linear"
        Weight of radius j of t in the MRI: 1 - (j - 1) / t, or 1 / j, or a number.
    n_neighbors : int, default=5
        Number of training samples whose mean profile is that of a new sample without a
        label.
    max_samples : int, "auto" or None, default="auto"
        Maximum number of samples that neighborhoods and radii are made of. If there are
        more, so many are drawn at random; every sample still has a profile, whose error
        is estimated. "auto": all up to 100,000 samples, else 10,000. None: all.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categorical: a mask, positions, names, or those columns of a
        dataframe that have a categorical dtype. Each of their values becomes a column.
    n_jobs : int, default=None
        Number of threads. The result does not depend on it.
    verbose : int, default=0
        Whether to print the progress of ``fit``.
    random_state : int, RandomState instance or None, default=None
        Determines the initial centroids of "kmeans" and "minibatch", and the samples
        that are drawn.

    Attributes
    ----------
    profiles_ : ndarray of shape (n_samples, n_radii)
        Value of the probe for each sample at each radius.
    mri_ : ndarray of shape (n_samples,)
        Multi-resolution index of each sample: 1 is the hardest.
    mri_std_errors_ : ndarray of shape (n_samples,)
        Standard error of each index because neighborhoods are made of drawn samples, at
        given radii; 0 if all are used, NaN with a callable probe.
    is_sampled_ : bool
        Whether neighborhoods and radii are made of drawn samples.
    reference_indices_ : ndarray of shape (n_reference_samples,)
        Samples that they are made of: those drawn, or all.
    labels_ : ndarray of shape (n_samples,)
        Cluster of each sample; 0 is the hardest.
    cluster_mri_ : ndarray of shape (n_clusters,)
        Mean index of each cluster, descending; NaN for an empty one.
    cluster_sizes_ : ndarray of shape (n_clusters,)
        Size of each cluster. With manual centroids, some are often empty.
    centroids_ : ndarray of shape (n_clusters, n_radii)
        Centroids of the clusters.
    radii_ : ndarray of shape (n_radii,)
        Radii, in units of the scaled columns.
    weights_ : ndarray of shape (n_radii,)
        Weight of each radius.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    See Also
    --------
    ComplexityDisplay : Plot profiles, a map of the samples, or errors of clusters.
    measure_complexity_agreement : Compare the MRI with the errors of a classifier.

    Notes
    -----
    Time is quadratic in the number of samples, memory is linear: distances are
    computed in blocks. With ``max_samples`` time is linear, too, and the radii are
    statistics over the drawn samples; new samples are compared with those only. Missing
    numbers are replaced by the mean of the column.

    {references}

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
    >>> y[complexity.mri_.argsort()[-3:]]  # none of the hardest is a setosa
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
        "max_samples": [
            Interval(Integral, 2, None, closed="left"),
            StrOptions({"auto"}),
            None,
        ],
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
        max_samples="auto",
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
        self.max_samples = max_samples
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y):
        """Compute the profile and the index of every sample, and cluster the profiles.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Samples with numbers and categories; they may have missing values.
        y : array-like of shape (n_samples,)
            Classes.

        Returns
        -------
        self : MultiResolutionComplexity
        """
        self._validate_params()
        X = self._read_table(X, reset=True)
        labels = self._read_labels(X, y, reset=True)
        counts = self._list_counts(len(X))
        self.weights_ = make_weights(self.weights, self.n_radii)
        drawn = draw_rows(len(X), self.max_samples, self.random_state)
        counts = rescale_ranks(counts, len(X), len(drawn))

        self.reference_indices_, self.is_sampled_ = drawn, len(drawn) < len(X)
        self._space = DistanceSpace(self.scaling)
        points = self._space.fit(X, self._encoder.is_categorical)
        self._reference = Reference(
            *((points[drawn], labels[drawn]) if self.is_sampled_ else (points, labels)),
            len(self.classes_),
        )
        n_pieces = len(list_bounds(len(drawn))) + len(list_bounds(len(X)))
        pieces = self._watch(self._measure_rows(points, labels, counts), n_pieces)
        self.profiles_, self.mri_std_errors_ = map(np.concatenate, zip(*pieces))
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
                "smallest must not be more neighbors than largest; got "
                f"{self.smallest} and {self.largest}: {smallest} and {largest} rows."
            )
        return list_counts(smallest, largest, self.n_radii, self.spacing)

    def _measure_rows(self, points, labels, counts):
        """Compute the radii, then all profiles; yield after every task."""
        distances = []
        for found in find_distances(self._reference, counts, self.n_jobs):
            distances.append(found)
            yield None
        self.radii_ = space_radii(
            np.concatenate(distances), self.n_radii, self.statistic, self.spacing
        )
        self._profiler = Profiler(
            self._reference,
            self.radii_,
            self.probe,
            covariance=self.covariance,
            shrinkage=self.shrinkage,
            chance_corrected=self.chance_corrected,
            classes=self.classes_,
            points=points,
        )
        profile = self._profile_sampled if self.is_sampled_ else self._profile_own
        yield from run_tasks(
            profile(points, labels), self._reference, len(points), self.n_jobs
        )

    def _profile_own(self, points, labels):
        """Return a function that computes profiles of rows, and their errors of 0."""

        def do_task(first, last):
            rows = np.arange(first, last)
            profiles = self._profiler.profile(
                points[rows],
                labels[rows, None],
                own=rows,
                leave_out=not self.include_self,
            )[:, 0]
            return profiles, np.zeros(len(rows))

        return do_task

    def _profile_sampled(self, points, labels):
        """Return a function that estimates profiles of rows, and their errors."""
        sampled = SampledProfiler(
            self._profiler, len(points), self.weights_, self.include_self
        )
        place = np.full(len(points), -1)
        place[self.reference_indices_] = np.arange(len(self.reference_indices_))

        def do_task(first, last):
            rows = slice(first, last)
            return sampled.profile(points[rows], labels[rows], place[rows])

        return do_task

    def _sort_clusters(self, centroids):
        """Sort clusters, the hardest first; empty ones by the index of the centroid."""
        labels = assign(self.profiles_, centroids)
        mri, sizes = average_clusters(self.mri_, labels, len(centroids))
        own = multi_resolution_index(centroids, self.weights_)
        order = np.argsort(-np.where(sizes > 0, mri, own), kind="stable")
        self.labels_ = np.argsort(order, kind="stable")[labels]
        self.cluster_mri_, self.cluster_sizes_ = mri[order], sizes[order]
        self.centroids_ = centroids[order]
