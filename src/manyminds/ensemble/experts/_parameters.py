"""Paragraphs that docstrings of local models share; see ``fill_docstring``."""

from manyminds.ensemble._parameters import PARAGRAPHS as OF_ENSEMBLES
from manyminds.utils.references import ARMANO_2011, ZLIOBAITE_2011, cite

ESTIMATOR = """\
estimator : classifier, default=None
    Estimator to clone for each region; None: a logistic regression of standardized
    columns. A region with one class gets a constant.
"""
SCALE = """\
scale : {"standard"} or None, default="standard"
    Whether distances are those of standardized columns. Experts see the columns as
    they are.
"""
CLUSTERER = """\
clusterer : clusterer, default=None
    Estimator with ``predict`` that finds the regions; its ``n_clusters`` or
    ``n_components``, if it has one, is set. None: ``KMeans``.
"""
CORRECTION = """\
prior_correction : {"none", "king-zeng", "paper-run"}, default="none"
    How the share of the classes among an expert's rows is corrected.
    ``"king-zeng"`` moves probabilities to the shares among all rows, which is right if
    the expert's shares come from sampling, and harmful if they are those of its
    region. ``"paper-run"`` moves them the other way, as the paper seems to have done.
"""
RUN = """\
n_jobs : int, default=None
    Number of threads; -1: all processors. The result does not depend on it.
random_state : int, RandomState instance or None, default=None
    Seeds all draws and the experts.
"""
LOCAL = """\
estimators_ : list of classifiers
    The experts, fitted on class numbers.
n_rows_ : ndarray of int of shape (n_experts,)
    Number of training rows of each expert.
expert_priors_ : ndarray of shape (n_experts, n_classes)
    Share of the classes among the rows of each expert.
class_prior_ : ndarray of shape (n_classes,)
    Share of the classes among all rows.
"""
NET = """\
n_hidden : int, default=10
    Number of hidden units of each expert.
learning_rate : float, default=0.1
    Size of a step of back-propagation.
batch_size : int, default=1
    Number of samples whose mean step is taken; 1: after each sample.
max_iter : int, default=200
    Maximum number of passes over the samples.
early_stopping : bool, default=True
    Whether training stops when the squared error of held-out rows does not fall, and
    the best nets are kept.
validation_fraction : float, default=0.1
    Share of the rows that are held out for it.
n_iter_no_change : int, default=10
    Number of passes without a lower error after which training stops.
loss : {"squared", "cross_entropy"}, default="squared"
    What back-propagation lowers: the squared error of outputs, as in the paper, or the
    cross-entropy of each output, which learns faster from outputs that are wrong.
"""
PROTOTYPES = """\
prototypes : {"random", "k-means++", "complexity"} or array-like, default="random"
    Where experts stand: rows drawn at random; rows drawn far from each other; rows
    drawn by how mixed the classes are around them (see `MultiResolutionComplexity`);
    or given points, {shape}.
metric : str or callable, default="euclidean"
    Distance, as ``sklearn.metrics.pairwise_distances`` takes it.
"""
GATES = """\
strategy : {"dynamic", "static", "gaussian"}, default="dynamic"
    How experts share a sample. ``"dynamic"``: by their distances. ``"static"``: by the
    ranks of their distances. ``"gaussian"``: sharper than these, by a softmax of
    squared distances; not in the paper.
eta : array-like of shape (n_experts,), default=None
    Weights of ``"static"`` in increasing order, which add up to 1; the nearest expert
    gets the last. None: 1, 2, 3, ... divided by their sum.
width : float, default=None
    Width of ``"gaussian"``; None: the median distance of samples to the nearest
    prototype.
normalize : bool, default=True
    Whether weights are divided by their sum in predictions; those of ``"dynamic"`` add
    up to ``n_experts - 1``.
"""
EXPERTS = """\
estimator : classifier, default=None
    Estimator to clone for each expert, whose ``fit`` takes ``sample_weight``; None: a
    net with one hidden layer. The parameters of nets have no effect otherwise.
"""
SCALE_NETS = """\
scale : {"standard"} or None, default="standard"
    Whether columns are standardized.
"""
NET_ATTRIBUTES = """\
nets_ : ExpertNets
    The trained nets of all experts; not with an ``estimator``.
estimators_ : list of classifiers
    The experts; only with an ``estimator``.
n_experts_ : int
    Number of experts{of_module}.
n_parameters_ : int
    Number of trained weights of nets and gates; not with an ``estimator``.
n_iter_ : int
    Number of passes; not with an ``estimator``.
validation_errors_ : ndarray of shape (n_iter,)
    Squared error of the held-out rows after each pass; empty without early stopping.
"""
FIT = """\
Parameters
----------
X : {table} of shape (n_samples, n_features)
    Training rows.
y : array-like of shape (n_samples,)
    Their classes.
sample_weight : array-like of shape (n_samples,), default=None
    Weights of the rows.

Returns
-------
self : object
    The fitted model.
"""

PARAGRAPHS = {
    **OF_ENSEMBLES,
    "clusterer": CLUSTERER,
    "correction": CORRECTION,
    "estimator": ESTIMATOR,
    "experts": EXPERTS,
    "fit_array": FIT.format(table="array-like"),
    "fit_table": FIT.format(table="{array-like, sparse matrix}"),
    "flat_attributes": NET_ATTRIBUTES.format(of_module=""),
    "flat_prototypes": PROTOTYPES.replace(
        "{shape}", "of shape (n_experts, n_features)"
    ),
    "gates": GATES,
    "hme_references": cite(ARMANO_2011),
    "local": LOCAL,
    "local_references": cite(ZLIOBAITE_2011),
    "module_attributes": NET_ATTRIBUTES.format(of_module=" in each module"),
    "module_prototypes": PROTOTYPES.replace(
        "{shape}", "of shape (n_modules, n_experts, n_features)"
    ),
    "net": NET,
    "oracle_prototypes": PROTOTYPES.replace(
        "{shape}", "of shape (n_prototypes, n_features)"
    ),
    "run": RUN,
    "scale": SCALE,
    "scale_nets": SCALE_NETS,
}
