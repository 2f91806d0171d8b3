"""Paragraphs that docstrings of several learners share; see `fill_docstring`."""

from manyminds.utils.references import GRABCZEWSKI_2006, cite

PARAMETERS = {
    "elm_story": """
The weights and biases of the hidden units are random and fixed; only the output
weights are fitted, by one linear solve [1]_. By default they have a ridge penalty
``alpha``, and the inputs of the units are scaled to a range where activations are
nonlinear. The original method is ``alpha=0``, ``weight_scale=1``,
``fit_intercept=False``.
""",
    "elm_layer": """
n_hidden : int or None, default=None
    Number of hidden units. None: a third of the distinct samples, at most 1,000.
activation : {"tanh", "sigmoid", "sine", "relu"}, default="tanh"
    Activation function of the hidden units.
alpha : float, default=1.0
    Ridge penalty. 0: least squares, with the solution of minimum norm.
weight_scale : float or "features", default="features"
    Standard deviation of the hidden weights. "features": one over the square root
    of the number of features, so that the inputs of the units do not increase with
    it and saturate. Biases have standard deviation 1.
fit_intercept : bool, default=True
    Whether outputs have an intercept, which is not penalized.
""",
    "scale": """
scale : {"standard"} or None, default="standard"
    Whether to standardize the features first.
""",
    "draws_layer": """
random_state : int, RandomState instance or None, default=None
    Draws the hidden layer.
""",
    "hidden": """
hidden_weights_ : ndarray of shape (n_features, n_hidden)
    Weights of the hidden units.
hidden_biases_ : ndarray of shape (n_hidden,)
    Biases of the hidden units.
""",
    "scaler": """
scaler_ : StandardScaler or None
    The scaler of the features.
""",
    "lm_story": """
With the errors :math:`e` of the samples and their derivatives :math:`J` by the
weights, a step is :math:`-(J^T J + \\mu I)^{-1} J^T e`. If it decreases the squared
error, it is made and the damping :math:`\\mu` divided by ten, else :math:`\\mu` is
multiplied by ten [1]_. With fewer samples than weights, the equal step
:math:`-J^T (J J^T + \\mu I)^{-1} e` is computed, which never forms :math:`J`.
""",
    "lm_layer": """
n_hidden : int, default=8
    Number of hidden units.
max_iter : int, default=20
    Maximum number of steps that decrease the error.
alpha : float, default=1.0
    Penalty of the sum of squared weights, added to the sum of squared errors of the
    samples. 0: none, as in the original method, where only few steps and few hidden
    units prevent overfitting.
scale : {"standard"} or None, default="standard"
    Whether to standardize the features first.
n_jobs : int, default=None
    Number of threads, one for each net. The result does not depend on it.
random_state : int, RandomState instance or None, default=None
    Draws the initial weights.
""",
    "lm_fitted": """
nets_ : Nets
    The weights of the nets.
n_iter_ : int
    Number of steps; the greatest of all nets.
scaler_ : StandardScaler or None
    The scaler of the features.
n_features_in_ : int
    Number of features seen during ``fit``.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the features, if all of them are strings.
""",
    "lm_references": """
References
----------
.. [1] Hagan and Menhaj, "Training feedforward networks with the Marquardt algorithm",
   IEEE Transactions on Neural Networks 5, 1994.
""",
    "neighbors": """
n_neighbors : int or "cv", default=5
    Number of neighbors, at most the number of samples; "cv": chosen by
    cross-validation.
metric : str, default="euclidean"
    "euclidean", "manhattan", "minkowski" (with the power ``p``), "chebyshev" or
    "canberra": the sum over features of ``|x - x'| / (|x| + |x'|)``, where 0 / 0
    is 0.
p : float, default=2
    Power of the Minkowski metric: 1 is Manhattan, 2 Euclidean.
weights : {"uniform", "distance"}, default="uniform"
    Weights of the neighbors: equal, or the inverse of the distance.
cv : int, cross-validation generator or iterable, default=10
    Splitter to choose the number of neighbors by. An int is the number of folds,
    stratified for classes, fewer if no class has so many samples.
max_neighbors : int, default=50
    Maximum number of neighbors that is evaluated.
n_jobs : int, default=None
    Number of threads of the neighbor search.
""",
    "n_neighbors": """
n_neighbors_ : int
    Number of neighbors.
""",
    "kernel_width": """
kernel : str, default="gaussian"
    "linear", "gaussian", "exponential", "polynomial" or "sigmoid".
width : float or "scale", default="scale"
    The width. "scale": half the mean squared distance of two samples, which is the
    sum of the variances of the features; its square root for the exponential kernel.
width_factor : float, default=1.0
    Factor of the width, to tune it relative to the scale of the data.
""",
    "degree": """
degree : int, default=3
    The degree :math:`d` of the polynomial kernel.
coef0 : float, default=1.0
    The constant :math:`c` of the polynomial and the sigmoid kernel.
""",
    "whitened": """
n_components : int, "log2" or None, default="log2"
    Number :math:`d` of leading principal components to whiten, at most the rank.
    "log2": :math:`(\\log_2 N)^2` of :math:`N` samples, rounded down. None: all.
""",
    "threshold": """
threshold : {"midpoint", "candidates", "class_means"}, default="midpoint"
    How the threshold is found from the training projections. "midpoint": the middle
    of a gap between neighbors with the best score, of the widest such gap.
    "candidates", the paper's: the mean of all projections with the best score.
    "class_means": the middle between the mean projections of the classes.
threshold_score : {"accuracy", "balanced_accuracy", "f1"}, default="accuracy"
    The score: number of correctly classified samples, mean recall of the classes, or
    F-score of the smaller class. Ignored by "class_means".
""",
    "tol": """
tol : float, default=0.001
    Tolerance of the stopping criterion.
""",
    "width": """
width_ : float
    The width.
support_ : ndarray of shape (n_support,)
    Indices of the support vectors.
""",
    "prototypes": """
n_prototypes : int, default=None
    Number of clusters, of each class in classification, whose centers replace the
    samples: faster for many samples. None: a Gaussian on every sample.
max_samples : int, "auto" or None, default="auto"
    Maximum number of distinct samples by which the leave-one-out error of the widths is
    measured; if there are more, so many are drawn at random. "auto": 400 million by
    the number of Gaussians, which are all of up to 20,000 samples, but at least 1,000.
    None: all.
random_state : int, RandomState instance or None, default=None
    Initializes the clustering, and draws the samples of the leave-one-out error.
n_jobs : int, default=None
    Number of threads.
""",
    "loo": """
width_ : float
    The width.
widths_ : ndarray of shape (20,)
    The candidate widths, if ``width="loo"``.
loo_errors_ : ndarray of shape (20,)
    Their leave-one-out mean squared errors.
loo_std_errors_ : ndarray of shape (20,)
    Standard errors of these because samples were drawn; 0 if all were used.
n_loo_samples_ : int
    Number of samples that were left out in turn.
prototypes_ : ndarray or sparse matrix of shape (n_prototypes, n_features)
    Centers of the Gaussians.
""",
    "classes": """
classes_ : ndarray of shape (n_classes,)
    The class labels, sorted.
""",
    "n_features_in": """
n_features_in_ : int
    Number of features seen during ``fit``.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the features, if all of them are strings.
""",
    "x": """
X : array-like of shape (n_samples, n_features)
    Training samples.
""",
    "x_sparse": """
X : {array-like, sparse matrix} of shape (n_samples, n_features)
    Training samples.
""",
    "y_classes": """
y : array-like of shape (n_samples,)
    Class labels.
""",
    "y_numbers": """
y : array-like of shape (n_samples,)
    Targets.
""",
    "sample_weight": """
sample_weight : array-like of shape (n_samples,), default=None
    Sample weights.
""",
    "groups": """
groups : array-like of shape (n_samples,), default=None
    Groups of the samples, as patients or days: what is chosen by held-out samples, is
    chosen by those of other groups.
""",
    "cost_weight": """
sample_weight : array-like of shape (n_samples,), default=None
    Factors of ``C`` for each sample.
""",
    "fitted": """
self : object
    The fitted estimator.
""",
    "x_new": """
X : array-like of shape (n_samples, n_features)
    Samples to predict.
""",
    "x_new_sparse": """
X : {array-like, sparse matrix} of shape (n_samples, n_features)
    Samples to predict.
""",
    "probabilities": """
p : ndarray of shape (n_samples, n_classes)
    Probabilities; columns in the order of ``classes_``.
""",
    "y_new": """
y : ndarray of shape (n_samples,)
    Predictions.
""",
    "realmlp_story": """
The recipe is RealMLP-TD of [1]_. Numeric columns are scaled robustly, clipped smoothly
and embedded by learned cosines; categorical columns of up to 8 levels are one-hot
codes, those of more levels have 8 learned numbers for each level. Learned factors
scale the inputs of three hidden layers, whose activations are learned too. Adam takes
steps of a learning rate that goes through four cycles. A fifth of the samples is held
out, and the parameters of the epoch that is best on it are kept.

Missing numbers are replaced by the median, with an indicator column; a missing or
unknown category has zeros as its code. Columns that do not vary are ignored.
""",
    "realmlp_layers": """
hidden_layer_sizes : array-like of int, default=(256, 256, 256)
    Number of units of each hidden layer.
""",
    "realmlp_regularization": """
dropout : float, default=0.15
    Share of the hidden units that are dropped in a step. It decreases to 0 in the
    second half of the training.
weight_decay : float, default=0.02
    Decay of the parameters per step, times the learning rate. It decreases likewise.
""",
    "realmlp_training": """
numeric_embedding : bool, default=True
    Whether numeric columns are embedded by cosines; else they are inputs themselves.
batch_size : int or "auto", default=256
    Number of samples of a step. "auto": 64 for up to 1,024 samples to train with, 128
    for 8,192, 256 for 30,000, 512 for 100,000, and 1,024 for more.
max_epochs : int, default=256
    Number of passes over the samples, over which learning rate, dropout and weight
    decay are scheduled.
early_stopping : bool, default=True
    Whether to stop when the best epoch is too long ago: after more than 20 plus two
    times as many epochs.
validation_fraction : float, default=0.2
    Share of the samples that is held out to choose the epoch, of each class the same.
    0, or fewer than 10 samples: none, and the last epoch is kept.
n_estimators : int, default=1
    Number of nets, each of which holds out other samples; predictions are their mean.
""",
    "realmlp_columns": """
categorical_features : array-like, "from_dtype" or None, default="from_dtype"
    Which columns are categorical: a mask, positions or names; those of a categorical
    dtype; or none.
n_jobs : int or None, default=None
    Number of nets that are trained at a time, on threads. None: one.
random_state : int, RandomState instance or None, default=None
    Draws held-out samples, initial parameters, batches and dropout.
""",
    "realmlp_fitted": """
parameters_ : ndarray of float32 of shape (n_estimators, n_parameters)
    All parameters of each net.
validation_scores_ : list of ndarray of shape (n_epochs,)
    Loss of the held-out samples of each net after each epoch; empty without them.
n_epochs_ : ndarray of int of shape (n_estimators,)
    Number of epochs that were run.
best_epoch_ : ndarray of int of shape (n_estimators,)
    The epoch of each net that is kept, counted from 1.
n_features_in_ : int
    Number of columns in ``fit``.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the columns, if all are strings.
""",
    "realmlp_references": """
References
----------
.. [1] Holzmüller, Grinsztajn, Steinwart, "Better by default: Strong pre-tuned MLPs and
   boosted trees on tabular data", NeurIPS, 2024.
""",
    "x_table": """
X : array-like or dataframe of shape (n_samples, n_features)
    Samples. Missing values are allowed.
""",
    "y_any": """
y : array-like of shape (n_samples,)
    Targets.
""",
    "x_new_table": """
X : array-like or dataframe of shape (n_samples, n_features)
    Samples to predict.
""",
    "complex_models_paper": cite(GRABCZEWSKI_2006),
}
# Parameters of methods, and what they return.
METHODS = {
    "fit_classes": ("x", "y_classes", "sample_weight", "fitted"),
    "fit_numbers": ("x", "y_numbers", "sample_weight", "fitted"),
    "fit_grouped_classes": ("x", "y_classes", "groups", "fitted"),
    "fit_grouped_numbers": ("x", "y_numbers", "groups", "fitted"),
    "fit_sparse_classes": ("x_sparse", "y_classes", "sample_weight", "fitted"),
    "fit_sparse_numbers": ("x_sparse", "y_numbers", "sample_weight", "fitted"),
    "fit_costs_of_classes": ("x_sparse", "y_classes", "cost_weight", "fitted"),
    "fit_costs_of_numbers": ("x_sparse", "y_numbers", "cost_weight", "fitted"),
    "proba": ("x_new", "probabilities"),
    "proba_sparse": ("x_new_sparse", "probabilities"),
    "predict": ("x_new", "y_new"),
    "predict_sparse": ("x_new_sparse", "y_new"),
    "realmlp_fit": ("x_table", "y_any", "sample_weight", "groups", "fitted"),
    "realmlp_proba": ("x_new_table", "probabilities"),
    "realmlp_predict": ("x_new_table", "y_new"),
}


def _join(names):
    return "\n".join(PARAMETERS[name].strip("\n") for name in names)


PARAMETERS |= {
    name: f"Parameters\n----------\n{_join(names[:-1])}\n\n"
    f"Returns\n-------\n{_join(names[-1:])}"
    for name, names in METHODS.items()
}
