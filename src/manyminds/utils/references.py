"""Works that several docstrings refer to; see ``fill_docstring``."""

from textwrap import fill

__all__ = [
    "ARMANO_2011",
    "AYERDI_2014",
    "AYERDI_2016",
    "BREIMAN_1996",
    "BREIMAN_2001",
    "BREIMAN_ARCING",
    "BRUBAKER_2008",
    "CART",
    "CARUANA_2004",
    "DEMSAR_2006",
    "FUERNKRANZ_2008",
    "GEURTS_2006",
    "GOEBEL_2004",
    "GRABCZEWSKI_2006",
    "HO_1998",
    "HUANG_2006",
    "JAMES_2003",
    "KOCEV_2013",
    "KOHAVI_1997",
    "KUNCHEVA_2003",
    "LI_2020",
    "LUNDBERG_2020",
    "MARGINEANTU_1997",
    "MEINSHAUSEN_2010",
    "NADEAU_2003",
    "OWEN_1972",
    "PARDO_2011",
    "PARTRIDGE_1997",
    "PLATT_2000",
    "QUINLAN_1987",
    "READ_2008",
    "READ_2011",
    "RODRIGUEZ_2006",
    "ROGERS_2007",
    "ROZZA_2010",
    "SCHAPIRE_2000",
    "SECHIDIS_2011",
    "SHAH_2013",
    "TAMPONI_2015",
    "TSAMARDINOS_2018",
    "TSOUMAKAS_2007",
    "TSOUMAKAS_2008",
    "TSOUMAKAS_2009",
    "TSOUMAKAS_2011",
    "WITTEN_2005",
    "ZHANG_2007",
    "ZLIOBAITE_2011",
    "ZOR_2010",
    "cite",
]

