# SPDX-License-Identifier: BSD-3-Clause
"""What a notebook shows of results, systems and maps: short tables in HTML."""

from html import escape as _escape

_ROWS = 8  # of ions


def _table(title, rows, header=()):
    """An HTML table of `rows`, lists of strings. Without a header, the first cell of each row is its name."""
    lines = ["<table>", f"<caption>{_escape(title)}</caption>"]
    if header:
        lines.append("<thead><tr>" + "".join(f"<th>{_escape(one)}</th>" for one in header) + "</tr></thead>")
    lines.append("<tbody>")
    for first, *others in rows:
        lines.append(f"<tr><th>{_escape(first)}</th>" + "".join(f"<td>{_escape(one)}</td>" for one in others) + "</tr>")
    return "\n".join([*lines, "</tbody>", "</table>"])


def _counted(names, charges):
    """'4 MG (+2), 14 NA (+1)'"""
    kinds = dict.fromkeys(zip(names.tolist(), charges.tolist()))
    return ", ".join(f"{sum(1 for one in zip(names, charges) if one == kind)} {kind[0]} ({kind[1]:+g})" for kind in kinds)


def _ions(title, names, charges, positions, energies):
    rows = [(str(number), name, f"{charge:+g}", *(f"{x:.2f}" for x in position), f"{energy:.2f}")
            for number, name, charge, position, energy in zip(range(_ROWS), names, charges, positions, energies)]
    if len(names) > len(rows):
        rows.append(("...", f"{len(names) - len(rows)} more", "", "", "", "", ""))
    return _table(title, rows, ("ion", "name", "charge [e]", "x [A]", "y [A]", "z [A]", "energy [kT]"))


def result_html(result):
    asked = f" of {result.requested}" if result.requested > len(result) else ""
    title = f"{len(result)}{asked} ions around {result.structure.path}: {_counted(result.names, result.charges)}"
    return _ions(title if len(result) else f"no ions around {result.structure.path}", result.names, result.charges,
                 result.positions, result.energies)


def system_html(system):
    a, b, c, *angles = (f"{x:.2f}" for x in system.cell)
    rows = [("atoms", f"{len(system):,}"), ("of the solute", f"{system.solute_atoms:,}"), ("waters", f"{system.waters:,}"),
            ("ions", _counted(system.ion_names, system.ion_charges) or "none"),
            ("cell", f"{a}, {b}, {c} A; {', '.join(angles)} degrees")]
    return _table("System in a periodic cell", rows)


def map_html(map):
    import numpy

    values, last = map.values, map.origin + map.spacing * (numpy.array(map.values.shape) - 1)
    rows = [("points", " x ".join(f"{n:,}" for n in values.shape)),
            ("spacing", ", ".join(f"{h:.4g}" for h in map.spacing) + " A"),
            ("extents", f"({', '.join(f'{x:.6g}' for x in map.origin)}) to ({', '.join(f'{x:.6g}' for x in last)}) A"),
            ("values", f"{numpy.nanmin(values):.6g} to {numpy.nanmax(values):.6g}, "
                       f"mean {numpy.nanmean(values, dtype=float):.6g}{' ' + map.unit if map.unit else ''}")]
    rows += [(name, str(text)) for name, text in map.provenance if name in ("structure", "method")]
    return _table("Map of a potential" if map.unit else "Map", rows)
