from markupsafe import Markup

from manyminds.serve.charts.elements import element, format_tick, join, shorten


def test_text_and_attributes_are_escaped():
    made = element("text", "<script>&", aria_label='"><script>', x=1.239)
    expected = (
        '<text aria-label="&#34;&gt;&lt;script&gt;" x="1.24">&lt;script&gt;&amp;</text>'
    )
    assert made == expected


def test_markup_is_kept_and_none_left_out():
    inner = element("b", "x")
    assert element("g", inner, class_=None) == Markup("<g><b>x</b></g>")
    assert join([inner, inner]) == "<b>x</b><b>x</b>"


def test_whole_floats_have_no_decimals():
    assert element("rect", x=100.0, y=0.0, width=10) == (
        '<rect x="100" y="0" width="10"></rect>'
    )


def test_texts_are_shortened_to_the_limit():
    assert shorten("abcdef", 6) == "abcdef"
    assert shorten("abcdefg", 6) == "abcde…"


def test_ticks_have_units():
    assert [format_tick(v) for v in (0.1 + 0.2, 2e6, 9999.0, 15000.0, 3e9, -2e6)] == [
        "0.3", "2M", "9999", "15k", "3G", "-2M",
    ]  # fmt: skip
