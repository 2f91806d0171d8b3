"""Use the model: predict a file, download everything, copy lines that do the same."""

import secrets
import shlex
import shutil
import time
from pathlib import Path
from typing import Any

import pandas as pd
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from manyminds.persistence import TableModel
from manyminds.serve.jobs.job import Job
from manyminds.serve.jobs.outcome import read_notes
from manyminds.serve.jobs.queue import LOG
from manyminds.serve.pages.result import load_finished
from manyminds.serve.rendering import make_url, render
from manyminds.serve.results import FILES
from manyminds.serve.state import ServeState, get_state
from manyminds.serve.training_rows import MODEL, load_search_model
from manyminds.serve.uploads import receive_upload
from manyminds.serve.waiting import wait_for_model
from manyminds.utils.errors import MissingFileError

__all__ = ["routes"]

LEVELS = ("0.8", "0.9", "0.95")
N_PREVIEW = 20
KEPT_SECONDS = 3600.0  # of files that no job knows yet
PREDICTIONS = "predictions.csv"


async def show_model(request: Request) -> Response:
    """Show the forms, the downloads and the lines to copy."""
    state, path = get_state(request), request.path_params["folder"]
    folder = state.folder.find_search(path)
    if waiting := wait_for_model(request, state, folder):
        return waiting
    search = await run_in_threadpool(load_finished, state, folder)
    model = await run_in_threadpool(load_search_model, state, folder)
    files = [
        (name, what, (folder / name).stat().st_size)
        for name, what in FILES.items()
        if (folder / name).is_file()
    ]
    return render(
        request,
        "model.html.jinja",
        folder=path,
        s=search.summary,
        model=model,
        files=files,
        tables=[one.path for one in state.folder.list_tables()],
        levels=LEVELS if model.calibration is not None else (),
        **_write_lines(state, folder, model),
    )


async def predict_upload(request: Request) -> Response:
    """Predict a file that is uploaded."""
    state, path = get_state(request), request.path_params["folder"]
    folder = state.folder.find_search(path)
    upload = await receive_upload(request)
    place = state.folder.make_hidden("predictions", secrets.token_hex(8))
    file = upload.move(place / upload.name)
    job = await run_in_threadpool(
        _add_job, state, folder, file, upload.name, place, upload.fields
    )
    return RedirectResponse(make_url(f"/prediction/{job.id}"), 303)


async def predict_table(request: Request) -> Response:
    """Predict a table of the folder."""
    state, path = get_state(request), request.path_params["folder"]
    folder = state.folder.find_search(path)
    form = {key: str(value) for key, value in (await request.form()).items()}
    file = state.folder.find_file(form.get("table", ""))
    place = state.folder.make_hidden("predictions", secrets.token_hex(8))
    job = await run_in_threadpool(_add_job, state, folder, file, file.name, place, form)
    return RedirectResponse(make_url(f"/prediction/{job.id}"), 303)


async def show_prediction(request: Request) -> Response:
    """Show the predictions of a file, or that they are being made."""
    state = get_state(request)
    job = await run_in_threadpool(_find_job, state, request.path_params["job"])
    details = job.details or {}
    notes, score = _read_log(state, job)
    preview = None
    if job.state == "done":
        preview = await run_in_threadpool(_read_preview, _find_output(job))
    return render(
        request,
        "prediction.html.jinja",
        job=job,
        folder=details.get("folder", ""),
        name=details.get("name", ""),
        notes=notes,
        score=score,
        preview=preview,
        n_ahead=0,
        n_preview=N_PREVIEW,
    )


async def download_prediction(request: Request) -> Response:
    """Send the predictions of a file."""
    state = get_state(request)
    job = await run_in_threadpool(_find_job, state, request.path_params["job"])
    file = _find_output(job)
    if not file.is_file():
        raise MissingFileError("There are no predictions yet.")
    stem = (job.details or {}).get("name", "table").partition(".")[0]
    return FileResponse(
        file, filename=f"{stem}-predictions.csv", media_type="application/octet-stream"
    )


