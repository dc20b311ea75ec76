from bench.report import Column, Measured

FOUND = Measured(
    title="Trees",
    columns=(Column("kind", "kind"), Column("height", "metres", ".1f"), Column("age", "years")),
    rows=[{"kind": "oak", "height": 21.04, "age": 300}, {"kind": "hazel", "height": 4, "age": None}],
    notes=("measured in spring",),
)


def test_a_table_is_aligned_with_numbers_to_the_right() -> None:
    assert FOUND.table().splitlines() == [
        "| kind  | metres | years |",
        "| ----- | -----: | ----: |",
        "| oak   |   21.0 |   300 |",
        "| hazel |    4.0 |     - |",
    ]


def test_a_report_has_its_title_above_and_its_notes_below() -> None:
    lines = str(FOUND).splitlines()
    assert (lines[0], lines[-1]) == ("## Trees", "- measured in spring")
