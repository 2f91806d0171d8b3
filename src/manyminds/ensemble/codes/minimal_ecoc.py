"""Compact evolutionary output codes: the fewest columns, assigned by search."""

from numbers import Integral

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils import check_random_state

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.ensemble.base import draw_member_seeds
from manyminds.ensemble.codes._parameters import PARAGRAPHS
from manyminds.ensemble.codes.base import CodeClassifier
from manyminds.ensemble.codes.columns import draw_column_seeds
from manyminds.ensemble.codes.decoders import DECODERS
from manyminds.ensemble.codes.ecoc import check_folds_of_decoder
from manyminds.ensemble.codes.minimal_search import (
    MAX_EXHAUSTIVE,
    CodeRater,
    ColumnCache,
    search_by_evolution,
    search_exhaustively,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.folds import assign_folds


@fill_docstring(**PARAGRAPHS)
class MinimalECOCClassifier(CodeClassifier):
    r"""Classify by the shortest output code, whose codewords are found by search.

    :math:`N` classes need :math:`B = \lceil \log_2 N \rceil` binary learners at least.
    A code of this length corrects no errors; which class gets which codeword decides
    how hard the binary problems are. An evolutionary algorithm searches for the
    assignment with the least error of decoding in two-fold evaluation on the training
    rows [1]_. The time of a prediction grows with :math:`\log N`.

    Parameters
    ----------
    {estimator}
        `TunedSVC` searches for the parameters of each column, as the paper does.
    search : {"auto", "ga", "pbil", "exhaustive"}, default="auto"
        Genetic algorithm, population-based incremental learning, or all codes that
        differ by more than order and complement of columns, which are 840 at most for
        eight classes. "auto": all codes up to eight classes, else the genetic
        algorithm.
    search_estimator : classifier, default=None
        Learner during the search; None: ``estimator``. A cheaper one, such as an
        ``SVC`` with default parameters where the final one is tuned, saves most of the
        time.
    population_size : int, default=50
        Number of codes in a generation, on all islands.
    n_generations : int, default=50
        Maximum number of generations.
    n_islands : int, default=4
        Number of sub-populations. The best of each migrate to the next every ten
        generations.
    patience : int or None, default=10
        Number of generations without a better code after which the search stops; None:
        all generations are run.
    cache : bool, default=True
        Whether to keep the out-of-fold decisions for each split of classes that the
        search has met: one bit for each row and split. The result does not depend on
        it, the time does very much.
    {decoder}
    {cv}
    {run}

    Attributes
    ----------
    {fitted}
    search_error_ : float
        Two-fold error of ``code_`` in the search. As the least of many it is
        optimistic.
    history_ : ndarray of shape (n_generations + 1,)
        Least error so far after each generation, or after each code.
    n_columns_fitted_ : int
        Number of columns that were fitted during the search, each in two folds.

    See Also
    --------
    ECOCClassifier : Codes that are fixed or random.

    Notes
    -----
    The paper [1]_ does not print the sizes of population, islands and rates; ours are
    those of `evolve_bits`. Duplicate codewords are repaired: all but the first class
    get unused ones. In the search, ties of the decoding go to the first class.

    Errors of the paper: the Friedman statistic of its table, printed as -4.94, is 3.975
    (ties had got the least rank instead of the mean); codes of length
    :math:`15 \log_2 N` are the sparse ones, not the dense; "Vowel" has eleven classes,
    not eight.

    References
    ----------
    .. [1] Bautista, Baró, Pujol, Radeva, Vitrià and Escalera, "Compact evolutive design
       of error-correcting output codes", SUEMA, 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from manyminds.ensemble import MinimalECOCClassifier
    >>> X, y = load_digits(n_class=6, return_X_y=True)
    >>> model = MinimalECOCClassifier(cv=None, random_state=0).fit(X[::4], y[::4])
    >>> model.code_.shape
    (6, 3)
    >>> print(model.score(X[1::4], y[1::4]) > 0.95)
    True
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "search": [StrOptions({"auto", "ga", "pbil", "exhaustive"})],
        "search_estimator": [HasMethods(["fit", "predict"]), None],
        "population_size": [Interval(Integral, 2, None, closed="left")],
        "n_generations": [Interval(Integral, 0, None, closed="left")],
        "n_islands": [Interval(Integral, 1, None, closed="left")],
        "patience": [Interval(Integral, 1, None, closed="left"), None],
        "cache": ["boolean"],
        "decoder": [StrOptions({*DECODERS, "auto"}), callable],
        "cv": [Interval(Integral, 2, None, closed="left"), None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        *,
        search="auto",
        search_estimator=None,
        population_size=50,
        n_generations=50,
        n_islands=4,
        patience=10,
        cache=True,
        decoder="auto",
        cv=3,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.search = search
        self.search_estimator = search_estimator
        self.population_size = population_size
        self.n_generations = n_generations
        self.n_islands = n_islands
        self.patience = patience
        self.cache = cache
        self.decoder = decoder
        self.cv = cv
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Search for the code, then fit a learner to each of its columns.

        {fit}
        """
        self._validate_params()
        check_folds_of_decoder(self.decoder, self.cv)
        self._check_search()
        X, label, weight = self._read_training_set(X, y, sample_weight)
        search = self._choose_search()
        rng = check_random_state(self.random_state)

        cache = self._make_cache(X, label, weight, rng)
        rater = CodeRater(cache, self.n_classes_)
        if search == "exhaustive":
            self.code_, self.history_ = search_exhaustively(rater)
        else:
            sizes = ("population_size", "n_generations", "n_islands", "patience")
            options = {name: getattr(self, name) for name in sizes}
            found = search_by_evolution(rater, search, options, rng)
            self.code_, self.history_ = found
        self.search_error_ = float(self.history_[-1])
        self.n_columns_fitted_ = cache.n_fitted
        return self._fit_columns(X, label, weight, rng)

    def _check_search(self):
        """Raise if parameters of the search do not fit together."""
        if 2 * self.n_islands > self.population_size:
            raise ValueError(
                "n_islands must be at most half of population_size="
                f"{self.population_size}; got {self.n_islands}."
            )
        inner = self.search_estimator
        if inner is not None and not is_classifier(inner):
            raise ValueError(f"search_estimator must be a classifier; got {inner!r}.")

    def _choose_search(self):
        """Return the search that "auto" stands for."""
        if self.search == "exhaustive" and self.n_classes_ > MAX_EXHAUSTIVE:
            raise ValueError(
                f'search="exhaustive" takes up to {MAX_EXHAUSTIVE} classes; y has '
                f"{self.n_classes_}."
            )
        if self.search != "auto":
            return self.search
        return "exhaustive" if self.n_classes_ <= MAX_EXHAUSTIVE else "ga"

    def _make_cache(self, X, label, weight, rng):
        """Return the cache of two-fold decisions of the search's learner."""
        inner = self.search_estimator
        seed = int(draw_member_seeds(rng, 1)[0])

        def draw_seeds(columns):
            return [draw_column_seeds(np.stack([c], axis=1), seed)[0] for c in columns]

        return ColumnCache(
            self._base if inner is None else inner,
            X,
            label,
            weight,
            assign_folds(label, 2, rng),
            draw_seeds,
            self.n_jobs,
            self.cache,
        )
