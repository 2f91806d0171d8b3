"""Checks for every estimator and every store, of this package and of others."""

from manyminds.testing.cases import small
from manyminds.testing.discovery import all_estimators
from manyminds.testing.running import check_estimator, estimator_checks, failed_checks
from manyminds.testing.stores import check_store, store_checks

__all__ = [
    "all_estimators",
    "check_estimator",
    "check_store",
    "estimator_checks",
    "failed_checks",
    "small",
    "store_checks",
]
