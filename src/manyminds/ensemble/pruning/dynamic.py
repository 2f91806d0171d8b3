"""Dynamic selection: other members for each row, by what they get right near it."""

from numbers import Integral

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import gen_batches

from manyminds._compat import Interval, StrOptions
from manyminds.ensemble.neighbors import Neighbors, make_writable
from manyminds.ensemble.pruning._parameters import PARAGRAPHS
from manyminds.ensemble.pruning.base import PoolClassifier
from manyminds.ensemble.pruning.competence import RULES, Region
from manyminds.ensemble.pruning.meta_des import MetaCompetence
from manyminds.ensemble.pruning.points import PointReader
from manyminds.ensemble.pruning.votes import by_row
from manyminds.kernels import member_competence
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.tables import take_rows

BLOCK_CELLS = 2**20  # rows by members, held at once


class RowwiseClassifier(PoolClassifier):
    """Classify each row by members of its own; a subclass defines ``_weigh``."""

    def _store_known(self, pool, X, label):
        """Store the pool, and what it says about rows whose class is known."""
        self._pool = pool
        self.n_members_ = len(pool)
        table = pool.read(X)
        self._known_labels = by_row(pool.label_table(table, self.classes_))
        self._known_classes = label
        self._reader = PointReader(table, self.standardize)
        return self._reader.read(table)

    def _look(self, table):
        """Return the classes by each member: (n_rows, n_members); or these and more."""
        return (by_row(self._pool.label_table(table, self.classes_)),)

    def _weigh(self, points, labels, *more):
        """Return weights of the members: (n_rows, n_members)."""
        raise NotImplementedError

    def _count(self, labels, weights):
        """Return the shares of the weighted votes: (n_rows, n_classes)."""
        shares = np.empty((len(labels), len(self.classes_)))
        member_competence.share_votes(labels, weights, shares)
        return shares

    def _weigh_block(self, table):
        return self._weigh(self._reader.read(table), *self._look(table))

    def _count_block(self, table):
        """Return shares of votes; where all members agree, there is no search."""
        seen = self._look(table)
        labels = seen[0]
        shares = np.eye(len(self.classes_))[labels[:, 0]]
        rows = np.flatnonzero((labels != labels[:, :1]).any(axis=1))
        if len(rows) > 0:
            points = self._reader.read(take_rows(table, rows))
            seen = [values[rows] for values in seen]
            shares[rows] = self._count(seen[0], self._weigh(points, *seen))
        return shares

    def _map_blocks(self, function, X):
        """Concatenate what a function returns for blocks of the table."""
        X = self._read_table(X)
        table = self._pool.read(X)
        n_rows = max(1, BLOCK_CELLS // self.n_members_)
        batches = gen_batches(table.shape[0], n_rows)
        return np.concatenate(
            [function(take_rows(table, np.arange(*b.indices(b.stop)))) for b in batches]
        )

    def _predict_members(self, X):
        return self._pool.labels(X, self.classes_)

    @property
    def _takes_sparse(self):
        return False

    @fill_docstring(**PARAGRAPHS)
    def weigh_members(self, X):
        """Return the weight of each member for each row of X.

        {classify_table}
        weights : ndarray of shape (n_samples, n_members)
            0 for members that are not selected; if all are 0, all members vote.
        """
        return self._map_blocks(self._weigh_block, X)

    @fill_docstring(**PARAGRAPHS)
    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {classify_table}
        p : ndarray of shape (n_samples, n_classes)
            Weighted shares of the selected members' votes. Columns in the order of
            ``classes_``.
        """
        return self._map_blocks(self._count_block, X)


@fill_docstring(**PARAGRAPHS)
class DynamicSelectionClassifier(RowwiseClassifier):
    """Classify each row by the members that do well on the rows near it.

    Members are rated on held-out rows. The nearest of these decide which members vote
    for a row to predict.

    Parameters
    ----------
    {classifier}
    method : str, default="knora-e"
        How members are selected for a row:

        - "ola": right about most of its neighbors [1]_
        - "lca": right about most of those neighbors to which they assign the class that
          they predict for the row [1]_
        - "knora-e": right about all of the nearest neighbors, as many as possible [2]_
        - "knora-u": all, weighted by the number of neighbors they are right about [2]_
        - "des-knn": half of the members, the most accurate on the neighbors; of these
          the most diverse, three tenths of all [3]_
        - "mcb": accurate on the neighbors for which members vote like for the row [4]_
        - "meta-des": by a second level, which learns from these signs and others when a
          member is right [5]_

        All members with the same competence vote. If none is competent, all do.
    n_neighbors : int, default=7
        Number of neighbors.
    standardize : bool, default=True
        Whether columns get the same scale before distances are measured. Missing values
        are replaced by means; codes of categories count as numbers.
    {validation}
    {common}

    Attributes
    ----------
    n_members_ : int
        Number of members.
    {class_names}

    See Also
    --------
    InstancePruningClassifier : Learn the selection by any multi-label learner.
    PrunedClassifier : The same members for all rows, which makes predictions faster.

    Notes
    -----
    All members predict all rows: nothing is saved. It pays if members are good in
    different regions, and seldom for the trees of a random forest.

    References
    ----------
    .. [1] Woods, Kegelmeyer and Bowyer, "Combination of multiple classifiers using
       local accuracy estimates", IEEE Transactions on Pattern Analysis and Machine
       Intelligence 19, 1997.
    .. [2] Ko, Sabourin and Britto, "From dynamic classifier selection to dynamic
       ensemble selection", Pattern Recognition 41, 2008.
    .. [3] Santana, Soares, Canuto and de Souto, "A dynamic classifier selection method
       to build ensembles using accuracy and diversity", SBRN, 2006.
    .. [4] Giacinto and Roli, "Dynamic classifier selection based on multiple classifier
       behaviour", Pattern Recognition 34, 2001.
    .. [5] Cruz, Sabourin, Cavalcanti and Ren, "META-DES: A dynamic ensemble selection
       framework using meta-learning", Pattern Recognition 48, 2015.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from manyminds.ensemble import DynamicSelectionClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> model = DynamicSelectionClassifier(random_state=0).fit(X[::2], y[::2])
    >>> print(model.score(X[1::2], y[1::2]) > 0.85)
    True
    >>> model.weigh_members(X[:3]).shape
    (3, 100)
    """

    _parameter_constraints = {
        **PoolClassifier._parameter_constraints,
        "method": [StrOptions({*RULES, "meta-des"})],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "standardize": ["boolean"],
    }

    def __init__(
        self,
        estimator=None,
        method="knora-e",
        *,
        n_neighbors=7,
        standardize=True,
        validation_fraction=0.3,
        prefit=False,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.method = method
        self.n_neighbors = n_neighbors
        self.standardize = standardize
        self.validation_fraction = validation_fraction
        self.prefit = prefit
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y):
        """Fit the members, and store where they are right among held-out rows.

        {fit}
        """
        self._validate_params()
        pool, X, label, _, rng = self._make_pool(X, y)

        points = self._store_known(pool, X, label)
        self._neighbors = Neighbors(points, self.n_neighbors, self.n_jobs)
        self._meta = None
        if self.method == "meta-des":
            values = pool.values(X, self.classes_)
            near = self._neighbors.find()
            self._meta = MetaCompetence(values, label, self.n_jobs).fit(near, rng)
        return self

    def _look(self, table):
        if self._meta is None:
            return super()._look(table)
        values = self._pool.value_table(table, self.classes_)
        return by_row(values.argmax(axis=2)), values.max(axis=2).T

    def _weigh(self, points, labels, confidence=None):
        near = self._neighbors.find(points)
        if self._meta is None:
            known = make_writable(self._known_labels, self._known_classes)
            n_threads = effective_n_jobs(self.n_jobs)
            return RULES[self.method](Region(*known, near, labels, n_threads))
        # The second level has learned from one neighbor less if there are few rows.
        n_near = min(self.n_neighbors, max(1, len(self._known_classes) - 1))
        competence = self._meta.predict(near[:, :n_near], labels, confidence)
        return (competence > 0.5).astype(np.float64)
