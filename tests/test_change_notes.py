"""Change notes have names that towncrier collects."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_note_has_a_known_kind_and_one_paragraph():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    kinds = {kind["directory"] for kind in settings["tool"]["towncrier"]["type"]}
    for note in (ROOT / "changes").iterdir():
        if note.name == "README.md":
            continue
        topic, kind, suffix = note.name.split(".")
        assert kind in kinds and suffix == "md", note.name
        assert topic.isdigit() or topic.startswith("+"), note.name
        text = note.read_text(encoding="utf-8").strip()
        assert text and "\n\n" not in text, note.name
