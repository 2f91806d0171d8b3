"""Curves of a classifier: ROC, precision and recall, and calibration."""

from collections.abc import Sequence

from markupsafe import Markup

from manyminds.reports.search.prediction_errors import find_calibration_limit
from manyminds.reports.search.summary_types import CalibrationBin, Curve
from manyminds.serve.charts.lines import Line, draw_lines
from manyminds.utils.text import format_count

__all__ = ["draw_calibration", "draw_precision_recall", "draw_roc"]


def draw_roc(curves: Sequence[Curve]) -> Markup:
    """Draw the ROC curve of each class."""
    names = ("ROC curves", "false positive rate", "true positive rate", "area")
    return _draw_curves(curves, *names, diagonal=True)


def draw_precision_recall(curves: Sequence[Curve]) -> Markup:
    """Draw the curve of precision over recall of each class."""
    names = ("Precision and recall", "recall", "precision", "mean")
    return _draw_curves(curves, *names)


def draw_calibration(bins: Sequence[CalibrationBin], *, x_label: str) -> Markup:
    """Draw observed frequencies over predicted probabilities.

    Parameters
    ----------
    bins : sequence of CalibrationBin
    x_label : str
        Which probability it is.

    Returns
    -------
    chart : Markup

    Examples
    --------
    >>> from manyminds.reports.search.summary_types import CalibrationBin
    >>> from manyminds.serve.charts import draw_calibration
    >>> bins = [CalibrationBin(predicted=0.2, observed=0.25, n_rows=8)]
    >>> "8 rows" in draw_calibration(bins, x_label="probability of yes")
    True
    """
    tips = [
        f"predicted {one.predicted:.3f}\nobserved {one.observed:.3f}\n"
        f"{format_count(one.n_rows, 'row')}"
        for one in bins
    ]
    end = find_calibration_limit(bins)
    predicted, observed = zip(*((one.predicted, one.observed) for one in bins))
    return draw_lines(
        [Line("calibration", predicted, observed, tips)],
        label="Calibration", x_label=x_label, y_label="observed frequency",
        x_range=(0.0, end), y_range=(0.0, end), diagonal=True, height=400.0,
    )  # fmt: skip


def _draw_curves(
    curves: Sequence[Curve],
    label: str,
    x_label: str,
    y_label: str,
    area: str,
    *,
    diagonal: bool = False,
) -> Markup:
    """Draw curves of classes, whose points show the threshold."""
    lines = [
        Line(
            f"{one.label} ({area} {one.area:.3f})",
            one.x,
            one.y,
            [
                f"{one.label}, threshold {threshold:.3g}\n"
                f"{y_label} {y:.3f}\n{x_label} {x:.3f}"
                for threshold, x, y in zip(one.thresholds, one.x, one.y)
            ],
        )
        for one in curves
    ]
    return draw_lines(
        lines, label=label, x_label=x_label, y_label=y_label, x_range=(0.0, 1.0),
        y_range=(0.0, 1.0), diagonal=diagonal, height=400.0,
    )  # fmt: skip
