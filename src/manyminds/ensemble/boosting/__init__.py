"""Boosting: learners made one after the other, each for what the last got wrong."""
