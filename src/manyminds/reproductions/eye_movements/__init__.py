"""Eye movements: whether words are relevant to a search, on made-up sessions."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="eye-movements",
    title="Relevance of words from eye movements, by ensembles of trees",
    source="J. D. Rogers, Ensemble Algorithms and Feature Selection, PhD thesis, "
    "University of Southampton, 2007, chapter 9, table 9.1",
    shows="The recordings of the thesis are not public: its orderings are judged as "
    "claims on six studies that are made up, of about the same size, share of "
    "positive words and error of a forest; none of its numbers can be reproduced. The "
    "constants of the generator were set in three trials by that size, that share and "
    "the error of a random forest, before any other ensemble was run. Each claim has "
    "two controls: random signs of its effects, and studies whose readers do not react "
    "to words. Further parts split by reader, which the thesis does not, and rank "
    "documents, which it proposes.",
    minutes=4.0,
    quick_minutes=0.5,
    n_folds=290,
)
