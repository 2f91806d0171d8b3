"""Gradient boosting of trees: any loss, early stopping, constraints."""
