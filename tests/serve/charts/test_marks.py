from manyminds.serve.charts.marks import mark


def test_only_the_first_mark_is_in_the_tab_order():
    first = mark("circle", "one", kind="dot", is_first=True)
    other = mark("circle", "two", kind="dot")
    assert 'tabindex="0"' in first and 'tabindex="-1"' in other


def test_data_of_a_mark_is_escaped():
    made = mark("circle", "tip", kind="dot", data={"row": '"><script>'})
    assert 'data-row="&#34;&gt;&lt;script&gt;"' in made
