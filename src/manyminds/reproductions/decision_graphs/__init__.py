"""Decision graphs of kernel classifiers for many classes of unequal sizes."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="decision-graphs",
    title="A decision graph of kernel classifiers for many unequal classes",
    source="A. Rozza, G. Lombardi, M. Re, E. Casiraghi and G. Valentini, DDAG "
    "K-TIPCAC: an ensemble method for protein subcellular localization, workshop "
    "SUEMA, 2010, tables 2 and 3",
    shows="Whether DDAG K-TIPCAC gives up fewer small classes than a forest, nested "
    "dichotomies and support vector machines, with an F-score that is as good, as the "
    "paper finds on 22 locations of proteins. These are not available; eight public "
    "sets with 6 to 19 unequal classes stand in for them, two of which are locations "
    "of proteins (yeast, ecoli), and yeast with shuffled labels is the null control. "
    "Nothing is tuned, where the paper chose the best settings on the folds that it "
    "reports; at most 1,000 rows, and no class of fewer than five.",
    minutes=6.0,
    quick_minutes=0.5,
    n_folds=162,
)
