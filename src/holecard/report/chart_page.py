"""Charts as an HTML page: tables that a screen reader can read, and no external resources."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from holecard.charts.caption import Caption, legend, reading_notes
from holecard.charts.chart import Chart
from holecard.charts.layout import CHART_BLOCKS, Group, Layout
from holecard.charts.letters import describe_cell
from holecard.report.chart_svg import BLOCK_TITLES, SIDE_BY_SIDE
from holecard.report.palette import DARK, LIGHT, Scheme, css_class

_STYLE = """
*{box-sizing:border-box}
html{color-scheme:light dark}
body{margin:0;padding:2.5rem 1.25rem;background:var(--page);color:var(--ink);
  font:.94rem/1.5 "Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif}
main{width:fit-content;max-width:100%;margin:0 auto}
h1,caption{font-family:Georgia,"Times New Roman","Liberation Serif",serif;font-weight:normal}
h1{font-size:2.1rem;line-height:1.2;margin:0;text-wrap:balance}
.under{color:var(--quiet);margin:.35rem 0 0}
header{border-bottom:1px solid var(--line);padding-bottom:1rem;margin-bottom:1.5rem;contain:inline-size}
.blocks{display:flex;flex-wrap:wrap;gap:1.75rem 2.5rem;align-items:flex-start}
.side{display:grid;gap:1.75rem;max-width:100%}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:separate;border-spacing:2px;font-variant-numeric:tabular-nums}
caption{text-align:left;font-size:1.15rem;padding:0 0 .15rem 2px}
th{font-weight:normal;font-size:.86rem;padding:0 .2rem;color:var(--ink)}
thead .what{color:var(--quiet);font-size:.8rem}
tbody th{text-align:right;min-width:2.5rem;padding-right:.55rem;position:sticky;left:0;background:var(--page)}
td,dt{width:2.1rem;min-width:2.1rem;height:1.6rem;padding:0;border-radius:3px;text-align:center;font-weight:bold;font-size:.92rem}
td small{font-size:.68rem;margin-left:1px}
td abbr{text-decoration:none}
tbody tr:hover td,tbody tr:hover th{box-shadow:0 2px 0 var(--quiet)}
.apart{border-left:12px solid transparent;background-clip:padding-box}
dl{display:grid;grid-template-columns:2.1rem auto 2.1rem auto;gap:.3rem .6rem;margin:0;width:fit-content}
dt{display:grid;place-items:center}
dd{margin:0 1rem 0 0;align-self:center}
footer{color:var(--quiet);font-size:.85rem;margin-top:1.75rem;contain:inline-size}
footer p{margin:.25rem 0}
@media (max-width:30rem){body{padding:1.25rem .6rem}td{min-width:1.75rem;width:1.75rem}
  tbody th{min-width:2rem;padding-right:.3rem}}
@media print{html{font-size:9.6px}body{padding:0}.scroll{overflow:visible}.side{gap:1rem}td{height:1.3rem}
  td,dt{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
""".strip()


def to_page(chart: Chart, caption: Caption) -> str:
    """Return the whole page."""
    sides = _sides(chart)
    notes = "\n".join(f"<p>{escape(note)}</p>" for note in (*reading_notes(chart), *caption.notes))
    blocks = "\n".join(f'<div class="side">\n{chr(10).join(side)}\n</div>' for side in sides)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{escape(caption.name)}: strategy</title>
<style>
{_colors(LIGHT)}
@media screen and (prefers-color-scheme:dark){{{_colors(DARK)}}}
{_STYLE}
@page{{size:{"portrait" if len(sides) == 1 else "landscape"};margin:12mm}}
</style>
</head>
<body>
<main>
<header>
<h1>{escape(caption.name)}</h1>
<p class="under">{escape(caption.subtitle)}</p>
</header>
<div class="blocks">
{blocks}
</div>
<footer>
{notes}
</footer>
</main>
</body>
</html>
"""


def _sides(chart: Chart) -> list[list[str]]:
    """Return the tables and the legend, side by side if the screen has room for two."""
    blocks = [_block(chart, block) for block in chart.layout.blocks]
    if len(chart.layout.columns) > SIDE_BY_SIDE:
        return [[*blocks, _legend(chart)]]
    with_pairs = len(blocks) == len(CHART_BLOCKS)
    return [[blocks[0], *([_legend(chart)] * with_pairs)], [*blocks[1:], *([_legend(chart)] * (not with_pairs))]]


def _colors(scheme: Scheme) -> str:
    page = f":root{{--page:{scheme.page};--ink:{scheme.ink};--quiet:{scheme.quiet};--line:{scheme.line}}}"
    cells = (f".{css_class(sign)}{{background:{tint.ground};color:{tint.ink}}}" for sign, tint in scheme.cells.items())
    return page + "".join(cells)


def _block(chart: Chart, block: Group) -> str:
    """Return a table that scrolls by itself where the screen is too narrow for it."""
    layout, title = chart.layout, BLOCK_TITLES[block.name]
    rows = "\n".join(
        f'<tr><th scope="row">{layout.rows[index].name}</th>{"".join(_cells(layout, chart.cells[index]))}</tr>'
        for index in range(block.first, block.end)
    )
    return f"""<div class="scroll" role="region" aria-label="{title}" tabindex="0">
<table>
<caption>{title}</caption>
<thead>
{_column_names(layout)}
</thead>
<tbody>
{rows}
</tbody>
</table>
</div>"""


def _column_names(layout: Layout) -> str:
    groups = "".join(
        f'<th class="what" scope="colgroup" colspan="{group.end - group.first}">{escape(group.name)}</th>'
        for group in layout.column_groups
    )
    names = "".join(
        f'<th{_apart(layout, index)} scope="col">{column.name}</th>' for index, column in enumerate(layout.columns)
    )
    return f"<tr><td></td>{groups}</tr>\n<tr><td></td>{names}</tr>"


def _cells(layout: Layout, cells: tuple[str, ...]) -> Iterator[str]:
    for index, cell in enumerate(cells):
        words = f'<abbr title="{escape(describe_cell(cell))}">{_letters(cell)}</abbr>'
        yield f"<td{_apart(layout, index, css_class(cell))}>{words}</td>"


def _apart(layout: Layout, column: int, kind: str = "") -> str:
    """Return the CSS classes of a cell; there is a gap before a new group of columns."""
    begins = column > 0 and any(group.first == column for group in layout.column_groups)
    classes = " ".join([*([kind] if kind else []), *(["apart"] if begins else [])])
    return f' class="{classes}"' if classes else ""


def _letters(cell: str) -> str:
    first, rest = cell[0].replace("-", "–"), cell[1:]
    return f"{first}<small>{rest}</small>" if rest else first


def _legend(chart: Chart) -> str:
    entries = "\n".join(
        f'<dt class="{css_class(sign)}">{sign.replace("-", "–")}</dt><dd>{escape(words)}</dd>'
        for sign, words in legend(chart.layout, chart.letters)
    )
    return f"<dl>\n{entries}\n</dl>"
