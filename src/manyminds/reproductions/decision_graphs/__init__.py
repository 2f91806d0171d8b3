"""Decision graphs of kernel classifiers: the statistics of per-class F-scores."""
