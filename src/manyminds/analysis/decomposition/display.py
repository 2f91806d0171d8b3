"""Plots of bias and variance: bars of learners, curves over a parameter."""

from numbers import Real

import numpy as np
from sklearn.base import clone

from manyminds.analysis._checks import check_option
from manyminds.analysis._plotting import AXES, new_axes
from manyminds.analysis.decomposition.measuring import bias_variance
from manyminds.analysis.decomposition.terms import KINDS
from manyminds.utils.docstrings import fill_docstring

STYLES = ("stacked", "paired", "curves")
COLORS = {  # Okabe and Ito's, which color-blind readers can distinguish
    "error": "#000000",
    "noise": "#999999",
    "systematic": "#0072B2",
    "variance": "#E69F00",
}
MARKERS = {"error": "o", "noise": "", "systematic": "s", "variance": "^"}


_document = fill_docstring(
    plot_options="""
style : {"auto", "stacked", "paired", "curves"}, default="auto"
    See `plot`.
kind : str, default="james"
    See `plot`.
ax : matplotlib Axes, default=None
    Axes to draw on; by default those of a new figure.
"""
)


@fill_docstring(axes=AXES)
class BiasVarianceDisplay:
    """Visualization of the bias-variance decomposition of learners.

    It is created by `from_results`, `from_estimators` or `from_parameter`; ``plot``
    draws another style.

    Parameters
    ----------
    results : dict of str or number to BiasVariance
        Results by the name of the learner or the value of the parameter.
    parameter_name : str, default=None
        Name of the parameter.

    Attributes
    ----------
    {axes}

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from manyminds.analysis import BiasVarianceDisplay, decompose_votes
    >>> results = {
    ...     "steady": decompose_votes([[0.8, 0.2]], [[0, 50]]),
    ...     "shaky": decompose_votes([[0.8, 0.2]], [[30, 20]]),
    ... }
    >>> display = BiasVarianceDisplay.from_results(results)
    >>> display.ax_.get_ylabel()
    'error rate (%)'
    """

    def __init__(self, results, *, parameter_name=None):
        self.results = results
        self.parameter_name = parameter_name

    @classmethod
    def from_results(
        cls, results, *, style="auto", kind="james", parameter_name=None, ax=None
    ):
        """Plot results.

        Parameters
        ----------
        results : dict of str or number to BiasVariance
            Results by the name of the learner, or by the value of a parameter.
        style, kind, parameter_name, ax
            See `plot` and the class.

        Returns
        -------
        display : BiasVarianceDisplay
        """
        if not results:
            raise ValueError("results must not be empty.")
        losses = {result.loss for result in results.values()}
        if len(losses) > 1:
            raise ValueError(
                f"results must have the same loss; got {', '.join(sorted(losses))}."
            )
        display = cls(dict(results), parameter_name=parameter_name)
        return display.plot(style=style, kind=kind, ax=ax)

    @classmethod
    @_document
    def from_estimators(
        cls, estimators, X, y, *, style="auto", kind="james", ax=None, **options
    ):
        """Compute and plot the decomposition of learners.

        Parameters
        ----------
        estimators : dict of str to estimator
            Learners by name.
        X, y : array-like
            See `bias_variance`.
        {plot_options}
        **options : dict
            Passed on to `bias_variance`. With an integer ``random_state``, all learners
            are trained on the same samples.

        Returns
        -------
        display : BiasVarianceDisplay
        """
        results = {
            name: bias_variance(estimator, X, y, **options)
            for name, estimator in estimators.items()
        }
        return cls.from_results(results, style=style, kind=kind, ax=ax)

    @classmethod
    @_document
    def from_parameter(
        cls,
        estimator,
        X,
        y,
        parameter_name,
        values,
        *,
        style="auto",
        kind="james",
        ax=None,
        **options,
    ):
        """Compute and plot the decomposition of a learner over values of a parameter.

        Parameters
        ----------
        estimator : estimator
            Learner.
        X, y : array-like
            See `bias_variance`.
        parameter_name : str
            Parameter of the learner.
        values : sequence
            Values of the parameter.
        {plot_options}
        **options : dict
            Passed on to `bias_variance`.

        Returns
        -------
        display : BiasVarianceDisplay
        """
        results = {}
        for value in values:
            model = clone(estimator).set_params(**{parameter_name: value})
            results[value] = bias_variance(model, X, y, **options)
        return cls.from_results(
            results, style=style, kind=kind, parameter_name=parameter_name, ax=ax
        )

    def plot(self, *, style="auto", kind="james", ax=None):
        """Draw a plot.

        Parameters
        ----------
        style : {"auto", "stacked", "paired", "curves"}, default="auto"
            - "stacked": stacked bars of the terms, negative ones below zero, and a
              marker at their sum, the error.
            - "paired": bias next to its effect, variance next to its effect.
            - "curves": error and terms over a parameter; results have numbers as keys.
            - "auto": "curves" if all keys are numbers, and otherwise "stacked".
        kind : str, default="james"
            Decomposition, see `BiasVariance.terms`; "paired" requires "james".
        ax : matplotlib Axes, default=None
            Axes to draw on; by default those of a new figure.

        Returns
        -------
        display : BiasVarianceDisplay
            The display itself.
        """
        check_option("style", style, ("auto", *STYLES))
        check_option("kind", kind, KINDS)
        numeric = all(
            isinstance(key, Real) and not isinstance(key, bool) for key in self.results
        )
        if style == "auto":
            style = "curves" if numeric and len(self.results) > 1 else "stacked"
        if style == "curves" and not numeric:
            raise ValueError("style='curves' requires results with numbers as keys.")
        if style == "paired" and kind != "james":
            raise ValueError(f"style='paired' requires kind='james'; got {kind!r}.")
        self.ax_ = (
            new_axes("BiasVarianceDisplay", figsize=(7.4, 4.6)) if ax is None else ax
        )
        self.figure_ = self.ax_.figure
        _DRAWERS[style](self, kind)
        self._label(style, kind)
        return self

    def _label(self, style, kind):
        loss = next(iter(self.results.values())).loss
        share = loss == "zero_one"
        self.ax_.set_ylabel("error rate (%)" if share else f"{loss} loss")
        if style == "curves":
            self.ax_.set_xlabel(self.parameter_name or "parameter")
        elif self.parameter_name:
            self.ax_.set_xlabel(self.parameter_name)
        names = " and ".join(name.capitalize() for name in kind.split("_"))
        self.ax_.set_title(f"Decomposition of the error ({names})")
        self.ax_.axhline(0.0, color="#404040", linewidth=0.8)
        self.ax_.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _draw_stacked(display, kind):
    ax, rows = display.ax_, _average_terms(display.results, kind)
    places = np.arange(len(rows))
    above, below = np.zeros(len(rows)), np.zeros(len(rows))
    for name in rows[0]:
        height = np.array([row[name] for row in rows])
        start = np.where(height >= 0.0, above, below)
        look = {"color": _color(name), "edgecolor": "white", "linewidth": 0.6}
        ax.bar(places, height, 0.62, bottom=start, label=_words(name), **look)
        above += np.maximum(height, 0.0)
        below += np.minimum(height, 0.0)
    error = _average(display.results, "error")
    ax.plot(places, error, "D", color="black", mec="white", ms=7, label="error")
    _name_places(ax, display.results)