routes = [
    Route("/search/{folder:path}/model", show_model, methods=["GET"]),
    Route("/search/{folder:path}/predict", predict_upload, methods=["POST"]),
    Route("/search/{folder:path}/predict-table", predict_table, methods=["POST"]),
    Route("/prediction/{job}", show_prediction),
    Route("/prediction/{job}/download", download_prediction),
]


def _add_job(
    state: ServeState,
    folder: Path,
    file: Path,
    name: str,
    place: Path,
    fields: dict[str, str],
) -> Job:
    """Start the command that predicts a file."""
    out = place / PREDICTIONS
    words = ["predict", str(folder / MODEL), str(file), "--out", str(out)]
    level = fields.get("interval", "")
    if level in LEVELS:
        words += ["--interval", level]
        words += ["--by-class"] if fields.get("by_class") else []
    words += ["--flag-unlike"] if fields.get("flag_unlike") else []
    details = {"folder": state.folder.name_of(folder), "name": name}
    job = state.jobs.add("predict", words, f"Predict {name}", details=details)
    _remove_old(state)
    return job


def _remove_old(state: ServeState) -> None:
    """Remove files of predictions whose jobs are not listed any more."""
    jobs = [one for one in state.jobs.read_all() if one.kind == "predict"]
    known = {_find_output(one).parent.name for one in jobs}
    for place in state.folder.make_hidden("predictions").iterdir():
        is_old = time.time() - place.stat().st_mtime > KEPT_SECONDS
        if is_old and place.name not in known:
            shutil.rmtree(place, ignore_errors=True)


def _find_job(state: ServeState, name: str) -> Job:
    state.jobs.tick()
    job = state.jobs.find(name)
    if job.kind != "predict":
        raise MissingFileError("There is no such prediction.")
    return job


def _find_output(job: Job) -> Path:
    return Path(job.words[job.words.index("--out") + 1])


def _read_log(state: ServeState, job: Job) -> tuple[list[str], str]:
    """Return the warnings of the command, and the sentence with the score."""
    lines = read_notes(state.jobs.path_of(job, LOG))
    notes = [one.partition(": ")[2] for one in lines if one.startswith("Note: ")]
    marks = (" of these ", " of this row: ")
    score = next((one for one in lines if any(mark in one for mark in marks)), "")
    return notes, score


def _read_preview(file: Path) -> dict[str, Any]:
    """Return the first predictions and the number of all."""
    frame = pd.read_csv(file, dtype=str, keep_default_na=False, nrows=N_PREVIEW)
    with open(file, "rb") as lines:
        blocks = iter(lambda: lines.read(1 << 20), b"")
        n_rows = sum(block.count(b"\n") for block in blocks)
    return {
        "columns": list(frame.columns),
        "rows": [[_round(text) for text in row] for row in frame.to_numpy(object)],
        "n_rows": max(n_rows - 1, len(frame)),
    }


def _round(text: str) -> str:
    """Shorten a number to at most five digits after the point; other text stays."""
    try:
        value = float(text) if "." in text else None
    except ValueError:
        return text
    return text if value is None else f"{round(value, 5):.6g}"


def _write_lines(state: ServeState, folder: Path, model: TableModel) -> dict[str, Any]:
    """Return the lines of Python and of the shell that predict a file."""
    name = state.folder.name_of(folder)
    read = '"new.csv", model.columns'
    if model.columns is None:  # of a sparse table
        read = '"new.svm", n_features=model.n_features'
    python = "\n".join(
        [
            "from manyminds.datasets import read_features",
            "from manyminds.persistence import load_model",
            "",
            f"model = load_model({name!r})",
            f"rows = read_features({read})",
            "made = model.predict_table(rows)",
        ]
    )
    if model.calibration is not None and model.task == "regression":
        python += "\nlow, high = model.predict_interval(rows, 0.9)"
    words = ["manyminds", "predict", name, "new.csv", "--out", "predictions.csv"]
    root = str(state.folder.root)
    return {"python": python, "shell": shlex.join(words), "root": root}
