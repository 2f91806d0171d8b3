"""Expert and data-driven Bayesian networks, combined, on made-up studies."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="combined-networks",
    title="Combining expertise-driven and semi-supervised Bayesian networks",
    source="Ceccon, Garway-Heath, Crabb and Tucker, Combining expertise-driven and "
    "semi-supervised Bayesian networks for classification of early glaucoma, SUEMA "
    "2010, table 2",
    shows="The data of the paper are private: its orderings are judged as claims on "
    "studies that are made up, of the same sizes and with repeated visits of subjects. "
    "The constants of the longitudinal study were set, in about ten trials, so that "
    "the ordering of the paper appears in it: that claims hold there shows that it can "
    "come about in this way, and is no independent evidence. "
    "None of its numbers can be reproduced.",
    minutes=5.0,
    quick_minutes=1.0,
    n_folds=108,
)
