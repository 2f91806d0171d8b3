"""Classify by any output code, any binary learner and any decoder."""

from numbers import Integral

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_random_state

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.ensemble.codes._parameters import PARAGRAPHS
from manyminds.ensemble.codes.base import CodeClassifier
from manyminds.ensemble.codes.decoders import DECODERS
from manyminds.ensemble.codes.discriminant_tree import discriminant_tree_code
from manyminds.ensemble.codes.distances import check_code
from manyminds.ensemble.codes.fixed_codes import (
    minimal_code,
    one_vs_all_code,
    one_vs_one_code,
)
from manyminds.ensemble.codes.random_codes import (
    balanced_code,
    dense_random_code,
    sparse_random_code,
)
from manyminds.utils.docstrings import fill_docstring

CODES = {
    "balanced": lambda n, rng: balanced_code(n, random_state=rng),
    "binary": lambda n, rng: minimal_code(n, "binary"),
    "dense": lambda n, rng: dense_random_code(n, random_state=rng),
    "gray": lambda n, rng: minimal_code(n, "gray"),
    "one_vs_all": lambda n, rng: one_vs_all_code(n),
    "one_vs_one": lambda n, rng: one_vs_one_code(n),
    "sparse": lambda n, rng: sparse_random_code(n, random_state=rng),
}


@fill_docstring(**PARAGRAPHS)
class ECOCClassifier(CodeClassifier):
    r"""Classify by an error-correcting output code of binary learners.

    Each class has a codeword, a row of the code matrix. Each column splits the classes
    in two, and a binary learner is fitted to the split, without the rows of the classes
    that have a 0. The outputs of all learners for a sample are compared with the
    codewords; the nearest is that of the predicted class [1]_.

    Parameters
    ----------
    {estimator}
    code : str, array-like or callable, default="dense"
        The code matrix of shape (n_classes, n_columns), rows in the order of the sorted
        classes; or the name of a code: "binary" or "gray" (:math:`\lceil \log_2 N
        \rceil` columns, `minimal_code`), "dense" (:math:`10 \log_2 N`,
        `dense_random_code`), "sparse" (:math:`15 \log_2 N`, `sparse_random_code`),
        "balanced" (200, `balanced_code`), "discriminant_tree" (:math:`N - 1`,
        `discriminant_tree_code`), "one_vs_all" (:math:`N`), "one_vs_one"
        (:math:`N (N - 1) / 2`); or a function of ``X``, the class numbers and a
        ``RandomState`` that returns a matrix.
    {decoder}
    {cv}
    {run}

    Attributes
    ----------
    {fitted}

    See Also
    --------
    MinimalECOCClassifier : The shortest code, found by search.
    WeightedECOCClassifier : Bootstrapped columns, weighted for each class.

    Notes
    -----
    Probabilities are the softmax of negative losses times one factor, which is fitted
    to out-of-fold losses. "probabilistic" decoding also fits a sigmoid for each column.
    It therefore needs ``cv``.

    scikit-learn's ``OutputCodeClassifier`` has random codes and Euclidean decoding.

    References
    ----------
    .. [1] Dietterich and Bakiri, "Solving multiclass learning problems via
       error-correcting output codes", Journal of Artificial Intelligence Research 2,
       1995.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from manyminds.ensemble import ECOCClassifier
    >>> X, y = load_digits(return_X_y=True)
    >>> model = ECOCClassifier(code="gray", cv=None).fit(X[::2], y[::2])
    >>> model.code_.shape
    (10, 4)
    >>> print(model.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "code": [
            StrOptions({*CODES, "discriminant_tree"}),
            "array-like",
            callable,
        ],
        "decoder": [StrOptions({*DECODERS, "auto"}), callable],
        "cv": [Interval(Integral, 2, None, closed="left"), None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        *,
        code="dense",
        decoder="auto",
        cv=3,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.code = code
        self.decoder = decoder
        self.cv = cv
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Make the code and fit a learner to each of its columns.

        {fit}
        """
        self._validate_params()
        check_folds_of_decoder(self.decoder, self.cv)
        X, label, weight = self._read_training_set(X, y, sample_weight)
        rng = check_random_state(self.random_state)

        self.code_ = check_code(self._make_code(X, label, rng), self.n_classes_)
        return self._fit_columns(X, label, weight, rng)

    def _make_code(self, X, label, rng):
        """Return the code matrix that ``code`` names."""
        if callable(self.code):
            return self.code(X, label, rng)
        if not isinstance(self.code, str):
            return self.code
        if self.code == "discriminant_tree":
            if issparse(X) or np.isnan(X).any():
                raise ValueError(
                    'code="discriminant_tree" takes no sparse X and no missing values: '
                    "it measures distances of rows."
                )
            return discriminant_tree_code(X, label, random_state=rng)
        return CODES[self.code](self.n_classes_, rng)


def check_folds_of_decoder(decoder, cv):
    """Raise if probabilistic decoding has no folds for its sigmoids."""
    if decoder == "probabilistic" and cv is None:
        raise ValueError(
            'decoder="probabilistic" fits sigmoids to out-of-fold outputs: set cv to '
            "the number of folds; got cv=None."
        )
