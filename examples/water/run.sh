#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tries equilibrate.py on every water model with a box of 2 nm and a few steps: that GROMACS takes the topologies without a
# warning, and that what comes out is whole. For a box worth having, see equilibrate.py.
#
#     examples/water/run.sh [FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-.}/water
if ! command -v gmx >/dev/null 2>&1; then
  echo "skipped: GROMACS (gmx) is not installed"
  exit 77
fi

molecules=267  # 2 nm
for model in tip3p tips3p spce opc tip4pew tip4p2005 tip5p; do
  python3 "$here/equilibrate.py" $model "$folder/$model" --molecules $molecules --minimise 50 --hot 0.2 --npt 2 --nvt 0.5
  # Nine numbers a molecule, and every hydrogen where its oxygen is.
  awk -F, -v molecules=$molecules -v model=$model '
    NR == 1 { next }
    { if (NF != 10) { print model ", line " NR ": " NF - 1 " numbers"; bad = 1 }
      for (h = 4; h <= 7; h += 3) {
        bond = sqrt(($h - $1)^2 + ($(h + 1) - $2)^2 + ($(h + 2) - $3)^2)
        if (bond < 870 || bond > 1002) { print model ", line " NR ": O-H is " bond / 1000 " A"; bad = 1 } } }
    END { if (NR != molecules + 1) { print model ": " NR - 1 " molecules"; bad = 1 }
          exit bad }' "$folder/$model/$model.inc"
done
echo "seven water models: boxes of $molecules molecules made"
