"""META-DES: learn from many signs of competence whether a member will be right."""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

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
    """

    def __init__(self, values, y):
        self.labels = values.argmax(axis=2).T  # (n_known, n_members)
        self.right = (self.labels == y[:, np.newaxis]).astype(np.float64)
        self.truth = values[:, np.arange(len(y)), y].T
        self.confidence = values.max(axis=2).T
        self.n_classes = values.shape[2]

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
            model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=200))
            self._model = model.fit(features, target)
        return self

    def predict(self, near, values):
        """Return the probability that a member is right: (n_rows, n_members).

        Parameters
        ----------
        near : ndarray of int of shape (n_rows, n_near)
        values : ndarray of shape (n_members, n_rows, n_classes)
            The members' probabilities for the rows.
        """
        labels, confidence = values.argmax(axis=2).T, values.max(axis=2).T
        if self._constant is not None:
            return np.full(labels.shape, self._constant)
        profiles = self._find_profiles(labels, None)
        features = self._make_features(near, profiles, confidence)
        return self._model.predict_proba(features)[:, 1].reshape(labels.shape)

    def _find_profiles(self, labels, own):
        """Return the known rows with the most similar votes, not the rows ``own``."""
        n_same = sum(
            (labels == c).astype(np.float32) @ (self.labels == c).T.astype(np.float32)
            for c in range(self.n_classes)
        )
        if own is not None:
            n_same[np.arange(len(own)), own] = -1.0
        n_profiles = min(N_PROFILES, max(1, len(self.labels) - 1))
        return np.argsort(-n_same, axis=1, kind="stable")[:, :n_profiles]

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
