"""The only door to scikit-learn's private names, and to what only its newest has.

Estimators call ``self._validate_params()``, which ``BaseEstimator`` brings along, at
the top of ``fit``; the constraints it reads from ``_parameter_constraints`` are the
ones re-exported here.
"""

import numpy as np
import sklearn
from sklearn.model_selection import KFold, StratifiedGroupKFold, StratifiedKFold
from sklearn.preprocessing import TargetEncoder
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import (
    HasMethods,
    Hidden,
    Interval,
    Options,
    RealNotInt,
    StrOptions,
)
from sklearn.utils.validation import (
    _check_feature_names_in as check_feature_names_in,
)
from sklearn.utils.validation import _check_sample_weight

try:  # scikit-learn 1.9 and newer
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:
    from contextlib import contextmanager

    class _SilentContext:
        """Stand in for ``sklearn.callback.CallbackContext``: hear all, say nothing."""

        def subcontext(self, task_name="", task_id=None, **options):
            return self

        def call_on_fit_task_begin(self, *, estimator, **data):
            return self

        def call_on_fit_task_end(self, *, estimator, **data):
            return False

        @contextmanager
        def propagate_callback_context(self, sub_estimator):
            yield

    class CallbackSupportMixin:
        """Stand in for ``sklearn.callback.CallbackSupportMixin``."""

        def set_callbacks(self, *callbacks):
            """Return the estimator; refuse callbacks, which could never be called."""
            if callbacks:
                raise NotImplementedError(
                    "Callbacks need scikit-learn 1.9 or newer; "
                    f"this is {sklearn.__version__}."
                )
            return self

        def _init_callback_context(self, task_name="fit", task_id=0, **options):
            return _SilentContext()

    def with_callbacks(method):
        """Stand in for ``sklearn.callback.with_callbacks``: there is no clean-up."""
        return method


__all__ = [
    "CallbackSupportMixin",
    "DocLinkMixin",
    "HasMethods",
    "Hidden",
    "Interval",
    "Options",
    "RealNotInt",
    "StrOptions",
    "check_feature_names_in",
    "check_sample_weight",
    "get_support_vectors",
    "make_tree_nodes",
    "replace_boosted_trees",
    "report_tasks",
    "split_stratified_groups",
    "with_callbacks",
]


MAX_SUM_OF_WEIGHTS = 1e100  # squares of greater ones, times values, overflow


def check_sample_weight(sample_weight, X, **options):
    """Check weights as scikit-learn does, and that sums of them do not overflow.

    Parameters
    ----------
    sample_weight : array-like of shape (n_samples,), float or None
    X : array-like of shape (n_samples, n_features)
        What they are the weights of.
    **options : dict
        As scikit-learn's check takes them.

    Returns
    -------
    sample_weight : ndarray of shape (n_samples,)
    """
    checked = _check_sample_weight(sample_weight, X, **options)
    with np.errstate(over="ignore"):
        total = np.abs(checked, dtype=np.float64).sum()
    if total > MAX_SUM_OF_WEIGHTS:
        raise ValueError(
            f"sample_weight must sum to {MAX_SUM_OF_WEIGHTS:g} at most; got weights up "
            f"to {np.abs(checked).max():g}: divide them by the greatest."
        )
    return checked


# How an estimator lets users watch its fit: it inherits from CallbackSupportMixin,
# decorates fit with ``with_callbacks`` (which puts the callbacks away afterwards, come
# what may) and runs the one loop worth watching through ``report_tasks``:
#
#     @with_callbacks
#     def fit(self, X, y):
#         ...
#         for batch in report_tasks(self, batches, len(batches), "grow trees"):
#             self.trees_ += grow(batch)
#
# ``items`` may also be what ``Parallel(return_as="generator")`` returns. A task is
# then "begun" when we start to wait for its result, which is what a progress bar
# wants to know. One task should take milliseconds or more: each costs a few calls.
def report_tasks(estimator, items, n_items, task_name, *, fitted=None, **data):
    """Yield each of ``items``, and tell the estimator's callbacks before and after.

    Parameters
    ----------
    estimator : estimator
        The estimator being fitted, a ``CallbackSupportMixin``.
    items : iterable
        What to loop over. It ends early when a callback asks ``fit`` to stop.
    n_items : int
        How many items there are.
    task_name : str
        What is done with one item, as a progress bar shows it.
    fitted : callable, default=None
        Returns the attributes that make a copy of the estimator able to predict as
        things stand, as a dict. Called only if a callback wants such a copy.
    **data : dict
        ``X``, ``y`` and ``metadata`` (a dict of ``sample_weight`` and the like) for
        those callbacks that want them.

    Yields
    ------
    item : object
        The next of ``items``.
    """
    items = iter(items)
    fit = estimator._init_callback_context(max_subtasks=n_items)
    fit.call_on_fit_task_begin(estimator=estimator, **data)
    for _ in range(n_items):
        task = fit.subcontext(task_name=task_name)
        task.call_on_fit_task_begin(estimator=estimator, **data)
        yield next(items)
        if task.call_on_fit_task_end(
            estimator=estimator, reconstruction_attributes=fitted, **data
        ):
            break
    fit.call_on_fit_task_end(
        estimator=estimator, reconstruction_attributes=fitted, **data
    )


