"""Conditions under which a learner suits a problem: rows, columns, classes, cost."""

from manyminds.search.space.problem import Problem

MAX_BOOSTED_VALUES = 50_000_000  # gradients of all rows and classes: below 1 GB
N_CALIBRATING = 3  # folds by which decision values are calibrated


def has_few_rows(problem: Problem) -> bool:
    """Return whether a cost quadratic in the rows is acceptable."""
    return problem.n_samples <= 15_000


def can_be_calibrated(problem: Problem) -> bool:
    """Return whether every class has enough rows for calibration."""
    return not problem.n_classes or problem.smallest_class >= 2 * N_CALIBRATING


def is_large(problem: Problem) -> bool:
    """Return whether the default trees may take too long for a short search."""
    n_cells = problem.n_samples * problem.n_encoded
    return problem.n_samples >= 2000 or n_cells >= 100_000


def suits_svm(problem: Problem) -> bool:
    """Return whether support vector machines suit the problem."""
    return has_few_rows(problem) and can_be_calibrated(problem)


def suits_elm(problem: Problem) -> bool:
    """Return whether extreme learning machines suit the problem."""
    return is_narrow(problem) and can_be_calibrated(problem)


def has_very_few_rows(problem: Problem) -> bool:
    """Return whether a cost cubic in the rows is acceptable."""
    return problem.n_samples <= 1000


def has_few_cells(problem: Problem) -> bool:
    """Return whether the columns can be rotated for each tree."""
    return problem.n_encoded <= 1000 and problem.n_samples * problem.n_encoded <= 2e6


def is_large_enough(problem: Problem) -> bool:
    """Return whether there are enough rows for a network, and not too many cells."""
    return problem.n_samples >= 100 and problem.n_samples * problem.n_encoded <= 2e7


def suits_net(problem: Problem) -> bool:
    """Return whether a net of several layers suits the problem."""
    return is_large_enough(problem) and is_narrow(problem)


def count_outputs(problem: Problem) -> int:
    """Return how many trees a round of boosting grows."""
    return problem.n_classes if problem.n_classes > 2 else 1


def suits_boosting(problem: Problem) -> bool:
    """Return whether boosting has enough rows, and its arrays fit into memory."""
    fits = problem.n_samples * count_outputs(problem) <= MAX_BOOSTED_VALUES
    return problem.n_samples >= 40 and problem.n_encoded <= 20_000 and fits


def suits_quick_boosting(problem: Problem) -> bool:
    """Return whether boosting of few rounds is worth a trial."""
    return is_large(problem) and suits_boosting(problem)


def is_narrow(problem: Problem) -> bool:
    """Return whether a matrix quadratic in the columns fits in memory."""
    return problem.n_encoded <= 2000


def has_few_columns(problem: Problem) -> bool:
    """Return whether distances of all pairs of rows can be computed."""
    return has_few_rows(problem) and problem.n_encoded <= 20_000


def suits_dependence(problem: Problem) -> bool:
    """Return whether pairs of columns can be counted, and categories are worth it."""
    n_states = sum(problem.levels) + 5 * (problem.n_features - problem.n_categorical)
    return problem.n_categorical > 0 and n_states <= 2000
