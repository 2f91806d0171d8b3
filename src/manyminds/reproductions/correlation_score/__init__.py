"""Correlation scores: do they rank random subsets of columns as classifiers do?"""
