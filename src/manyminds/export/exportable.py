"""Which options of the search space can be converted to ONNX: one table."""

from manyminds.search import Space

__all__ = ["EXPORTABLE", "only_exportable"]

# All options of a stage that is not named here can be converted. Left out are learners
# whose output would not be the same: nearest neighbors, since of training rows at equal
# distances those count that scikit-learn's search finds first (the first ones instead
# change the probabilities of an eighth of balance-scale); and those without a converter
# yet: local trees (flt), aode, tan, rpboost and gp. Columns of dates and of free text
# have no input in the file.
EXPORTABLE = {
    "learner": (
        "gb",
        "extra_gb",
        "quick_gb",
        "rf",
        "quick_rf",
        "et",
        "rotation_forest",
        "ssv_tree",
        "logistic",
        "lda",
        "nb",
        "ridge",
        "elastic_net",
        "real_mlp",
        "gaussian_svm",
        "exponential_svm",
        "linear_svm",
        "nrbf",
        "elm",
    ),
}


def only_exportable(space: Space) -> Space:
    """Return a space with those options alone that can be converted to ONNX.

    Parameters
    ----------
    space : Space

    Returns
    -------
    space : Space

    Examples
    --------
    >>> from manyminds.export import only_exportable
    >>> from manyminds.search import default_space
    >>> space = only_exportable(default_space("regression"))
    >>> [one.name for one in space.learner][-3:]
    ['real_mlp', 'ridge', 'elastic_net']
    """
    for stage, names in EXPORTABLE.items():
        known = {option.name for option in getattr(space, stage)}
        space = space.only(stage, *(name for name in names if name in known))
    return space
