"""The door to scikit-learn works on the oldest and on the newest that we support."""

from importlib.util import find_spec
from numbers import Integral

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, clone
from sklearn.metrics.pairwise import linear_kernel
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.svm import SVC

from manyminds import _compat
from manyminds._compat import (
    CallbackSupportMixin,
    DocLinkMixin,
    Interval,
    StrOptions,
    check_sample_weight,
    get_support_vectors,
    report_tasks,
    split_stratified_groups,
    with_callbacks,
)

VERSION = tuple(map(int, sklearn.__version__.split(".")[:2]))
HAS_CALLBACKS = find_spec("sklearn.callback") is not None
needs_callbacks = pytest.mark.skipif(
    not HAS_CALLBACKS, reason="callbacks came with scikit-learn 1.9"
)


class Counter(CallbackSupportMixin, BaseEstimator):
    """Count to ``n``, watched; ``fail_at`` breaks the loop by an error."""

    _parameter_constraints = {
        "n": [Interval(Integral, 0, None, closed="left")],
        "fail_at": [None, Integral],
    }

    def __init__(self, n=3, fail_at=None):
        self.n = n
        self.fail_at = fail_at

    @with_callbacks
    def fit(self, X, y=None):
        self._validate_params()
        self.count_ = 0
        for i in report_tasks(
            self, range(self.n), self.n, "count", fitted=self._so_far, X=X
        ):
            if i == self.fail_at:
                raise RuntimeError("told to fail")
            self.count_ += 1
        return self

    def _so_far(self):
        return {"count_": self.count_}


class Listener:
    """Write down what a callback hears; ask to stop after ``stop_after`` tasks."""

    def __init__(self, stop_after=None):
        self.stop_after = stop_after
        self.heard = []
        self.counts = []

    def setup(self, estimator, context):
        self.heard.append("setup")

    def on_fit_task_begin(self, estimator, context):
        self.heard.append(f"begin {context.task_name}")

    def on_fit_task_end(self, estimator, context, *, X=None, fitted_estimator=None):
        assert X is not None
        self.heard.append(f"end {context.task_name}")
        self.counts.append(fitted_estimator.count_)
        return len(self.counts) == self.stop_after

    def teardown(self, estimator, context):
        self.heard.append("teardown")


def test_all_that_is_offered_exists():
    assert all(hasattr(_compat, name) for name in _compat.__all__)


def test_parameters_are_checked():
    with pytest.raises(ValueError, match="The 'n' parameter of Counter must be"):
        Counter(n=-1).fit([[0]])
    assert StrOptions({"gini"}).is_satisfied_by("gini")


def test_sample_weights_are_checked():
    X = np.zeros((3, 1))
    assert (check_sample_weight(None, X) == 1.0).all()
    with pytest.raises(ValueError, match="sample_weight"):
        check_sample_weight([1.0, 2.0], X)


@pytest.mark.parametrize("weight", [1e308, 1e155])
def test_weights_that_overflow_are_refused_by_name(weight):
    X = np.zeros((4, 1))
    with pytest.raises(ValueError, match=r"sample_weight must sum to 1e\+100 at most"):
        check_sample_weight([weight, 1.0, 1.0, weight], X)
    assert check_sample_weight([1e90] * 4, X).max() == 1e90


def test_a_watched_fit_is_a_fit_on_every_version():
    counter = Counter(n=5).fit([[0]])
    assert counter.count_ == 5
    assert set(vars(counter)) == {"n", "fail_at", "count_"}
    assert clone(counter).set_callbacks().fit([[0]]).count_ == 5
    assert Counter(n=0).fit([[0]]).count_ == 0


def test_report_tasks_takes_any_iterable():
    tasks = report_tasks(Counter(), (c for c in "abc"), 3, "letter")
    assert list(tasks) == ["a", "b", "c"]


@needs_callbacks
def test_callbacks_hear_of_every_task():
    listener = Listener()
    Counter(n=2).set_callbacks(listener).fit([[0]])
    assert listener.heard == [
        "setup",
        "begin fit",
        "begin count",
        "end count",
        "begin count",
        "end count",
        "end fit",
        "teardown",
    ]
    assert listener.counts == [1, 2, 2]


@needs_callbacks
def test_a_callback_can_stop_the_fit():
    counter = Counter(n=100).set_callbacks(Listener(stop_after=4)).fit([[0]])
    assert counter.count_ == 4


@needs_callbacks
def test_callbacks_are_put_away_when_fit_fails():
    listener = Listener()
    counter = Counter(fail_at=1).set_callbacks(listener)
    with pytest.raises(RuntimeError, match="told to fail"):
        counter.fit([[0]])
    assert listener.heard[-1] == "teardown"


@pytest.mark.skipif(HAS_CALLBACKS, reason="this scikit-learn has callbacks")
def test_callbacks_that_cannot_work_are_refused():
    with pytest.raises(NotImplementedError, match=r"need scikit-learn 1\.9"):
        Counter().set_callbacks(Listener())


def test_html_view_links_to_our_reference():
    class Sprout(DocLinkMixin, BaseEstimator):
        __module__ = "manyminds.ensemble.forests.sprout"

    page = "/reference/generated/manyminds.ensemble.Sprout.html"
    assert Sprout()._get_doc_link().endswith(page)
    assert page in Sprout()._repr_html_()


def test_a_users_own_subclass_links_nowhere():
    class Sprout(DocLinkMixin, BaseEstimator):
        __module__ = "somebody.elses.package"

    assert Sprout()._get_doc_link() == ""


def test_support_vectors_of_functions(seed):
    X = np.random.default_rng(seed).normal(size=(30, 2))
    y = X[:, 0] > 0.2
    named, function = (SVC(kernel=one).fit(X, y) for one in ("linear", linear_kernel))
    assert len(function.support_vectors_) == 0
    assert np.array_equal(get_support_vectors(named), named.support_vectors_)
    assert np.array_equal(get_support_vectors(function), named.support_vectors_)


def test_shuffled_folds_of_groups_spread_the_classes(seed):
    groups = np.random.default_rng(seed).permutation(np.repeat(np.arange(30), 6))
    y = groups % 3 == 0
    tests = [test for _, test in split_stratified_groups(y, groups, 5, seed)]
    assert sorted(np.concatenate(tests)) == list(range(180))
    assert all(len(np.intersect1d(groups[test], groups[y])) == 2 for test in tests)
    assert all(len(test) == 36 for test in tests)


@pytest.mark.skipif(VERSION < (1, 8), reason="shuffled folds had other classes")
def test_shuffled_folds_of_groups_are_those_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    groups, y = rng.integers(40, size=300), rng.integers(3, size=300)
    theirs = StratifiedGroupKFold(4, shuffle=True, random_state=seed)
    ours = split_stratified_groups(y, groups, 4, seed)
    for one, other in zip(ours, theirs.split(y, y, groups), strict=True):
        assert np.array_equal(one[0], other[0]) and np.array_equal(one[1], other[1])
