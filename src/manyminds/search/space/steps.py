"""Options of the stages before the learner: encode, scale, reduce, select."""

from typing import Any

from sklearn.compose import ColumnTransformer
from sklearn.decomposition import TruncatedSVD
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    OneHotEncoder,
    OrdinalEncoder,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)

from manyminds._compat import make_target_encoder
from manyminds.experiments.preparation import Columns
from manyminds.feature_selection import (
    CorrelationSelector,
    FCBFSelector,
    ForestGainSelector,
    HighVarianceSelector,
    MRMRSelector,
    SelectionCommittee,
    SSVSelector,
)
from manyminds.preprocessing import MatrixScaler, RoundedPCA
from manyminds.search.space.options import Option
from manyminds.search.space.parameters import Choice, Number
from manyminds.search.space.problem import MAX_LEVELS, Problem

SHARE = Number(0.005, 0.9, default=0.2, log=True)


def no_step(problem: Problem) -> None:
    """Return None: the stage is skipped."""


# ------------------------------------------------------------------ encode


def fill_and_encode(problem: Problem, encoder: Any, indicator: bool) -> Any:
    """Impute numeric columns by their medians, and encode category columns."""
    filler = SimpleImputer(
        strategy="median", add_indicator=indicator, keep_empty_features=True
    )
    if problem.sparse:
        return FunctionTransformer(accept_sparse=True)
    if not problem.n_categorical:
        return filler if problem.has_missing else None
    transformers = [
        ("numbers", filler, Columns(dtype_exclude="category")),
        ("categories", encoder, Columns(dtype_include="category")),
    ]
    return ColumnTransformer(transformers, verbose_feature_names_out=False)


def make_one_hot(problem: Problem, indicator: bool = False) -> Any:
    """Encode each level by a column of its own; the rare ones of many share one."""
    encoder = OneHotEncoder(
        handle_unknown="infrequent_if_exist",
        max_categories=MAX_LEVELS,
        sparse_output=False,
    )
    return fill_and_encode(problem, encoder, indicator)


def make_target_encoding(problem: Problem, indicator: bool = False) -> Any:
    """Replace a level by the mean target of its rows, cross-fitted."""
    encoder = make_target_encoder(bool(problem.n_classes))
    return fill_and_encode(problem, encoder, indicator)


def make_ordinal(problem: Problem, indicator: bool = False) -> Any:
    """Replace levels by their ordinal codes."""
    encoder = OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-1
    )
    return fill_and_encode(problem, encoder, indicator)


def has_categories(problem: Problem) -> bool:
    """Return whether there are category columns."""
    return problem.n_categorical > 0


def has_short_categories(problem: Problem) -> bool:
    """Return whether one-hot encoding makes a moderate number of columns."""
    return problem.n_encoded <= max(2000, 4 * problem.n_features)


def count_one_hot(problem: Problem, indicator: bool = False) -> int:
    """Return the number of one-hot columns in nearly every fold."""
    return _count_encoded(problem, sum(problem.levels))


def count_ordinal(problem: Problem, indicator: bool = False) -> int:
    """Return the number of ordinal columns in nearly every fold."""
    return _count_encoded(problem, sum(one > 1 for one in problem.levels))


def count_target_means(problem: Problem, indicator: bool = False) -> int:
    """Return the number of target-encoded columns in nearly every fold."""
    n_each = problem.n_classes if problem.n_classes > 2 else 1
    return _count_encoded(problem, n_each * sum(one > 1 for one in problem.levels))


def _count_encoded(problem: Problem, n_made: int) -> int:
    if problem.sparse or not (problem.n_numbers or problem.levels):
        return problem.n_encoded
    return max(1, problem.n_numbers + n_made)


INDICATOR = {"indicator": Choice([False, True], default=False)}
ENCODERS = (
    Option(
        "one_hot",
        make_one_hot,
        INDICATOR,
        has_short_categories,
        columns=count_one_hot,
    ),
    Option(
        "target_means",
        make_target_encoding,
        INDICATOR,
        has_categories,
        columns=count_target_means,
    ),
    Option("ordinal", make_ordinal, INDICATOR, has_categories, columns=count_ordinal),
)


# ------------------------------------------------------------------ scale


def make_standard(problem: Problem) -> Any:
    """Scale columns to mean 0 and variance 1; sparse ones keep their zeros."""
    return StandardScaler(with_mean=not problem.sparse)


def make_robust(problem: Problem) -> Any:
    """Scale columns to median 0 and interquartile range 1."""
    return RobustScaler(with_centering=not problem.sparse)