ARMANO_2011 = (
    'Armano and Hatami, "Hierarchical mixture of random prototype-based experts", '
    "Ensembles in Machine Learning Applications, Springer, 2011"
)
AYERDI_2014 = (
    'Ayerdi and Graña, "Hybrid extreme rotation forest", Neural Networks 52, 2014'
)
AYERDI_2016 = (
    'Ayerdi and Graña, "Anticipative hybrid extreme rotation forest", Procedia '
    "Computer Science 80 (ICCS), 2016"
)
BREIMAN_1996 = 'Breiman, "Bagging predictors", Machine Learning 24, 1996'
BREIMAN_2001 = 'Breiman, "Random forests", Machine Learning 45, 2001'
BREIMAN_ARCING = (
    'Breiman, "Bias, variance, and arcing classifiers", Technical report 460, '
    "University of California, Berkeley, 1996"
)
BRUBAKER_2008 = (
    'Brubaker and Vempala, "Isotropic PCA and affine-invariant clustering", FOCS, 2008'
)
CART = (
    'Breiman, Friedman, Olshen and Stone, "Classification and Regression Trees", '
    "Wadsworth, 1984"
)
CARUANA_2004 = (
    'Caruana, Niculescu-Mizil, Crew and Ksikes, "Ensemble selection from libraries of '
    'models", ICML, 2004'
)
DEMSAR_2006 = (
    'Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal '
    "of Machine Learning Research 7, 2006"
)
FUERNKRANZ_2008 = (
    'Fürnkranz, Hüllermeier, Loza Mencía and Brinker, "Multilabel classification via '
    'calibrated label ranking", Machine Learning 73, 2008'
)
GEURTS_2006 = (
    'Geurts, Ernst and Wehenkel, "Extremely randomized trees", Machine Learning '
    "63, 2006"
)
GOEBEL_2004 = (
    'Goebel and Yan, "Choosing classifiers for decision fusion", 7th International '
    "Conference on Information Fusion, 2004"
)
GRABCZEWSKI_2006 = (
    'Grąbczewski and Jankowski, "Mining for complex models comprising feature '
    'selection and classification", in Feature Extraction, Springer, 2006'
)
HO_1998 = (
    'Ho, "The random subspace method for constructing decision forests", IEEE '
    "Transactions on Pattern Analysis and Machine Intelligence 20, 1998"
)
HUANG_2006 = (
    'Huang, Zhu and Siew, "Extreme learning machine: Theory and applications", '
    "Neurocomputing 70, 2006"
)
JAMES_2003 = (
    'James, "Variance and bias for general loss functions", Machine Learning 51, 2003'
)
KOCEV_2013 = (
    'Kocev, Vens, Struyf and Džeroski, "Tree ensembles for predicting structured '
    'outputs", Pattern Recognition 46, 2013'
)
KOHAVI_1997 = (
    'Kohavi and John, "Wrappers for feature subset selection", Artificial Intelligence '
    "97, 1997"
)
KUNCHEVA_2003 = (
    'Kuncheva and Whitaker, "Measures of diversity in classifier ensembles and their '
    'relationship with the ensemble accuracy", Machine Learning 51, 2003'
)
LI_2020 = (
    'Li, Jamieson, Rostamizadeh, Gonina, Ben-tzur, Hardt, Recht and Talwalkar, "A '
    'system for massively parallel hyperparameter tuning", MLSys 2020'
)
LUNDBERG_2020 = (
    'Lundberg et al., "From local explanations to global understanding with '
    'explainable AI for trees", Nature Machine Intelligence 2, 2020'
)
MARGINEANTU_1997 = 'Margineantu and Dietterich, "Pruning adaptive boosting", ICML, 1997'
MEINSHAUSEN_2010 = (
    'Meinshausen and Bühlmann, "Stability selection", Journal of the Royal Statistical '
    "Society B 72, 2010"
)
NADEAU_2003 = (
    'Nadeau and Bengio, "Inference for the generalization error", Machine Learning 52, '
    "2003"
)
OWEN_1972 = 'Owen, "Multilinear extensions of games", Management Science 18, 1972'
PARDO_2011 = (
    'Pardo, Rodríguez, Díez-Pastor and García-Osorio, "Random oracles for regression '
    'ensembles", Ensembles in Machine Learning Applications, Springer, 2011'
)
PARTRIDGE_1997 = (
    'Partridge and Krzanowski, "Software diversity: practical statistics for its '
    'measurement and exploitation", Information and Software Technology 39, 1997'
)
PLATT_2000 = (
    'Platt, Cristianini and Shawe-Taylor, "Large margin DAGs for multiclass '
    'classification", NIPS, 2000'
)
QUINLAN_1987 = (
    'Quinlan, "Simplifying decision trees", International Journal of Man-Machine '
    "Studies 27, 1987"
)
READ_2008 = (
    'Read, Pfahringer and Holmes, "Multi-label classification using ensembles of '
    'pruned sets", ICDM, 2008'
)
READ_2011 = (
    'Read, Pfahringer, Holmes and Frank, "Classifier chains for multi-label '
    'classification", Machine Learning 85, 2011'
)
RODRIGUEZ_2006 = (
    'Rodríguez, Kuncheva and Alonso, "Rotation forest: A new classifier ensemble '
    'method", IEEE Transactions on Pattern Analysis and Machine Intelligence 28, 2006'
)
ROGERS_2007 = (
    'Rogers, "Ensemble algorithms and feature selection", PhD thesis, University of '
    "Southampton, 2007"
)
ROZZA_2010 = (
    'Rozza, Lombardi, Re, Casiraghi and Valentini, "DDAG K-TIPCAC: an ensemble method '
    'for protein subcellular localization", SUEMA, 2010'
)
SCHAPIRE_2000 = (
    'Schapire and Singer, "BoosTexter: A boosting-based system for text '
    'categorization", Machine Learning 39, 2000'
)
SECHIDIS_2011 = (
    'Sechidis, Tsoumakas and Vlahavas, "On the stratification of multi-label data", '
    "ECML PKDD, 2011"
)
SHAH_2013 = (
    'Shah and Samworth, "Variable selection with error control: another look at '
    'stability selection", Journal of the Royal Statistical Society B 75, 2013'
)
TAMPONI_2015 = (
    'Tamponi, "Dataset analysis for classifier ensemble enhancement", doctoral thesis, '
    "University of Cagliari, 2015"
)
TSAMARDINOS_2018 = (
    'Tsamardinos, Greasidou and Borboudakis, "Bootstrapping the out-of-sample '
    'predictions for efficient and accurate cross-validation", Machine Learning 107, '
    "2018"
)
TSOUMAKAS_2007 = (
    'Tsoumakas and Katakis, "Multi-label classification: An overview", International '
    "Journal of Data Warehousing and Mining 3, 2007"
)
TSOUMAKAS_2008 = (
    'Tsoumakas, Katakis and Vlahavas, "Effective and efficient multilabel '
    'classification in domains with large number of labels", ECML PKDD workshop on '
    "mining multidimensional data, 2008"
)
TSOUMAKAS_2009 = (
    "Tsoumakas, Dimou, Spyromitros, Mezaris, Kompatsiaris and Vlahavas, "
    '"Correlation-based pruning of stacked binary relevance models for multi-label '
    'learning", ECML PKDD workshop on learning from multi-label data, 2009'
)
TSOUMAKAS_2011 = (
    'Tsoumakas, Katakis and Vlahavas, "Random k-labelsets for multilabel '
    'classification", IEEE Transactions on Knowledge and Data Engineering 23, 2011'
)
WITTEN_2005 = (
    'Witten and Frank, "Data Mining: Practical Machine Learning Tools and Techniques", '
    "Morgan Kaufmann, 2005"
)
ZHANG_2007 = (
    'Zhang and Zhou, "ML-KNN: A lazy learning approach to multi-label learning", '
    "Pattern Recognition 40, 2007"
)
ZLIOBAITE_2011 = (
    'Žliobaitė, "Three data partitioning strategies for building local classifiers: an '
    'experiment", Ensembles in Machine Learning Applications, Springer, 2011'
)
ZOR_2010 = (
    'Zor, Windeatt and Yanikoglu, "Bias-variance analysis of ECOC and bagging using '
    'neural nets", SUEMA, 2010'
)


def cite(*works: str) -> str:
    """Return the section of a docstring that lists the works it refers to.

    Parameters
    ----------
    *works : str
        Authors, title, place and year, without the final period; the first work is [1].

    Returns
    -------
    section : str
        The heading and an entry for each work.

    Examples
    --------
    >>> from manyminds.utils.references import BREIMAN_2001, cite
    >>> print(cite(f"{BREIMAN_2001}, section 3"))
    References
    ----------
    .. [1] Breiman, "Random forests", Machine Learning 45, 2001, section 3.
    """
    entries = [
        fill(
            f".. [{number}] {work}.",
            width=84,
            subsequent_indent="   ",
            break_on_hyphens=False,
        )
        for number, work in enumerate(works, 1)
    ]
    return "\n".join(["References", "----------", *entries])
