"""Classifiers with a fixed kind of network: naive Bayes, trees, averaged dependence."""
