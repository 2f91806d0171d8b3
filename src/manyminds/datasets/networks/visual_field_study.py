"""A made-up study of visual fields and retinas, with labels in doubt."""

import numpy as np
import pandas as pd
from sklearn.utils import Bunch, check_random_state

from manyminds.datasets.generators._drawing import check_number, check_option
from manyminds.datasets.generators._paragraphs import document_generator

N_SECTORS = 6
# Arcs between the sectors of a healthy retina: each follows from its neighbor.
_RETINA_ARCS = tuple((f"retina_{s}", f"retina_{s + 1}") for s in range(1, N_SECTORS))
EXPERT_ARCS = tuple((f"retina_{s}", f"field_{s}") for s in range(1, N_SECTORS + 1))
# Sizes of the published study: subjects, and for the longitudinal one their visits.
_SIZES = {"cross_sectional": (102, 78), "longitudinal": (19, 43)}
_VISITS = {"longitudinal": (155, 474)}
# What follows is our choice: with it, networks reach about the published scores.
_SEVERITY = 1.5, 3.5  # of patients of the cross-sectional study
_START, _RATE = (0.4, 1.4), (1.2, 3.4)  # of converters: at first, and what is added
_DAMAGE = np.array([0.5, 1.0, 0.4, 0.4, 0.9, 0.5])  # of the sectors
_FIELD_DAMAGE, _RETINA_DAMAGE = 0.7, 0.4
_OWN = 0.35  # squared, the share of the variance that belongs to the subject
_TIRED_SHARE, _TIRED = 0.18, 2.3


@document_generator
def make_visual_field_study(
    kind="cross_sectional", *, label_noise=0.0, random_state=None
):
    """Draw a study of early glaucoma: six sectors of the visual field and the retina.

    All of it is made up; only the numbers of subjects and visits are those of a
    published study [1]_, whose data are private. Retinal sectors follow each other in
    a chain, and each sector of the field follows its sector of the retina. Disease
    lowers both, first in the arcuate sectors 2 and 5. In the longitudinal study a
    converter's disease progresses from visit to visit, subjects differ in their
    general sensitivity, and at some visits a tired subject sees less everywhere:
    that is what a hidden class may find instead of the disease.

    Parameters
    ----------
    kind : {"cross_sectional", "longitudinal"}, default="cross_sectional"
        102 controls and 78 patients, once each; or 19 controls with 155 visits and 43
        converters with 474.
    label_noise : float, default=0.0
        Fraction of the patients whose label says control.
    {random_state}

    Returns
    -------
    study : Bunch
        With the attributes

        - ``data``: DataFrame with the columns ``field_1`` to ``field_6`` and
          ``retina_1`` to ``retina_6``;
        - ``target``: labels, 1 for patients and converters;
        - ``disease``: the same without label noise;
        - ``subject``: number of each row's subject;
        - ``visit``: number of each row's visit;
        - ``arcs``: arcs of the healthy columns; ``expert_arcs``: those that experts
          know, from the retina to the field.

    References
    ----------
    .. [1] Ceccon, Garway-Heath, Crabb and Tucker, "Combining expertise-driven and
       semi-supervised Bayesian networks for classification of early glaucoma", 2010.

    Examples
    --------
    >>> from manyminds.datasets import make_visual_field_study
    >>> study = make_visual_field_study("longitudinal", random_state=0)
    >>> print(study.data.shape, study.target.sum(), len(set(study.subject)))
    (629, 12) 474 62
    """
    check_option("kind", kind, list(_SIZES))
    share = check_number("label_noise", label_noise, high=1.0)
    rng = check_random_state(random_state)
    n_visits = _draw_visits(kind, rng)
    subject = np.repeat(np.arange(len(n_visits)), n_visits)
    visit = np.concatenate([np.arange(n) for n in n_visits])
    disease = (subject >= _SIZES[kind][0]).astype(np.intp)
    severity = _draw_severity(kind, subject, visit, n_visits, disease, rng)
    X = _draw_columns(kind, subject, severity, rng)
    target = disease.copy()
    patients = np.flatnonzero(disease == 1)
    target[rng.permutation(patients)[: round(share * len(patients))]] = 0
    names = [f"{part}_{s}" for part in ("field", "retina") for s in range(1, 7)]
    return Bunch(
        data=pd.DataFrame(X, columns=names), target=target, disease=disease,
        subject=subject, visit=visit, arcs=[*_RETINA_ARCS, *EXPERT_ARCS],
        expert_arcs=list(EXPERT_ARCS),
    )  # fmt: skip


def _draw_visits(kind, rng):
    """Return the number of visits of each subject: at least three, if several."""
    sizes = _SIZES[kind]
    if kind == "cross_sectional":
        return np.ones(sum(sizes), dtype=np.intp)
    visits = []
    for n_subjects, n_rows in zip(sizes, _VISITS[kind]):
        extra = rng.multinomial(
            n_rows - 3 * n_subjects, [1.0 / n_subjects] * n_subjects
        )
        visits.append(3 + extra)
    return np.concatenate(visits)


def _draw_severity(kind, subject, visit, n_visits, disease, rng):
    """Return the severity of the disease in each row; 0 for controls."""
    if kind == "cross_sectional":
        return disease * rng.uniform(*_SEVERITY, size=len(subject))
    rate = rng.uniform(*_RATE, size=len(n_visits))
    start = rng.uniform(*_START, size=len(n_visits))
    elapsed = visit / np.maximum(n_visits[subject] - 1, 1)
    return disease * (start[subject] + rate[subject] * elapsed)


def _draw_columns(kind, subject, severity, rng):
    """Draw fields and retinas."""
    shape, repeats = (len(subject), 2 * N_SECTORS), kind == "longitudinal"
    new = rng.normal(size=shape)
    tired = np.zeros(len(subject))
    if repeats:  # some of the variation between controls belongs to the subject
        own = rng.normal(size=(subject.max() + 1, 2 * N_SECTORS))[subject]
        new = np.sqrt(1.0 - _OWN**2) * new + _OWN * own
        tired = _TIRED * (rng.uniform(size=len(subject)) < _TIRED_SHARE)
    retina = np.empty((len(subject), N_SECTORS))
    for s in range(N_SECTORS):
        before = 0.8 * retina[:, s - 1] if s > 0 else 0.0
        retina[:, s] = before + 0.6 * new[:, s]
    retina -= _RETINA_DAMAGE * _DAMAGE * severity[:, None]
    field = 0.7 * retina + 0.7 * new[:, N_SECTORS:] - tired[:, None]
    field -= _FIELD_DAMAGE * _DAMAGE * severity[:, None]
    return np.column_stack([30.0 + 2.0 * field, retina])
