"""Random rotations of pairs of features, one after the other."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False, repr=False)
class PairRotation:
    """Disjoint pairs of features and the angle by which each pair is turned.

    Parameters
    ----------
    first, second : ndarray of shape (n_pairs,), int64
        The features of each pair.
    angles : ndarray of shape (n_pairs,), float64
        By how much, in radians.

    Examples
    --------
    A quarter turn puts the second feature in the place of the first.

    >>> import numpy as np
    >>> from manyminds.ensemble.rotations.pair_rotations import PairRotation
    >>> turn = PairRotation(np.array([0]), np.array([2]), np.array([np.pi / 2]))
    >>> np.round(turn.transform(np.array([[1.0, 2.0, 3.0]])), 9)
    array([[ 3.,  2., -1.]])
    """

    first: np.ndarray
    second: np.ndarray
    angles: np.ndarray

    def transform(self, X):
        """Return the rotated table: as many steps as it has values.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)

        Returns
        -------
        rotated : ndarray of shape (n_samples, n_features)
        """
        cosine, sine = np.cos(self.angles), np.sin(self.angles)
        a, b = X[:, self.first], X[:, self.second]
        rotated = X.copy()
        rotated[:, self.first] = cosine * a + sine * b
        rotated[:, self.second] = cosine * b - sine * a
        return rotated

    def __repr__(self):
        return f"<PairRotation: {len(self.angles)} pairs>"


def draw_pair_rotation(n_features, rng):
    """Pair the features at random and draw an angle of each pair up to a quarter turn.

    More would be in vain: for trees, an axis that is turned round or takes the place of
    another is the same axis. Of an odd number of features, one stays as it is.

    Parameters
    ----------
    n_features : int
        Number of columns.
    rng : RandomState
        Draws the pairs and angles.

    Returns
    -------
    rotation : PairRotation
        The pairs and their angles.
    """
    order, n_pairs = rng.permutation(n_features), n_features // 2
    angles = rng.uniform(0.0, np.pi / 2.0, size=n_pairs)
    return PairRotation(order[:n_pairs], order[n_pairs : 2 * n_pairs], angles)