class DocLinkMixin:
    """Link the HTML view of an estimator to its page in our reference.

    Goes before ``BaseEstimator`` among an estimator's bases.
    """

    _doc_link_module = "manyminds"
    _doc_link_template = (
        "https://manyminds.readthedocs.io/en/latest/reference/generated/"
        "{room}.{name}.html"
    )

    def _doc_link_url_param_generator(self):
        # Users import from the room, whatever file of it the class lives in.
        room = ".".join(type(self).__module__.split(".")[:2])
        return {"room": room, "name": type(self).__name__}


def make_target_encoder(is_classes, n_folds=5, random_state=0):
    """Return a target encoder whose folds are drawn from a seed.

    From scikit-learn 1.9 on, a splitter has the seed instead of the encoder.
    """
    # A target of integers would be taken for classes.
    target = "auto" if is_classes else "continuous"
    if TargetEncoder().get_params()["random_state"] != "deprecated":
        return TargetEncoder(target_type=target, cv=n_folds, random_state=random_state)
    kind = StratifiedKFold if is_classes else KFold
    cv = kind(n_folds, shuffle=True, random_state=random_state)
    return TargetEncoder(target_type=target, cv=cv)


def split_stratified_groups(y, groups, n_splits, random_state):
    """Yield the folds of a shuffled ``StratifiedGroupKFold``.

    Before scikit-learn 1.8 it did not spread the classes when it shuffled. The folds
    are those of the newest version, on every version.

    Parameters
    ----------
    y, groups : array-like of shape (n_samples,)
    n_splits : int
    random_state : int, RandomState or None

    Yields
    ------
    train, test : ndarray of int
    """
    found, codes = np.unique(groups, return_inverse=True)
    order = np.arange(len(found))
    check_random_state(random_state).shuffle(order)
    shuffled = np.argsort(order)[codes]
    blank = np.zeros((len(shuffled), 1))
    yield from StratifiedGroupKFold(n_splits).split(blank, y, shuffled)


def make_tree_nodes(template, fields, values, max_depth):
    """Return a compiled tree of scikit-learn with these nodes.

    Parameters
    ----------
    template : sklearn.tree._tree.Tree
        A tree of the same features and classes.
    fields : dict of str to ndarray of shape (n_nodes,)
        What scikit-learn's nodes consist of, by its names.
    values : ndarray of shape (n_nodes, 1, n_values), float64
    max_depth : int

    Returns
    -------
    tree : sklearn.tree._tree.Tree
    """
    make, arguments, state = template.__reduce__()
    nodes = _fill_records(state["nodes"].dtype, fields)
    tree = make(*arguments)
    tree.__setstate__(
        {
            "max_depth": max_depth,
            "node_count": len(nodes),
            "nodes": nodes,
            "values": np.ascontiguousarray(values),
        }
    )
    return tree


def replace_boosted_trees(model, trees, baseline):
    """Replace the trees of scikit-learn's histogram gradient boosting.

    Parameters
    ----------
    model : HistGradientBoostingClassifier or HistGradientBoostingRegressor
        Fitted; changed in place.
    trees : list of dict of str to ndarray
        What the nodes of each tree consist of; tree ``t`` belongs to output
        ``t % n_outputs``.
    baseline : ndarray of shape (n_outputs,)
        Raw prediction before the first tree.
    """
    old = model._predictors[0][0]
    no_sets = old.raw_left_cat_bitsets[:0]
    made = [
        type(old)(_fill_records(old.nodes.dtype, fields), no_sets, no_sets)
        for fields in trees
    ]
    n_outputs = len(baseline)
    model._predictors = [
        made[first : first + n_outputs] for first in range(0, len(made), n_outputs)
    ]
    model._baseline_prediction = np.array(baseline, dtype=np.float64)[np.newaxis]


def get_support_vectors(machine):
    """Return the support vectors of a machine, which has none of a function as kernel.

    Parameters
    ----------
    machine : sklearn.svm.SVC or sklearn.svm.SVR
        Fitted to an array. With a function as its kernel, it stores all samples.

    Returns
    -------
    vectors : ndarray of shape (n_vectors, n_features)
        In the order of ``dual_coef_``.
    """
    if not callable(machine.kernel):
        return machine.support_vectors_
    return machine._BaseLibSVM__Xfit[machine.support_]


def _fill_records(dtype, fields):
    """Return records of a dtype; what no field is given for is zero."""
    records = np.zeros(len(next(iter(fields.values()))), dtype=dtype)
    for name, values in fields.items():
        records[name] = values
    return records
