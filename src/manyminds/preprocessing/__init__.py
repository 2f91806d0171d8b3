"""Cleaning, encoding, scaling and generation of columns; words made columns."""

from manyminds.preprocessing.column_cleaner import ColumnCleaner
from manyminds.preprocessing.date_encoder import DateEncoder, encode_dates
from manyminds.preprocessing.fixation_features import extract_fixation_features
from manyminds.preprocessing.generation.arithmetic_features import ArithmeticFeatures
from manyminds.preprocessing.generation.crossed_categories import CrossedCategories
from manyminds.preprocessing.generation.group_features import GroupFeatures
from manyminds.preprocessing.generation.target_means import TargetMeans
from manyminds.preprocessing.generation.text_encoder import TextEncoder
from manyminds.preprocessing.generation.text_scores import TextScores
from manyminds.preprocessing.local_binary_patterns import LocalBinaryPatterns
from manyminds.preprocessing.matrix_scaler import MatrixScaler
from manyminds.preprocessing.rounded_pca import RoundedPCA
from manyminds.preprocessing.viewed_words import label_viewed_words
from manyminds.preprocessing.word_queries import (
    learn_topic_queries,
    score_documents,
    weigh_words,
)

__all__ = [
    "ArithmeticFeatures",
    "ColumnCleaner",
    "CrossedCategories",
    "DateEncoder",
    "GroupFeatures",
    "LocalBinaryPatterns",
    "MatrixScaler",
    "RoundedPCA",
    "TargetMeans",
    "TextEncoder",
    "TextScores",
    "encode_dates",
    "extract_fixation_features",
    "label_viewed_words",
    "learn_topic_queries",
    "score_documents",
    "weigh_words",
]

INTERNALS = (  # that other rooms import
    "fixation_features.FIXATION_FEATURES",
    "generation.arithmetic_features.LARGEST",
    "generation.base.FeatureGenerator",
    "generation.crossed_categories.MISSING",
    "generation.crossed_categories.OTHER",
    "generation.text_scores.MAX_SCORED_CLASSES",
)
