"""Serve the predictions of model.onnx; needs fastapi, onnxruntime and uvicorn.

Run it by: uvicorn app:app
"""

import os
from typing import Any

import numpy as np
import onnxruntime
from fastapi import FastAPI, HTTPException

session = onnxruntime.InferenceSession(os.environ.get("MODEL", "model.onnx"))
app = FastAPI(title="Predictions")


@app.post("/predict")
def predict(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Predict rows, each a mapping of column to value; null is a missing value."""
    try:
        columns = {one.name: read_column(one, rows) for one in session.get_inputs()}
    except (KeyError, TypeError, ValueError) as error:
        raise HTTPException(422, f"Cannot read the rows: {error!r}") from error
    names = [one.name for one in session.get_outputs()]
    made = [values.tolist() for values in session.run(None, columns)]
    return [dict(zip(names, values)) for values in zip(*made)]


def read_column(column: Any, rows: list[dict[str, Any]]) -> np.ndarray:
    """Return a column of shape (n_rows, 1): strings or doubles."""
    values = [row[column.name] for row in rows]
    if column.type == "tensor(string)":
        texts = ["" if value is None else str(value) for value in values]
        return np.array(texts, dtype=object)[:, np.newaxis]
    return np.array(values, dtype=np.float64)[:, np.newaxis]
