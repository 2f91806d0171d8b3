"""What causal selectors share: reading tables, making tests, keeping results."""

import warnings
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any

import numpy as np
from scipy.sparse import issparse

from manyminds._compat import Interval, StrOptions
from manyminds.feature_selection.base import (
    TABLE_CONSTRAINTS,
    SupervisedSelector,
    drop_weightless,
    read_target,
    read_weight,
)
from manyminds.feature_selection.causal._parameters import PARAMETERS
from manyminds.feature_selection.filters.discretization import (
    code_target,
    make_code_table,
)
from manyminds.networks import find_blanket, to_networkx
from manyminds.networks.constraint.clock import TimeLimitWarning
from manyminds.networks.constraint.outcome import warn_untested
from manyminds.networks.independence.coding import MAX_LEVELS
from manyminds.networks.independence.making import (
    TEST_NAMES,
    TESTS_OF_NUMBERS,
    make_coded_test,
    make_numeric_test,
)
from manyminds.utils.docstrings import fill_docstring


@dataclass(frozen=True)
class Columns:
    """A table that was read, with the names of its columns and of the target."""

    X: Any
    is_categorical: Any
    y: Any
    classes: Any
    sample_weight: Any
    names: list
    target_name: str

    def take(self, kept):
        """Return the table with some of its columns."""
        names = [name for name, is_kept in zip(self.names, kept) if is_kept]
        is_categorical = self.is_categorical[kept]
        X = self.X[:, np.flatnonzero(kept)]
        return replace(self, X=X, is_categorical=is_categorical, names=names)


