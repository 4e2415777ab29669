#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Scores placements against known sites: one structure, then a folder of them. No crystal is part of this repository, so
# the sites are where the Poisson-Boltzmann equation, solved again after every ion, puts six Mg2+ around the example's
# duplex: the table says how near cheaper protocols come to that. For a crystal take NAME.sites.pdb from its PDB file.
#
#     examples/sites/run.sh [PROGRAM [FOLDER]]     defaults: build/ionwell, build/example
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${1:-$here/../../build/ionwell}
folder=${2:-$here/../../build/example}/sites
structure=$here/../nucleic_acid/duplex.pqr
mkdir -p "$folder/set" "$folder/placed"
cp "$structure" "$folder/set/duplex.pqr"
"$program" place "$structure" --pb own --pb-every 1 --ion MG:6 -o "$folder/set/duplex.sites.pdb" --quiet

# Ions of one's own, with their water, and what chance finds beside them.
"$program" place "$structure" --ionic-strength 0.15 --ion MG:6 --hydrate MG:6 \
  -o "$folder/placed/duplex.mine.pdb" --quiet
"$program" compare "$folder/placed/duplex.mine.pdb" "$folder/set/duplex.sites.pdb" --random-around "$structure"

# The same for all of a folder, protocol by protocol, by the Python package; here the folder has one structure.
python=${PYTHON:-python3}
if "$python" -c "import ionwell" 2>/dev/null; then
  "$python" -m ionwell.compare_set "$folder/set" --placed "$folder/placed" --csv "$folder/sites.csv"
  echo "written         $folder/sites.csv"
else
  echo "the comparison for a folder is left out: the Python package ionwell is not installed"
fi
