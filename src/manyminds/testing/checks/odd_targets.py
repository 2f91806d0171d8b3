"""Checks of unusual targets y: a correct result, or an error that names the problem."""

import numpy as np
from sklearn.base import BaseEstimator, is_classifier, is_regressor
from sklearn.utils import get_tags

from manyminds.testing.assertions import check_for, expect_error, must, try_or_explain
from manyminds.testing.cases import (
    case_for,
    classifies,
    fit,
    ready,
    regresses,
    validates_target,
)
from manyminds.testing.outputs import assert_sound

__all__ = [
    "check_constant_target",
    "check_mixed_labels",
    "check_one_class",
    "check_several_targets_refused",
    "check_target_length",
    "check_target_missing",
    "check_target_with_nan",
]


@check_for(classifies)
def check_one_class(estimator: BaseEstimator) -> None:
    """Check that a single class is learned, or raises a clear error."""
    case = case_for(estimator)
    y = np.full(len(case.X), 7)
    fitted = try_or_explain(
        fit, ready(estimator), case.X, y, match=r"class", when="y has one class"
    )
    if fitted is not None:
        classes = list(fitted.classes_)
        must(classes == [7], f"classes_ is {classes} when y is 7 throughout.")
        must(
            (fitted.predict(case.X_new) == 7).all(),
            "predicts classes that are not in y.",
        )
        assert_sound(fitted, case.X_new, "y has one class")


@check_for(regresses)
def check_constant_target(estimator: BaseEstimator) -> None:
    """Check that a constant target is learned."""
    case = case_for(estimator)
    for value in (0.25, 1e6):
        fitted = fit(ready(estimator), case.X, np.full(len(case.X), value))
        right = np.allclose(fitted.predict(case.X_new), value)
        must(right, f"does not predict {value} when y is {value} throughout.")


@check_for(validates_target)
def check_target_with_nan(estimator: BaseEstimator) -> None:
    """Check that NaN and, for regressors, infinity in the target raises, by name."""
    case = case_for(estimator)
    wrong = {np.nan: r"\bNaN\b"}
    if is_regressor(estimator):
        wrong |= {np.inf: r"\binf", -np.inf: r"\binf"}
    for value, pattern in wrong.items():
        y = np.asarray(case.y, dtype=float).copy()
        y[3] = value
        expect_error(
            fit, ready(estimator), case.X, y, match=pattern, when=f"y has {value}"
        )


@check_for(validates_target)
def check_target_missing(estimator: BaseEstimator) -> None:
    """Check that ``fit`` without a required target raises."""
    case = case_for(estimator)
    expect_error(
        ready(estimator).fit, case.X, None, match=r"\by\b|target", when="y is None"
    )


@check_for(validates_target)
def check_target_length(estimator: BaseEstimator) -> None:
    """Check that a target that is shorter or longer than X raises."""
    case = case_for(estimator)
    for y in (case.y[:-1], np.append(case.y, case.y[:1])):
        expect_error(
            fit,
            ready(estimator),
            case.X,
            y,
            match=r"inconsistent|length|number of (samples|rows)|same",
            when=f"X has {len(case.X)} rows and y {len(y)}",
        )


@check_for(classifies)
def check_mixed_labels(estimator: BaseEstimator) -> None:
    """Check that labels that mix text and numbers raise."""
    case = case_for(estimator)
    for first, second in ((1, "one"), ("one", 1)):
        y = np.array([first, second] * (len(case.X) // 2), dtype=object)
        expect_error(
            fit,
            ready(estimator),
            case.X,
            y,
            match=r"label|mix|type|\bstr\b|string",
            when=f"the labels are {first!r} and {second!r}",
        )


def _takes_one_column(estimator: BaseEstimator) -> bool:
    tags = get_tags(estimator)
    several = tags.target_tags.multi_output or (
        tags.classifier_tags is not None and tags.classifier_tags.multi_label
    )
    predicts = is_classifier(estimator) or is_regressor(estimator)
    return validates_target(estimator) and predicts and not several


@check_for(_takes_one_column)
def check_several_targets_refused(estimator: BaseEstimator) -> None:
    """Check that two columns of targets raise if the tags do not allow them."""
    case = case_for(estimator)
    y = np.column_stack([case.y, case.y[::-1]])
    expect_error(
        fit,
        ready(estimator),
        case.X,
        y,
        match=r"1-?d|shape|dimension|output|label type",
        when="y has two columns",
    )