@fill_docstring(**PARAMETERS)
class CausalSelector(SupervisedSelector):
    """Base class of selectors that test for conditional independence.

    A subclass has ``_learn(test, target)``, which returns a ``LearnedGraph`` or a
    ``Blanket``; the target is the last variable of the test.
    """

    default_test = "g2"
    _parameter_constraints = {
        "test": [StrOptions({"auto", *TEST_NAMES})],
        "alpha": [Interval(Real, 0.0, 1.0, closed="neither")],
        "threshold": [Interval(Real, 0.0, None, closed="left")],
        "dof": [StrOptions({"observed", "nominal"})],
        "min_count": [Interval(Real, 0.0, None, closed="left")],
        "discretize": [StrOptions({"quantile", "uniform", "mean_std", "mdl"}), None],
        "n_bins": [Interval(Integral, 2, MAX_LEVELS, closed="both")],
        **TABLE_CONSTRAINTS,
        "time_limit": [Interval(Real, 0.0, None, closed="left"), None],
        "verbose": ["verbose"],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def fit(self, X, y, sample_weight=None):
        """Learn the network around the target, and select features.

        {fit_causal}
        """
        self._validate_params()
        columns = self._read_columns(X, y, sample_weight)
        return self._fit_columns(columns)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.test not in TESTS_OF_NUMBERS
        tags.input_tags.sparse = self.test not in TESTS_OF_NUMBERS
        return tags

    def _read_columns(self, X, y, sample_weight):
        """Check a training set; samples without weight are dropped."""
        target_name = getattr(y, "name", None)
        X, is_categorical = self._read_features(X, self.categorical_features)
        y, classes = read_target(self, X, y, self.task)
        if sample_weight is not None:
            sample_weight = read_weight(X, sample_weight)
            X, y, sample_weight = drop_weightless(X, y, sample_weight)
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            names = [f"x{j}" for j in range(X.shape[1])]
        target_name = target_name if isinstance(target_name, str) else "target"
        while target_name in names:
            target_name += "_"
        return Columns(
            X, is_categorical, y, classes, sample_weight, list(names), target_name
        )

    def _fit_columns(self, columns):
        """Learn from a table that was read; keep what was found."""
        self.test_name_ = self._choose_test(columns)
        test = self._make_test(columns)
        target = test.n_variables - 1
        learned = self._learn(test, target)
        blanket, adjacency, selected = self._read_learned(learned, target)
        self.graph_ = to_networkx(adjacency, test.names)
        self.target_name_ = columns.target_name
        self.markov_blanket_ = np.array(blanket, dtype=np.int64)
        self.support_ = np.zeros(target, dtype=bool)
        self.support_[selected] = True
        self.n_tests_, self.is_complete_ = learned.n_tests, learned.is_complete
        if learned.is_complete and target > 0 and not _is_tested(test, target):
            warn_untested("the target", self.min_count)
        if not learned.is_complete:
            warnings.warn(
                f"{type(self).__name__} reached time_limit={self.time_limit}: what it "
                "found so far is not complete.",
                TimeLimitWarning,
                stacklevel=3,
            )
        return self

    def _choose_test(self, columns):
        if self.test != "auto":
            return self.test
        X, known = columns.X, True
        if not issparse(X):
            known = not np.isnan(X.sum()) if X.size else True
        numeric = columns.classes is None and not columns.is_categorical.any()
        return (
            "fisher_z" if numeric and known and not issparse(X) else self.default_test
        )

    def _make_test(self, columns):
        """Make the test of all columns and, as the last one, the target."""
        options = {
            "names": [*columns.names, columns.target_name], "alpha": self.alpha,
            "sample_weight": columns.sample_weight, "n_jobs": self.n_jobs,
        }  # fmt: skip
        if self.test_name_ in TESTS_OF_NUMBERS:
            table = np.column_stack([columns.X, columns.y])
            is_categorical = np.append(
                columns.is_categorical, columns.classes is not None
            )
            return make_numeric_test(self.test_name_, table, is_categorical, **options)
        codes, n_levels = self._code(columns)
        return make_coded_test(
            self.test_name_, codes, n_levels, threshold=self.threshold, dof=self.dof,
            min_count=self.min_count, random_state=self.random_state, **options,
        )  # fmt: skip

    def _code(self, columns):
        """Return the codes of all columns and of the target, and their levels."""
        weight = columns.sample_weight
        y, n_classes = code_target(columns.y, columns.classes, self.n_bins, weight)
        table = make_code_table(
            columns.X, columns.is_categorical, y, self.discretize, self.n_bins,
            sample_weight=weight, n_jobs=self.n_jobs,
        )  # fmt: skip
        n_levels = np.append(table.n_levels, n_classes)
        if n_levels.max() > MAX_LEVELS:
            where = [*columns.names, columns.target_name][int(n_levels.argmax())]
            raise ValueError(
                f"Tests of categories take at most {MAX_LEVELS} levels; {where!r} has "
                f"{n_levels.max()}. Set discretize='quantile', or merge categories."
            )
        codes = np.vstack([table.codes, y[None]]).astype(np.uint8)
        return codes, n_levels


def _is_tested(test, target):
    """Return whether there were enough samples to test any feature with the target."""
    results = test.test_many(np.arange(target), target)
    return bool((results.is_dependent | results.is_independent).any())


class GraphSelector(CausalSelector):
    """Base class of selectors that learn a whole graph."""

    _parameter_constraints = {
        **CausalSelector._parameter_constraints,
        "select": [StrOptions({"connected", "blanket", "neighbors"})],
    }

    def _read_learned(self, learned, target):
        """Return the blanket, the adjacency matrix and the selected features."""
        blanket = learned.find_blanket(target)
        selected = {
            "connected": learned.find_component,
            "blanket": learned.find_blanket,
            "neighbors": learned.find_neighbors,
        }[self.select](target)
        return blanket, learned.adjacency, selected


class BlanketSelector(CausalSelector):
    """Base class of selectors that learn the blanket of the target."""

    def _read_learned(self, learned, target):
        """Return the blanket, the adjacency matrix and the selected features."""
        return learned.members, learned.make_adjacency(target + 1), learned.members


class LocalBlanketSelector(BlanketSelector):
    """Base class of selectors that find neighbors first, and spouses from them.

    A subclass names the method of `manyminds.networks.find_blanket` in ``_methods``, by
    whether spouses are wanted.
    """

    _methods: dict

    _parameter_constraints = {
        **BlanketSelector._parameter_constraints,
        "max_condition_size": [Interval(Integral, 0, None, closed="left"), None],
        "spouses": ["boolean"],
    }

    def __init__(
        self,
        test="auto",
        *,
        alpha=0.01,
        threshold=0.01,
        dof="observed",
        min_count=5.0,
        max_condition_size=3,
        spouses=True,
        discretize="quantile",
        n_bins=5,
        task="auto",
        categorical_features="from_dtype",
        time_limit=None,
        verbose=0,
        random_state=None,
        n_jobs=None,
    ):
        self.test = test
        self.alpha = alpha
        self.threshold = threshold
        self.dof = dof
        self.min_count = min_count
        self.max_condition_size = max_condition_size
        self.spouses = spouses
        self.discretize = discretize
        self.n_bins = n_bins
        self.task = task
        self.categorical_features = categorical_features
        self.time_limit = time_limit
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _learn(self, test, target):
        return find_blanket(
            test,
            target,
            self._methods[self.spouses],
            max_condition_size=self.max_condition_size,
            time_limit=self.time_limit,
            verbose=self.verbose,
        )
