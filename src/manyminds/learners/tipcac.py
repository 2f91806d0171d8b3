"""TIPCAC: the difference of class means after partial whitening."""

from numbers import Integral

import numpy as np

from manyminds._compat import Interval, StrOptions
from manyminds.learners._parameters import PARAMETERS
from manyminds.learners.partial_whitening import fit_whitening
from manyminds.learners.projection_classifier import (
    ProjectionClassifier,
    subtract_means,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import BRUBAKER_2008, ROZZA_2010, cite


@fill_docstring(**PARAMETERS, references=cite(ROZZA_2010, BRUBAKER_2008))
class TIPCACClassifier(ProjectionClassifier):
    r"""Separate two classes along the difference of their partially whitened means.

    The leading :math:`d` singular values :math:`q_i` of the centered samples are set
    to the smallest of them, :math:`q_d`, and the others stay as they are [1]_: the map
    :math:`W_D = q_d U_d Q_d^{-1} U_d^T + I - U_d U_d^T` equalizes variances where
    they can be estimated, and adds no noise where they cannot. The samples are
    projected on

    .. math::

       w = W_D f,  \qquad
       f = \frac{W_D (\mu_A - \mu_B)}{\lVert W_D (\mu_A - \mu_B) \rVert}

    because the class means span the Fisher subspace of isotropic clusters [2]_. With
    :math:`d` equal to the number of features (``n_components=None``, IPCAC) this is
    the direction of linear discriminant analysis.

    Parameters
    ----------
    {whitened}
    {threshold}

    Attributes
    ----------
    {classes}
    direction_ : ndarray of shape (n_features,)
        :math:`w`; the first class is where projections are high.
    offset_ : float
        Projection of the mean of the training samples, which is subtracted.
    threshold_ : float
        :math:`\gamma`, from which on projections are of the first class.
    n_components_ : int
        :math:`d`, at most the rank of the centered samples.
    {n_features_in}

    See Also
    --------
    KernelTIPCACClassifier : The same in the feature space of a kernel.
    FisherSubspace : The same map for more than two classes.

    Notes
    -----
    The paper's threshold is ``threshold="candidates"``. If the training samples are
    separable, it is the projection of a sample of the first class, so that the other
    class is predicted too often, and the result depends on the order of the labels.
    The mean of several best candidates need not be a best threshold itself.

    A weight of two is equivalent to two samples, also for ``n_components="log2"``:
    weights that sum to 1 whiten a single component.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from manyminds.learners import TIPCACClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> print(cross_val_score(TIPCACClassifier(), X, y).mean() > 0.95)
    True
    """

    _parameter_constraints = {
        **ProjectionClassifier._parameter_constraints,
        "n_components": [
            Interval(Integral, 1, None, closed="left"),
            StrOptions({"log2"}),
            None,
        ],
    }

    def __init__(
        self,
        n_components="log2",
        *,
        threshold="midpoint",
        threshold_score="accuracy",
    ):
        self.n_components = n_components
        self.threshold = threshold
        self.threshold_score = threshold_score

    def fit(self, X, y, sample_weight=None):
        """Whiten the samples, and find the direction and the threshold.

        {fit_sparse_classes}
        """
        self._validate_params()
        X, is_first, weight = self._read_training_set(X, y, sample_weight)

        whitening = fit_whitening(X, weight, self.n_components)
        difference = whitening.apply(subtract_means(X, is_first, weight))
        fisher = difference / (np.linalg.norm(difference) or 1.0)
        self.direction_ = whitening.apply(fisher)
        self.offset_ = float(whitening.mean @ self.direction_)
        self.n_components_ = len(whitening.singular_values)
        self._set_threshold(self._project(X), is_first, weight)
        return self

    def _project(self, X):
        return X @ self.direction_ - self.offset_
