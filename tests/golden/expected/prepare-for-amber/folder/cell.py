#!/usr/bin/env python3
"""Makes system.prmtop and system.rst7 of leap.prmtop and leap.rst7, to which LEaP gave a rectangular cell.

    amber.python cell.py        any Python that has ParmEd does

sander and pmemd take the cell from system.rst7. At constant pressure only ntp = 1 keeps its shape.
system.rst7 is LEaP's file with another last line, for ParmEd's would have a time, after which VMD expects velocities.
"""
import os

import parmed

CELL = [58.2200000, 58.2200000, 58.2200000, 109.4712190, 109.4712190, 109.4712190]  # three lengths in A, three angles in degrees

os.chdir(os.path.dirname(os.path.abspath(__file__)))
system = parmed.load_file("leap.prmtop", "leap.rst7")
system.box = CELL
system.save("system.prmtop", overwrite=True)
with open("leap.rst7") as leap:
    lines = leap.read().splitlines()
lines[-1] = "".join(f"{x:12.7f}" for x in CELL)
with open("system.rst7", "w") as restart:
    restart.write("\n".join(lines) + "\n")
