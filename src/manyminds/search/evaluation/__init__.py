"""Cross-validate one pipeline: folds, scores, timing and worker processes."""
