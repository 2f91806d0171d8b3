"""Paragraphs that the docstrings of both searches share."""

from manyminds.utils.references import GRABCZEWSKI_2006, LI_2020, TSAMARDINOS_2018, cite

ALGORITHM = """
A pipeline encodes, scales, reduces and selects columns and ends in a learner, and is
fitted and validated as a whole [1]_: every step that depends on labels is fitted anew
inside each fold. First, all learners are evaluated, then selectors before the best of
them; then hyperparameters are tuned, options of good pipelines exchanged, and
committees made. A pipeline that is clearly worse than the incumbent after some folds is
pruned, and so is one that takes more than its share of the budget, unless it is ahead.
Of a table with many rows, pipelines are first evaluated on a sample, and the best of
them on growing ones (successive halving [3]_), as the time that they took allows.

The score of the best of many pipelines has a selection bias. So the choice is replayed
on bootstrap samples of the out-of-fold predictions [2]_, and ``honest_score_`` is the
score less the estimated bias.
"""

BUDGET = """
budget : float, str or None, default="60s"
    Seconds, or a text such as "90s", "5m" or "1h", for everything: search, judging and
    fitting the final model. Compiling, once after an installation, is not counted.
    None: no limit but ``n_trials``, and the same result for any ``n_jobs``.
n_trials : int or None, default=None
    Number of pipelines to evaluate in this call.
"""

SETTINGS = """
cv : int, "auto" or cross-validation generator, default="auto"
    Folds on which pipelines are validated; any splitter of scikit-learn that puts no
    row into two test folds. "auto": ten below 500 rows, five up to 5,000, three up to
    20,000 for each minute of the budget; of more, or of more than 100,000 rows times
    classes for each minute, if these are more than two, a fifth to a third of the rows
    is held out, 50,000 at most. With groups, rows of one group stay together; with
    times, up to five blocks are predicted, each from the rows before it.
space : Space or None, default=None
    Options of the pipelines; None: `default_space`.
committee : bool, default=True
    Whether a committee of good pipelines may be chosen in place of the best one.
validation : {"bootstrap", "nested"}, default="bootstrap"
    Source of ``honest_score_``: bootstrap samples of the out-of-fold predictions of the
    search, or whole searches repeated outside of folds, each with the same budget.
outer_cv : int, default=3
    Folds of the nested validation.
alpha : float, default=0.0
    Pipelines are ranked by their score less ``alpha`` standard deviations over folds;
    the paper takes 1.
predict_limit : float or None, default=None
    Rows per second that the final model must predict: slower pipelines and members are
    left out. None: no limit.
storage : str, path or None, default=None
    Where the study is stored: a SQLite file or the URL of a database of SQLite or
    PostgreSQL. A search with a storage, on the same rows and with the same integer as
    ``random_state``, resumes an earlier one that has ended or was killed, and several
    processes may share it. None: memory, which is faster, and lost at the end;
    ``manyminds search`` always writes a file.
study_name : str, default="search"
    Name of the study in the storage.
on_progress : callable or None, default=None
    Called with a `SearchProgress` after each trial.
cluster : str or None, default=None
    Address of the scheduler of a Dask cluster, such as "tcp://10.0.0.1:8786", or of a
    Ray cluster, such as "ray://10.0.0.1:10001" or, on one of its machines,
    "ray://auto": its workers evaluate the pipelines. None: this machine.
memory : float, str or None, default=None
    Bytes, or a text such as "4G", that the processes may take together: there are fewer
    of them, and a fit beyond its share fails. None: most of what is free.
n_jobs : int or None, default=None
    Cores; -1 for all. Each evaluates a pipeline in a process of its own, which is ended
    if it takes too long; on a large table, one pipeline at a time takes all cores. With
    one core, unless ``memory`` is limited, pipelines are evaluated in this process: a
    fit cannot be ended, and may exceed the budget.
random_state : int, RandomState instance or None, default=None
    Seed of folds, pipelines and bootstrap samples.
"""

MODELS = """
model_ : estimator
    The final model: ``committee_`` if there is one, or else ``best_model_``.
best_model_ : estimator
    The best pipeline, fitted to all rows, or the mean of the models of its folds if a
    large table left no time for that; where it is a member of ``committee_``, the
    same object.
committee_ : VoteClassifier, VoteRegressor, LabelCommittee or None
    Committee of pipelines, if it is better; its ``estimators_`` are fitted.
"""

RESULTS = """
weights_ : list of (str, float)
    The pipelines of ``model_`` and their weights.
class_weights_ : ndarray of shape (n_classes,) or None
    Weights of classes, tuned to the metric: ``predict`` returns the class with the
    greatest weighted probability. None: the most likely class.
honest_score_ : HonestScore
    Expected score on new rows, with an interval, and the naive score: that of the
    pooled out-of-fold predictions of ``model_``. NaN, with a reason, where it cannot be
    estimated.
leaderboard_ : DataFrame
    Pipelines that went through all folds, the best first. Their score is that of their
    pooled out-of-fold predictions.
trace_ : DataFrame
    All trials in their order.
selection_ : DataFrame
    How often the best pipeline selected each column, over the folds.
selection_stability_ : float
    How much these selections agree, by Nogueira's measure.
importance_ : DataFrame
    By how much the score of ``model_`` falls where a column is shuffled in out-of-fold
    rows: mean and standard deviation over up to five folds. At most a hundred columns,
    those selected most often.
"""

FOLDS = """
folds_ : list of (train, test)
    Positions of the rows; no row is in two test folds, and some may be in none.
metric_ : str
    Name of the metric.
"""

FEATURES = """
n_features_in_ : int
    Number of columns.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the columns, of a dataframe.
"""


SHARED = {
    "algorithm": ALGORITHM,
    "budget": BUDGET,
    "settings": SETTINGS,
    "models": MODELS,
    "results": RESULTS,
    "folds": FOLDS,
    "features": FEATURES,
    "references": cite(GRABCZEWSKI_2006, TSAMARDINOS_2018, LI_2020),
}
