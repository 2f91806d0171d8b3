"""Read the trials of a study that another process is making, without touching it."""

import json
import sqlite3
from os import PathLike
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from manyminds.search.study.trial_record import CLAIM, RESULT, TrialRecord, read_record

__all__ = ["StoredTrials", "read_trials"]

QUERY = """
SELECT t.trial_id, t.number, t.state, a.key, a.value_json, v.value
FROM trials t
JOIN trial_user_attributes a ON a.trial_id = t.trial_id AND a.key IN (?, ?)
LEFT JOIN trial_values v ON v.trial_id = t.trial_id
ORDER BY t.number
"""


class StoredTrials(list[TrialRecord]):
    """Trials in their order, without duplicates.

    Attributes
    ----------
    owners : dict of int to str
        Process of each trial, by its number, as `manyminds.utils.leases` names it.
    """

    def __init__(self, records: list[TrialRecord], owners: dict[int, str]) -> None:
        super().__init__(records)
        self.owners = owners


def read_trials(path: str | PathLike[str]) -> StoredTrials:
    """Read the trials of a SQLite file while a search may write to it.

    Parameters
    ----------
    path : path
        ``study.sqlite`` of the folder of a search.

    Returns
    -------
    trials : StoredTrials
        Empty if there is no file, or no table in it yet.
    """
    if not Path(path).is_file():
        return StoredTrials([], {})
    address = f"{Path(path).absolute().as_uri()}?mode=ro"
    try:
        connection = sqlite3.connect(address, uri=True, timeout=2.0)
        try:
            rows = connection.execute(QUERY, (CLAIM, RESULT)).fetchall()
        finally:
            connection.close()
    except sqlite3.Error:  # no table yet, or locked for long: the next look finds them
        return StoredTrials([], {})
    trials: dict[int, Any] = {}
    for place, number, state, key, content, value in rows:
        trial = trials.setdefault(
            place,
            SimpleNamespace(
                number=number,
                state=SimpleNamespace(name=state),
                value=value,
                user_attrs={},
            ),
        )
        trial.user_attrs[key] = json.loads(content)
    claimed = [one for one in trials.values() if CLAIM in one.user_attrs]
    records = [read_record(one) for one in claimed]
    owners = {one.number: one.user_attrs[CLAIM].get("owner", "") for one in claimed}
    return StoredTrials([one for one in records if one.state != "duplicate"], owners)
