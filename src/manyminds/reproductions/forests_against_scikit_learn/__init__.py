"""Our forests against scikit-learn's: the same folds, the same preparation."""
