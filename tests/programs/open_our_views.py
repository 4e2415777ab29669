#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Has a program run the script that 'ionwell place --view' writes, for files of odd names.

    open_our_views.py PROGRAM IONWELL STRUCTURE.pqr [PICTURE.png]

PROGRAM: pymol, which makes a picture; tcl, where VMD's commands are stand-ins that note what they are given. Prints
"skipped: " and why, and ends with 77, where PROGRAM is not installed.
"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

from harness import check, skip

ODD = "odd '\"$[x]{} \\ name"


class Viewed:
    """A run whose files have odd names; `script` is the viewer's, under a plain one."""

    def __init__(self, folder, ionwell, structure, program, *more):
        self.folder = os.path.join(folder, ODD)
        os.makedirs(self.folder, exist_ok=True)
        self.ions, self.map = (os.path.join(self.folder, name) for name in ("ions.pdb", "map.dx"))
        report = os.path.join(folder, "report.json")
        subprocess.run([ionwell, "place", structure, "--ion", "MG:4", "--ion", "NA:neutralize", "--spacing", "1", "-o", self.ions,
                        "--save-map", self.map, "--view", program, "--report", report, "--quiet", *more], check=True)
        with open(report) as file:
            self.energies = [ion["energy_kT"] for ion in json.load(file)["ions"]]
        ending = {"pymol": ".pml", "vmd": ".vmd.tcl"}[program]
        self.script = os.path.join(folder, "view" + ending)
        shutil.copy(os.path.join(self.folder, "ions" + ending), self.script)


def colours_of_png(path):
    """How many different pixels an RGB or RGBA picture of 8 bits has."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour_type = struct.unpack(">IIBB", body[:10])
            check((depth, colour_type) in ((8, 2), (8, 6)), f"a PNG of kind {depth}, {colour_type}")
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    channels = 3 if colour_type == 2 else 4
    # Filtered lines, which differ where pixels do.
    lines = zlib.decompress(packed)
    return len({lines[n:n + channels] for n in range(0, width * height * channels, channels)})


PYMOL_CHECK = """
import json, os
from pymol import cmd
ions = []
cmd.iterate("ions", "ions.append([rank, b])", space={"ions": ions})
with open("found.json", "w") as file:  # PyMOL's own words come in the middle of what is printed
    json.dump({"ions": sorted(ions), "solute": cmd.count_atoms("solute"), "objects": cmd.get_names("objects"),
               "cartoon": cmd.count_atoms("solute and rep cartoon"), "surface": cmd.count_atoms("solute and rep surface"),
               "spheres": cmd.count_atoms("rep spheres")}, file)
cmd.bg_color("white")
cmd.ray(400, 300)
cmd.png(os.environ["PICTURE"])
"""


def with_pymol(folder, ionwell, structure):
    program = shutil.which("pymol") or skip("there is no pymol here")
    picture = sys.argv[4] if len(sys.argv) == 5 else os.path.join(folder, "picture.png")
    with open(os.path.join(folder, "check.py"), "w") as script:
        script.write(PYMOL_CHECK)
    environment = dict(os.environ, PATH="/usr/bin:/bin:" + os.environ["PATH"], PICTURE=picture)  # Debian's wrapper calls python3
    for more, first, objects in ((["--with-solute"], 758, ["placed"]), ([], 0, ["placed", "solute"])):
        viewed = Viewed(folder, ionwell, structure, "pymol", *more)
        result = subprocess.run([program, "-cq", viewed.script, "check.py"], cwd=folder, env=environment, capture_output=True,
                                text=True, timeout=300)
        written = os.path.join(folder, "found.json")
        check(os.path.exists(written), f"pymol said: {result.stdout[-2000:]} {result.stderr[-1000:]}")
        with open(written) as file:
            found = json.load(file)
        os.remove(written)
        check([rank for rank, _ in found["ions"]] == list(range(first, first + len(viewed.energies))), f"ions: {found['ions']}")
        for (_, b), energy in zip(found["ions"], viewed.energies):
            check(abs(b - energy) < 1e-3 * abs(energy), f"an energy is {b} instead of {energy}")
        check(found["solute"] == 758, f"the solute has {found['solute']} atoms")
        check(found["cartoon"] == 758, f"{found['cartoon']} atoms of the solute are in a cartoon")
        check(found["surface"] == 758, f"{found['surface']} atoms of the solute have a surface")
        check(found["spheres"] == len(viewed.energies), f"there are {found['spheres']} spheres")
        check(sorted(found["objects"]) == sorted([*objects, "potential", "potential_kT_e"]), f"objects: {found['objects']}")
        check(colours_of_png(picture) > 100, "the picture is empty")
    print("pymol: structure, ions by energy and the potential on the surface are shown")


TCL_CHECK = """
set said {}
set molecules 0
proc note {args} { lappend ::said $args }
proc mol {args} {
    note mol {*}$args
    if {[lindex $args 0] eq "new"} { incr ::molecules; return [expr {$::molecules - 1}] }
}
proc atomselect {molecule text} { note atomselect $molecule $text; return selection }
proc selection {args} { note selection {*}$args }
proc molinfo {molecule get what} { return 3 }
proc color {args} { note color {*}$args }
proc display {args} { note display {*}$args }
set file [open [lindex $argv 0]]
set text [read $file]
close $file
if {![info complete $text]} { puts stderr "the script is not complete"; exit 1 }
source [lindex $argv 0]
foreach line $said { puts [join $line "\\t"] }
"""


def with_tcl(folder, ionwell, structure):
    program = shutil.which("tclsh") or skip("there is no tclsh here")
    with open(os.path.join(folder, "check.tcl"), "w") as script:
        script.write(TCL_CHECK)
    viewed = Viewed(folder, ionwell, structure, "vmd")
    result = subprocess.run([program, os.path.join(folder, "check.tcl"), viewed.script], capture_output=True, text=True, timeout=60)
    check(result.returncode == 0, result.stderr)
    said = [line.split("\t") for line in result.stdout.splitlines()]
    opened = [words[2] for words in said if words[:2] == ["mol", "new"]]
    check(opened == [viewed.ions, viewed.ions[:-4] + ".solute.pdb", viewed.map], f"it opens {opened}")
    energies = [[float(e) for e in words[3].split()] for words in said if words[:3] == ["selection", "set", "beta"]]
    check(len(energies) == 1 and len(energies[0]) == len(viewed.energies), f"energies are {energies}")
    check(all(abs(a - b) < 1e-3 * abs(b) for a, b in zip(energies[0], viewed.energies)), f"energies are {energies}")
    surfaces = [float(words[2].split()[1]) for words in said if words[:2] == ["mol", "representation"] and "Isosurface" in words[2]]
    check(len(surfaces) == 2 and surfaces[0] == -surfaces[1] < 0, f"surfaces are at {surfaces}")
    print(f"tcl: VMD's script is complete, and gives it {len(opened)} files of odd names")


PROGRAMS = {"pymol": with_pymol, "tcl": with_tcl}


def main():
    if len(sys.argv) not in (4, 5) or sys.argv[1] not in PROGRAMS:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        PROGRAMS[sys.argv[1]](folder, *sys.argv[2:4])


if __name__ == "__main__":
    main()
