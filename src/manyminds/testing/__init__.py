"""The checks that every estimator must pass, ours and those of other packages."""

from manyminds.testing.cases import small
from manyminds.testing.discovery import all_estimators
from manyminds.testing.running import check_estimator, estimator_checks, failed_checks

__all__ = [
    "all_estimators",
    "check_estimator",
    "estimator_checks",
    "failed_checks",
    "small",
]
