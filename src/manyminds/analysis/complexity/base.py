"""Base class: checks, profiles of new samples and progress."""

import time

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from manyminds._compat import CallbackSupportMixin, DocLinkMixin, report_tasks
from manyminds.analysis.complexity.clustering import assign, multi_resolution_index
from manyminds.analysis.complexity.gathering import run_tasks
from manyminds.analysis.complexity.profiling import average_nearest
from manyminds.trees.columns import encode_table
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.progress import print_progress

MEASURE_SAMPLES = """\
Parameters
----------
X : {array-like, dataframe} of shape (n_samples, n_features)
    Samples.
y : array-like of shape (n_samples,), default=None
    Classes.

Returns
-------
"""


@fill_docstring(measure_samples=MEASURE_SAMPLES)
class ProfileModel(
    CallbackSupportMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    DocLinkMixin,
    BaseEstimator,
):
    """Base class of estimators that compute profiles of samples.

    ``fit`` must set ``_space``, ``_reference`` and ``_profiler``, and the public
    profiles, weights, centroids and indices of the reference.
    """

    def transform(self, X, y=None):
        """Return the profiles of samples, relative to the training samples.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,), default=None
            Classes. By default, which the thesis does not consider, the profile is the
            mean profile of the ``n_neighbors`` nearest training samples.

        Returns
        -------
        profiles : ndarray of shape (n_samples, n_radii)
            Only training samples are members of the neighborhoods. Without members the
            profile is 0.
        """
        return self._profile(X, y)

    def profile_candidates(self, X):
        """Return the profiles of samples for each class as their label.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Samples without labels.

        Returns
        -------
        profiles : ndarray of shape (n_samples, n_classes, n_radii)
            In the order of ``classes_``.
        """
        points, _ = self._read_new(X, None)
        return self._map(self._profile_candidates, points)

    def measure_mri(self, X, y=None):
        """Return the multi-resolution index of samples; see ``transform``.

        {measure_samples}
        mri : ndarray of shape (n_samples,)
            Without ``y``, the mean index of the nearest training samples.
        """
        return multi_resolution_index(self._profile(X, y), self.weights_)

    def assign_clusters(self, X, y=None):
        """Return the clusters of samples; see ``transform``.

        {measure_samples}
        labels : ndarray of shape (n_samples,)
            0 is the hardest.
        """
        return assign(self._profile(X, y), self.centroids_)

    @property
    def _n_features_out(self):
        return len(self.radii_)

    def _read_table(self, X, reset):
        encoder = None if reset else self._encoder
        X, encoder = encode_table(
            self, X, encoder, self.categorical_features, reset=reset
        )
        if not isinstance(X, np.ndarray):
            raise TypeError(
                "X is a sparse matrix, which MultiResolutionComplexity does not take. "
                "Pass X.toarray() if it fits in memory."
            )
        if reset:
            self._encoder = encoder
            if len(X) < 2:
                raise ValueError(
                    "MultiResolutionComplexity compares rows with others: it needs two "
                    f"samples or more; X has {len(X)} sample."
                )
        return X

    def _read_labels(self, X, y, reset):
        """Check the classes and encode them from 0."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but "
                "the target y is None."
            )
        y = column_or_1d(y, warn=True)
        check_consistent_length(X, y)
        check_classification_targets(y)
        if reset:
            self.classes_, labels = np.unique(y, return_inverse=True)
            return labels.astype(np.int64)
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown) > 0:
            raise ValueError(
                f"y has labels {unknown.tolist()} that are not in classes_: "
                f"{self.classes_.tolist()}."
            )
        return np.searchsorted(self.classes_, y).astype(np.int64)

    def _read_new(self, X, y):
        check_is_fitted(self)
        X = self._read_table(X, reset=False)
        labels = None if y is None else self._read_labels(X, y, reset=False)
        return self._space.transform(X), labels

    def _watch(self, pieces, n_pieces):
        """Collect profiles; report progress to callbacks and, if verbose, on stderr."""
        started, found, n_done = time.monotonic(), [], 0
        for piece in report_tasks(self, pieces, n_pieces, "measure neighborhoods"):
            n_done += 1
            if piece is not None:
                found.append(piece)
            if self.verbose:
                name, share = type(self).__name__, n_done / n_pieces
                print_progress(name, "neighborhoods measured", share, started)
        if n_done < n_pieces:
            raise RuntimeError(
                f"A callback stopped fit after {n_done} of {n_pieces} tasks; profiles "
                "need all of them."
            )
        return found

    def _profile_given(self, points, labels):
        return self._profiler.profile(points, labels[:, None])[:, 0]

    def _profile_candidates(self, points):
        every = np.arange(len(self.classes_))
        return self._profiler.profile(points, np.tile(every, (len(points), 1)))

    def _average_nearest(self, points):
        profiles = self.profiles_[self.reference_indices_]
        return average_nearest(self._reference, points, profiles, self.n_neighbors)

    def _profile(self, X, y):
        """Return profiles as an array, independent of ``set_output``."""
        points, labels = self._read_new(X, y)
        if y is None:
            return self._map(self._average_nearest, points)
        return self._map(self._profile_given, points, labels)

    def _map(self, function, *arrays):
        """Call a function for blocks of rows, on threads."""

        def do_task(first, last):
            return function(*(array[first:last] for array in arrays))

        n_rows = len(arrays[0])
        pieces = run_tasks(do_task, self._reference, n_rows, self.n_jobs)
        return np.concatenate(list(pieces))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.target_tags.required = True
        return tags
