"""Which options of the search space can be converted to ONNX: one table."""

from dataclasses import replace

from manyminds.search import Space

__all__ = ["EXPORTABLE", "only_exportable"]

# All options of a stage that is not named here can be converted. Learners of other
# libraries and of users, added to a space, are left out. Columns of free text have no
# input in the file, and sparse tables no conversion.
EXPORTABLE = {
    "learner": (
        "gb",
        "extra_gb",
        "symmetric_gb",
        "quick_gb",
        "rf",
        "quick_rf",
        "et",
        "rotation_forest",
        "flt",
        "ssv_tree",
        "logistic",
        "lda",
        "nb",
        "aode",
        "tan",
        "ridge",
        "elastic_net",
        "real_mlp",
        "gaussian_svm",
        "exponential_svm",
        "linear_svm",
        "knn_cv",
        "nrbf",
        "elm",
        "gp",
        "rpboost",
        # Of many labels.
        "mlforest",
        "mlknn",
        "ecc",
        "rakel",
        "br_rf",
        "br_logistic",
        "br_gb",
    ),
}


def only_exportable(space: Space) -> Space:
    """Return a space with those options alone that can be converted to ONNX.

    Pipelines that read the predictions of others cannot.

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
    ['gp', 'ridge', 'elastic_net']
    """
    for stage, names in EXPORTABLE.items():
        known = {option.name for option in getattr(space, stage)}
        space = space.only(stage, *(name for name in names if name in known))
    return replace(space, stacks=False)
