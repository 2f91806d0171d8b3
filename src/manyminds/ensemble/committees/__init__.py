"""Committees of models that were fitted in any case: of a cross-validation's folds."""
