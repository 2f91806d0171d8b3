"""Curves of a classifier: ROC, precision and recall, and calibration."""

from collections.abc import Sequence

from markupsafe import Markup

from manyminds.serve.charts.lines import Line, draw_lines
from manyminds.serve.measures import ClassCurves

__all__ = ["draw_calibration", "draw_precision_recall", "draw_roc"]


def draw_roc(curves: Sequence[ClassCurves]) -> Markup:
    """Draw the ROC curve of each class.

    Parameters
    ----------
    curves : sequence of ClassCurves

    Returns
    -------
    chart : Markup
    """
    lines = [
        Line(
            f"{one.label} (area {one.roc_area:.3f})",
            one.false_rates,
            one.true_rates,
            [
                f"{one.label}, threshold {threshold:.3g}\n"
                f"true positive rate {true:.3f}\nfalse positive rate {false:.3f}"
                for threshold, true, false in zip(
                    one.roc_thresholds, one.true_rates, one.false_rates
                )
            ],
        )
        for one in curves
    ]
    return draw_lines(
        lines, label="ROC curves", x_label="false positive rate",
        y_label="true positive rate", x_range=(0.0, 1.0), y_range=(0.0, 1.0),
        diagonal=True, height=400.0,
    )  # fmt: skip


def draw_precision_recall(curves: Sequence[ClassCurves]) -> Markup:
    """Draw the curve of precision over recall of each class.

    Parameters
    ----------
    curves : sequence of ClassCurves

    Returns
    -------
    chart : Markup
    """
    lines = [
        Line(
            f"{one.label} (mean {one.average_precision:.3f})",
            one.recalls,
            one.precisions,
            [
                f"{one.label}, threshold {threshold:.3g}\n"
                f"precision {precision:.3f}\nrecall {recall:.3f}"
                for threshold, precision, recall in zip(
                    one.pr_thresholds, one.precisions, one.recalls
                )
            ],
        )
        for one in curves
    ]
    return draw_lines(
        lines, label="Precision and recall", x_label="recall", y_label="precision",
        x_range=(0.0, 1.0), y_range=(0.0, 1.0), height=400.0,
    )  # fmt: skip


def draw_calibration(
    predicted: Sequence[float],
    observed: Sequence[float],
    n_rows: Sequence[int],
    *,
    x_label: str,
) -> Markup:
    """Draw observed frequencies over predicted probabilities.

    Parameters
    ----------
    predicted, observed : sequence of float
        Mean probability and frequency of each bin.
    n_rows : sequence of int
        Rows of each bin.
    x_label : str
        Which probability it is.

    Returns
    -------
    chart : Markup

    Examples
    --------
    >>> from manyminds.serve.charts import draw_calibration
    >>> chart = draw_calibration([0.2], [0.25], [8], x_label="probability of yes")
    >>> "8 rows" in chart
    True
    """
    tips = [
        f"predicted {p:.3f}\nobserved {o:.3f}\n{n:,} rows"
        for p, o, n in zip(predicted, observed, n_rows)
    ]
    return draw_lines(
        [Line("calibration", predicted, observed, tips)],
        label="Calibration", x_label=x_label, y_label="observed frequency",
        x_range=(0.0, 1.0), y_range=(0.0, 1.0), diagonal=True, height=400.0,
    )  # fmt: skip
