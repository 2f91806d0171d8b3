"""Tables and plans of the reproduction of Markov blankets by ACE."""

import numpy as np
import pytest

from manyminds.feature_selection import blanket_distance
from manyminds.reproductions.ensemble_markov_blankets.plan import (
    PRINTER,
    REPRODUCTION,
)


def test_averages_of_the_printed_tables():
    # Of the paper: its cells agree with its averages.
    averages = {
        (0, "linear"): {"ACE": 0.06, "CFSBestFirst": 0.33, "MMPC": 0.33},
        (0, "product"): {"ACE": 0.11, "CFSBestFirst": 0.67, "MMPC": 0.77},
        (1, "linear"): {"ACE": 0.11, "CFSBestFirst": 0.22, "MMPC": 0.44},
        (1, "product"): {"ACE": 0.56, "CFSBestFirst": 1.01, "MMPC": 1.01},
        (2, "Prob"): {"ACE": 0.167, "FCBF": 0.291, "MMPC": 0.289, "SVM(MB)": 0.111},
    }
    for (part, word), printed in averages.items():
        cells = REPRODUCTION.parts[part].table.cells
        for method, mean in printed.items():
            found = [
                value.mean
                for (name, who), value in cells.items()
                if word in name and who == method
            ]
            assert np.mean(found) == pytest.approx(mean, abs=0.008)


def test_printed_distances_fit_two_of_eight_or_parents_of_75():
    # All numbers of tables 2 and 3 are distances for a blanket of two (or of six) of
    # eight candidates, those of table 4 for one or three of 75.
    small = _list_distances(8, 2)
    for part in REPRODUCTION.parts[:2]:
        for value in part.table.cells.values():
            assert np.abs(small - value.mean).min() < 0.006
    for (name, _), value in PRINTER.table.cells.items():
        possible = _list_distances(75, 1 if name == "Prob1" else 3)
        assert np.abs(possible - value.mean).min() < 0.006


def _list_distances(n, size):
    return np.array(
        [
            blanket_distance([*range(k), *range(size, size + j)], range(size), n)
            for k in range(size + 1)
            for j in range(n - size + 1)
        ]
    )


def test_quick_and_full_outlines():
    for part in REPRODUCTION.parts:
        quick, full = part.outline(quick=True), part.outline()
        assert 0 < len(quick) < len(full)
        assert full.name == part.name
        if part.table is not None:
            places = {
                (source.name, method.name)
                for source in full.datasets
                for method in full.methods
            }
            assert places > set(part.table.cells)
