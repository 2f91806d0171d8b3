"""META-DES: learn from many signs of competence whether a member will be right."""

import numpy as np
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from manyminds.ensemble.neighbors import Neighbors

N_PROFILES = 5  # rows about which members vote most alike
MAX_CONSENSUS = 0.7  # rows with a greater majority teach little
MAX_ROWS = 50_000  # pairs of row and member from which the second level learns


class MetaCompetence:
    """Predict from meta-features whether members are right about a row.

    For a member and a row they are: whether it is right about each neighbor, its
    probability of each neighbor's class, its share of right ones among them, whether it
    is right about the rows with the most similar votes, and its confidence.

    Parameters
    ----------
    values : ndarray of shape (n_members, n_known, n_classes)
        The members' probabilities for rows whose class is known.
    y : ndarray of int of shape (n_known,)
        Their class numbers.
    n_jobs : int or None
        Number of threads.
    """

    def __init__(self, values, y, n_jobs=None):
        self.labels = values.argmax(axis=2).T  # (n_known, n_members)
        self.right = (self.labels == y[:, np.newaxis]).astype(np.float64)
        self.truth = values[:, np.arange(len(y)), y].T.copy()
        self.confidence = values.max(axis=2).T
        self.n_classes = values.shape[2]
        n_profiles = min(N_PROFILES, max(1, len(y) - 1))
        self._profiles = Neighbors(self._spread(self.labels), n_profiles, n_jobs)

    def _spread(self, labels):
        """Return points whose distances grow with the number of votes that differ."""
        if self.n_classes == 2:
            return labels.astype(np.float64)
        ones = labels[:, :, np.newaxis] == np.arange(self.n_classes)
        return ones.reshape(len(labels), -1).astype(np.float64)

    def fit(self, near, rng):
        """Learn from the known rows on which members disagree.

        Parameters
        ----------
        near : ndarray of int of shape (n_known, n_near)
            Neighbors of each known row but itself.
        rng : RandomState
            Draws pairs of row and member if there are very many.

        Returns
        -------
        self : MetaCompetence
        """
        majority = _count_votes(self.labels, self.n_classes).max(axis=1)
        rows = np.flatnonzero(majority < MAX_CONSENSUS * self.labels.shape[1])
        rows = rows if len(rows) > 0 else np.arange(len(self.labels))
        n_rows = max(1, MAX_ROWS // self.labels.shape[1])
        rows = np.sort(rng.permutation(rows)[:n_rows])
        profiles = self._find_profiles(self.labels[rows], rows)
        features = self._make_features(near[rows], profiles, self.confidence[rows])
        target = self.right[rows].ravel()
        self._constant = float(target[0]) if (target == target[0]).all() else None
        if self._constant is None:
            scaler = StandardScaler().fit(features)
            model = LogisticRegression(max_iter=200)
            model.fit(scaler.transform(features), target)
            self._weights = model.coef_[0] / scaler.scale_
            self._intercept = model.intercept_[0] - self._weights @ scaler.mean_
        return self

    def predict(self, near, labels, confidence):
        """Return the probability that a member is right: (n_rows, n_members).

        Parameters
        ----------
        near : ndarray of int of shape (n_rows, n_near)
        labels : ndarray of int of shape (n_rows, n_members)
            Class number by each member.
        confidence : ndarray of shape (n_rows, n_members)
            Its probability of that class.
        """
        if self._constant is not None:
            return np.full(labels.shape, self._constant)
        profiles = self._find_profiles(labels, None)
        # The model is linear: sum what each known row adds, without features.
        of_right, of_truth, of_mean, of_profile, of_confidence = self._split_weights()
        score = self._intercept + of_confidence * confidence
        for k, weight in enumerate(of_right + of_mean / len(of_right)):
            score += weight * self.right[near[:, k]]
            score += of_truth[k] * self.truth[near[:, k]]
        for k, weight in enumerate(of_profile):
            score += weight * self.right[profiles[:, k]]
        return expit(score)

    def _split_weights(self):
        """Return the weights of the meta-features in their groups; see ``fit``."""
        n_near = (len(self._weights) - 2 - self._profiles.n_near) // 2
        cuts = np.cumsum([n_near, n_near, 1, self._profiles.n_near])
        return np.split(self._weights, cuts)

    def _find_profiles(self, labels, own):
        """Return the known rows with the most similar votes, not the rows ``own``."""
        return self._profiles.find(self._spread(labels), own)

    def _make_features(self, near, profiles, confidence):
        """Return one row of meta-features for each row and member."""
        right = self.right[near]  # (n_rows, n_near, n_members)
        parts = [
            right,
            self.truth[near],
            right.mean(axis=1, keepdims=True),
            self.right[profiles],
            confidence[:, np.newaxis],
        ]
        features = np.concatenate(parts, axis=1)
        return np.moveaxis(features, 1, 2).reshape(-1, features.shape[1])


def _count_votes(labels, n_classes):
    return np.stack([(labels == c).sum(axis=1) for c in range(n_classes)], axis=1)
