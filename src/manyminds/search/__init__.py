"""Search pipelines of preprocessing, selection and a learner, with an honest score."""

from manyminds.search.choice.committee import grow_committee
from manyminds.search.choice.criterion import (
    choose_by_mean_minus_std,
    mean_minus_std,
)
from manyminds.search.choice.selection_bias import HonestScore, correct_selection_bias
from manyminds.search.choice.simplex import weigh_committee
from manyminds.search.complex_model_search import (
    ComplexModelSearchClassifier,
    ComplexModelSearchRegressor,
)
from manyminds.search.space import (
    Choice,
    Learner,
    Number,
    Option,
    Problem,
    Space,
    UninformativeTableError,
    default_space,
)
from manyminds.search.space.prior_correction import PriorCorrectedClassifier
from manyminds.search.study.trial_record import SearchProgress

# Names past ``__all__`` that other rooms may import.
INTERNALS = (
    "choice.class_weights.decide_by",
    "choice.importance.MAX_COLUMNS",
    "choice.fold_vote.FoldVoteClassifier",
    "choice.fold_vote.FoldVoteRegressor",
    "choice.label_committee.LabelCommittee",
    "choice.results.make_leaderboard",
    "choice.vote.VoteClassifier",
    "choice.vote.VoteRegressor",
    "evaluation.dependence.encode_groups",
    "evaluation.dependence.encode_times",
    "evaluation.folds.list_tested",
    "evaluation.folds.make_folds",
    "evaluation.folds.place_tests",
    "evaluation.label_metrics.make_scorer",
    "evaluation.metrics.PredictionScorer",
    "evaluation.resources.read_bytes",
    "evaluation.temperature.TINY",
    "evaluation.timing.read_seconds",
    "study.prediction_store.open_prediction_store",
    "study.trial_reader.StoredTrials",
    "study.trial_reader.read_trials",
)

__all__ = [
    "Choice",
    "ComplexModelSearchClassifier",
    "ComplexModelSearchRegressor",
    "HonestScore",
    "Learner",
    "Number",
    "Option",
    "PriorCorrectedClassifier",
    "Problem",
    "SearchProgress",
    "Space",
    "UninformativeTableError",
    "choose_by_mean_minus_std",
    "correct_selection_bias",
    "default_space",
    "grow_committee",
    "mean_minus_std",
    "weigh_committee",
]