def _draw_paired(display, kind):
    ax, results = display.ax_, display.results
    places = np.arange(len(results))
    pairs = (("bias", "systematic_effect"), ("variance", "variance_effect"))
    for k, (cause, effect) in enumerate(pairs):
        color = _color(effect)
        looks = {cause: {"color": _lighten(color), "edgecolor": color},
                 effect: {"color": color, "edgecolor": color}}  # fmt: skip
        for j, (name, look) in enumerate(looks.items()):
            at = places + 0.2 * (2 * k + j - 1.5)
            ax.bar(at, _average(results, name), 0.18, label=_words(name), **look)
    _name_places(ax, results)


def _draw_curves(display, kind):
    ax = display.ax_
    results = dict(sorted(display.results.items()))
    rows, values = _average_terms(results, kind), list(results)
    curves = {name: [row[name] for row in rows] for name in rows[0]}
    for name, curve in ({"error": _average(results, "error")} | curves).items():
        role = _role(name)
        dashed = "--" if role == "noise" else "-"
        look = {"color": COLORS[role], "marker": MARKERS[role], "linestyle": dashed}
        ax.plot(values, curve, label=_words(name), markersize=5, **look)
    ax.grid(color="#808080", alpha=0.25, linewidth=0.6)


_DRAWERS = {
    "stacked": _draw_stacked,
    "paired": _draw_paired,
    "curves": _draw_curves,
}


def _average_terms(results, kind):
    """Return the mean terms of each result, in percent under 0/1 loss."""
    return [
        {
            name: _scale(result) * float(term.mean())
            for name, term in result.terms(kind).items()
        }
        for result in results.values()
    ]


def _average(results, name):
    return np.array([_scale(one) * one.mean[name] for one in results.values()])


def _scale(result):
    return 100.0 if result.loss == "zero_one" else 1.0


def _role(name):
    if name == "error":
        return name
    if "noise" in name:
        return "noise"
    return "variance" if "variance" in name else "systematic"


def _color(name):
    return COLORS[_role(name)]


def _lighten(color):
    """Mix a color with white; unlike a transparent one, it hides the grid."""
    from matplotlib.colors import to_rgb

    return tuple(1.0 - 0.35 * (1.0 - part) for part in to_rgb(color))


def _words(name):
    return name.replace("_", " ")


def _name_places(ax, results):
    names = [str(name) for name in results]
    ax.set_xticks(np.arange(len(names)), names)
    width = max(len(line) for name in names for line in name.split("\n"))
    if width * len(names) > 60:
        ax.tick_params("x", rotation=30)
    ax.grid(axis="y", color="#808080", alpha=0.25, linewidth=0.6)
    ax.set_axisbelow(True)
