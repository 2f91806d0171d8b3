"""Forests that ask what matters where: local draws of features, local votes."""
