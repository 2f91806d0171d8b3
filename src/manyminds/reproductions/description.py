"""What is known of a reproduction before its plan is imported."""

from dataclasses import dataclass

__all__ = ["Description"]


@dataclass(frozen=True)
class Description:
    """A reproduction in plain values, which a listing needs.

    Parameters
    ----------
    name : str
        What ``manyminds reproduce`` calls it.
    title : str
        What is reproduced, in a few words.
    source : str
        The paper, or where else the claim is made.
    shows : str
        What one learns from it, in a sentence or two.
    minutes, quick_minutes : float
        How long it takes on two cores, all of it and the quick subset.
    n_folds : int
        Folds of all its plans.
    """

    name: str
    title: str
    source: str
    shows: str
    minutes: float
    quick_minutes: float
    n_folds: int
