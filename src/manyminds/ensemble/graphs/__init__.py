"""Pairs of classes combined: decision graphs, votes, coupled probabilities."""