def make_quantile(problem: Problem) -> Any:
    """Transform columns to a normal distribution by their quantiles."""
    n_quantiles = min(1000, max(10, problem.n_samples // 2))
    return QuantileTransformer(
        n_quantiles=n_quantiles, output_distribution="normal", random_state=0
    )


def make_whole_matrix(problem: Problem) -> Any:
    """Scale the whole table by one mean and one standard deviation."""
    return MatrixScaler(with_mean=not problem.sparse)


def make_max_abs(problem: Problem) -> Any:
    """Divide columns by their maximum absolute value."""
    return MaxAbsScaler()


def is_dense(problem: Problem) -> bool:
    """Return whether the table is dense."""
    return not problem.sparse


SCALERS = (
    Option("standard", make_standard),
    Option("robust", make_robust, suits=is_dense),
    Option("quantile", make_quantile, suits=is_dense),
    Option("matrix", make_whole_matrix),
    Option("max_abs", make_max_abs),
    Option("unscaled", no_step),
)


# ------------------------------------------------------------------ reduce


def make_pca(problem: Problem, components: float) -> Any:
    """Take a share of the principal components."""
    n_components = count_components(problem, components)
    if problem.sparse:
        return TruncatedSVD(n_components, random_state=0)
    return RoundedPCA(n_components, random_state=0)


def count_components(problem: Problem, components: float) -> int:
    """Return the number of components, for the rows of any fold."""
    n_most = min(problem.n_encoded, int(problem.fit_share * problem.n_samples))
    n_components = max(1, min(round(components * n_most), n_most - 1))
    return min(n_components, 100) if problem.sparse else n_components


def make_high_variance(problem: Problem, share: float) -> Any:
    """Select the columns of highest variance."""
    return HighVarianceSelector(n_features_to_select=float(share))


def has_columns_to_spare(problem: Problem) -> bool:
    """Return whether there are at least five columns."""
    return problem.n_encoded >= 5


def is_wide(problem: Problem) -> bool:
    """Return whether there are at least a hundred columns."""
    return problem.n_encoded >= 100


def suits_pca(problem: Problem) -> bool:
    """Return whether the principal components can be computed in seconds."""
    n, p = problem.n_samples, problem.n_encoded
    return p >= 5 and n * p * min(n, p) <= 2e10


REDUCERS = (
    Option("unreduced", no_step),
    Option(
        "pca",
        make_pca,
        {"components": Number(0.02, 0.98, 0.5)},
        suits_pca,
        columns=count_components,
    ),
    Option(
        "high_variance",
        make_high_variance,
        {"share": Number(0.02, 0.9, 0.3, log=True)},
        is_wide,
    ),
)


# ------------------------------------------------------------------ select


def make_correlation(problem: Problem, share: float) -> Any:
    """Select the columns of highest correlation with the target."""
    return CorrelationSelector(float(share), task=problem.task)


def make_ssv(problem: Problem, share: float, balanced: bool = False) -> Any:
    """Select the columns with the best single split."""
    return SSVSelector(float(share), balanced=bool(balanced), random_state=0)


def make_ssv_tree(problem: Problem, balanced: bool = False) -> Any:
    """Select the columns that a full SSV tree uses."""
    return SSVSelector(
        None, method="tree", balanced=bool(balanced), max_bins=255, random_state=0
    )


def make_forest_gain(problem: Problem, share: float) -> Any:
    """Select the columns of the highest gain in the nodes of a forest."""
    return ForestGainSelector(float(share), task=problem.task, random_state=0)


def make_mrmr(problem: Problem, count: int, ensemble: str = "none") -> Any:
    """Select relevant columns that are not redundant."""
    k = min(int(count), problem.n_encoded)
    return MRMRSelector(k, ensemble=ensemble, task=problem.task, random_state=0)


def make_fcbf(problem: Problem) -> Any:
    """Select columns that no better column makes redundant."""
    return FCBFSelector(min_features_to_select=1, task=problem.task)


def make_selection_committee(problem: Problem, count: int, threshold: int) -> Any:
    """Let SSV ranking, an SSV tree and correlation vote on columns."""
    k = min(int(count), problem.n_encoded)
    members = [
        ("ssv", SSVSelector(k, random_state=0)),
        ("tree", SSVSelector(k, method="tree", max_bins=255, random_state=0)),
        ("correlation", CorrelationSelector(k, task=problem.task)),
    ]
    return SelectionCommittee(
        members, threshold=int(threshold), min_features_to_select=1
    )


def has_classes(problem: Problem) -> bool:
    """Return whether there are classes and at least five columns."""
    return problem.task == "classification" and has_columns_to_spare(problem)


def has_classes_and_dense_columns(problem: Problem) -> bool:
    """Return whether there are classes and at least five dense columns."""
    return has_classes(problem) and not problem.sparse


def has_dense_columns(problem: Problem) -> bool:
    """Return whether there are at least five dense columns."""
    return has_columns_to_spare(problem) and not problem.sparse


COUNT = Number(2, 100, default=15, log=True, whole=True)
BALANCED = {"balanced": Choice([False, True], default=False)}
SELECTORS = (
    Option("unselected", no_step),
    Option(
        "correlation",
        make_correlation,
        {"share": SHARE},
        has_columns_to_spare,
        ranks=True,
    ),
    Option("ssv", make_ssv, {"share": SHARE, **BALANCED}, has_classes, ranks=True),
    Option("ssv_tree", make_ssv_tree, BALANCED, has_classes_and_dense_columns),
    Option(
        "forest_gain",
        make_forest_gain,
        {"share": SHARE},
        has_dense_columns,
        ranks=True,
    ),
    Option(
        "mrmr",
        make_mrmr,
        {"count": COUNT, "ensemble": Choice(["none", "fast"], default="none")},
        has_columns_to_spare,
    ),
    Option("fcbf", make_fcbf, suits=has_dense_columns),
    Option(
        "selection_committee",
        make_selection_committee,
        {
            "count": Number(2, 50, default=10, log=True, whole=True),
            "threshold": Number(1, 3, default=1, whole=True),
        },
        has_classes_and_dense_columns,
    ),
)
