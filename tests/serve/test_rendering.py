"""Pages are rendered with escaped text and safe addresses."""

import pytest

pytest.importorskip("starlette")
from manyminds.serve.rendering import (
    format_date,
    format_size,
    make_templates,
    make_url,
)


def test_text_is_escaped_and_control_characters_are_shown():
    template = make_templates().from_string("<p>{{ name }}</p>")
    shown = template.render(name="<script>\x1b[2J&")
    assert shown == r"<p>&lt;script&gt;\x1b[2J&amp;</p>"


def test_filters():
    template = make_templates().from_string(
        "{{ 1234567|count }} {{ 0.125|share }} {{ 0.5|value }} {{ 0.01|time }}"
    )
    assert template.render() == "1,234,567 12.5% 0.5000 10 ms"


@pytest.mark.parametrize(
    ("n_bytes", "shown"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1500, "1.5 kB"),
        (2.5e6, "2.5 MB"),
        (3e12, "3000.0 GB"),
    ],
)
def test_sizes(n_bytes, shown):
    assert format_size(n_bytes) == shown


def test_addresses_are_escaped():
    assert make_url("/search/a b/ü", page=1) == "/search/a%20b/%C3%BC?page=1"
    assert make_url("/table", table='x"<&.csv') == "/table?table=x%22%3C%26.csv"
    assert make_url("/x", absent=None) == "/x"


def test_dates_are_local():
    assert len(format_date(0.0)) == len("1970-01-01 00:00")
