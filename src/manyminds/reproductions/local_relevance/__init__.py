"""Local relevance: draws of features and weights of votes that depend on the sample."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="local-relevance",
    title="Forests that draw features, or weight votes, by local relevance",
    source="J. D. Rogers, Ensemble Algorithms and Feature Selection, PhD thesis, "
    "University of Southampton, 2007, tables 8.8 to 8.11",
    shows="RF LOCAL draws at each node the features that help the rows there; "
    "dynamic integration weights the votes of trees by how right they are "
    "nearby. Three parts compare error, members' error and Q of the same fits "
    "with the printed ones; what the thesis says about its tables is judged "
    "as claims.",
    minutes=3.0,
    quick_minutes=0.5,
    n_folds=8400,
)
