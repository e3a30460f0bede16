# SPDX-License-Identifier: Apache-2.0
"""Bars as SVG, on a ground of their own: legible in light and dark, whatever the page around them has chosen."""

from html import escape
from typing import NamedTuple

NAME_WIDTH = 130
BAR_WIDTH = 190
VALUE_WIDTH = 60
ROW = 18
HEAD = 46
MARGIN = 10
STYLE = """
.ground { fill: #ffffff; }
text { font: 12px sans-serif; fill: #222; }
.title { font-weight: bold; font-size: 13px; }
.axis { fill: #666; }
.bar { fill: #9aa5b1; }
.first { fill: #1f6feb; }
@media (prefers-color-scheme: dark) {
  .ground { fill: #0d1117; }
  text { fill: #ddd; }
  .axis { fill: #999; }
  .bar { fill: #6b7785; }
  .first { fill: #58a6ff; }
}
"""


class Panel(NamedTuple):
    """A group of bars with a scale of its own: for each name a value for each column."""

    title: str
    rows: dict[str, list[float]]


def bars(panels, columns):
    """Draws a panel below the other; the names that begin like the first one of a panel stand out."""
    width = NAME_WIDTH + len(columns) * (BAR_WIDTH + VALUE_WIDTH) + 2 * MARGIN
    height = sum(HEAD + ROW * len(panel.rows) for panel in panels) + 2 * MARGIN
    box = f'viewBox="{-MARGIN} {-MARGIN} {width} {height}" width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box}>',
        f"<style>{STYLE}</style>",
        f'<rect class="ground" x="{-MARGIN}" y="{-MARGIN}" width="{width}" height="{height}"/>',
    ]
    top = 0
    for panel in panels:
        lines += _panel(panel, columns, top)
        top += HEAD + ROW * len(panel.rows)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _panel(panel, columns, top):
    lines = [f'<text class="title" x="0" y="{top + 16}">{escape(panel.title)}</text>']
    first = next(iter(panel.rows)).partition("/")[0]
    for at, column in enumerate(columns):
        left = NAME_WIDTH + at * (BAR_WIDTH + VALUE_WIDTH)
        longest = max(values[at] for values in panel.rows.values()) or 1
        lines.append(f'<text class="axis" x="{left}" y="{top + 34}">{escape(column)}</text>')
        for row, (name, values) in enumerate(panel.rows.items()):
            line = top + HEAD + row * ROW - 4
            length = max(1, round(values[at] / longest * BAR_WIDTH))
            kind = "first" if name.partition("/")[0] == first else "bar"
            if at == 0:
                lines.append(f'<text x="0" y="{line + 10}">{escape(name)}</text>')
            lines.append(f'<rect class="{kind}" x="{left}" y="{line}" width="{length}" height="{ROW - 6}"/>')
            lines.append(f'<text x="{left + length + 5}" y="{line + 10}">{values[at]:.3g}</text>')
    return lines
