"""Novelty of rows: which rows of a new table are unlike those of training."""

from manyminds.analysis.novelty.check import NoveltyCheck, NoveltyResult

__all__ = ["NoveltyCheck", "NoveltyResult"]
