"""Uncertainty coefficient: the fraction of the labels' entropy that vectors explain."""

import numpy as np
from scipy.special import gammaln
from sklearn.neighbors import NearestNeighbors

from manyminds.analysis._checks import check_option
from manyminds.analysis.correlation.reading import read_encoding

__all__ = ["nearest_neighbor_entropy"]

ESTIMATORS = ("kl", "thesis")


def nearest_neighbor_entropy(X, estimator="kl"):
    r"""Estimate the differential entropy of vectors from nearest-neighbor distances.

    With :math:`\rho_i` the distance of row i to the nearest other row, d columns and
    :math:`\gamma` Euler's constant, the estimate of Kozachenko and Leonenko [1]_ is

    .. math::

       \hat H = \frac{d}{N} \sum_i \log \rho_i + \log V_d + \log(N - 1) + \gamma,
       \qquad V_d = \frac{\pi^{d/2}}{\Gamma(d/2 + 1)} .

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Two distinct rows or more; the entropy of equal rows is undefined.
    estimator : {"kl", "thesis"}, default="kl"
        "kl" is the above. "thesis" is :math:`\frac1N \sum_i \log(N \rho_i) + \log 2 +
        \gamma`, which a thesis on correlation scores used for vectors [2]_, although it
        is (nearly) correct for one column only.

    Returns
    -------
    entropy : float
        In nats.

    References
    ----------
    .. [1] Kozachenko and Leonenko, "Sample estimate of the entropy of a random vector",
       Problems of Information Transmission 23, 1987.
    .. [2] Tamponi, "Dataset analysis for classifier ensemble enhancement", doctoral
       thesis, University of Cagliari, 2015.

    Examples
    --------
    Three rows whose nearest distances are 1, 1 and 2, on a line:

    >>> from manyminds.analysis import nearest_neighbor_entropy
    >>> print(f"{nearest_neighbor_entropy([[0.0], [1.0], [3.0]]):.4f}")
    2.1946
    """
    check_option("estimator", estimator, ESTIMATORS)
    X = read_encoding(X, None)
    if len(X) < 2:
        raise ValueError(f"X must have two rows or more; got {len(X)}.")
    return _entropy(X, estimator)


def uncertainty(X, labels, estimator):
    r"""Return the uncertainty coefficient :math:`U = I(X, Y) / H(Y)`.

    With "kl", classes of one sample are left out of all entropies. With "thesis" their
    entropy is 0, and the divisor is the smaller of the entropies of X and Y, as in the
    experiments of the thesis.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_columns)
    labels : Labels
    estimator : {"kl", "thesis"}
        See `nearest_neighbor_entropy`.

    Returns
    -------
    coefficient : float
        May be outside [0, 1], since entropies are estimated.
    """
    if estimator == "kl":
        kept = labels.counts[labels.codes] > 1
        X, labels = X[kept], labels.take(labels.codes[kept])
    if len(labels.numbers) < 2:
        return 0.0
    shares = labels.counts / len(X)
    label_entropy = -shares @ np.log(shares)
    entropy = _entropy(X, estimator)
    within = [
        _entropy(X[labels.codes == k], estimator) for k in range(len(labels.numbers))
    ]
    information = entropy - shares @ within
    if estimator == "thesis":
        return float(information / min(entropy, label_entropy))
    return float(information / label_entropy)


def _entropy(X, estimator):
    n_samples, n_columns = X.shape
    if n_samples == 1:
        return 0.0
    index = NearestNeighbors(n_neighbors=1).fit(X)
    distance = index.kneighbors()[0][:, 0]  # without X: of each row to the others
    if not distance.all():
        raise ValueError(
            f"{int((distance == 0.0).sum())} rows of X coincide with another row (of "
            "their class), and the estimate of entropy is undefined. Break ties by "
            "preparers=[AddNoise()], or use another coefficient."
        )
    if estimator == "thesis":
        return np.log(n_samples * distance).mean() + np.log(2.0) + np.euler_gamma
    ball = n_columns / 2.0 * np.log(np.pi) - gammaln(n_columns / 2.0 + 1.0)
    spread = n_columns * np.log(distance).mean()
    return spread + ball + np.log(n_samples - 1.0) + np.euler_gamma
