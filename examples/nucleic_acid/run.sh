#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Neutralises a B-DNA duplex of 12 base pairs (-22 e): four Mg2+ where its field is strongest, then Na+ for the rest.
# Compares every ion with expected.pdb and fails when one is elsewhere.
#
#     examples/nucleic_acid/run.sh [PROGRAM [FOLDER]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${1:-$here/../../build/ionwell}
folder=${2:-.}
mkdir -p "$folder"

"$program" place "$here/duplex.pqr" --ion MG:4 --ion NA:neutralize -o "$folder/duplex-ions.pdb"

# Name and position of each ion; REMARK lines say which version wrote them.
ions() { grep -E '^(ATOM|HETATM)' "$1" | cut -c 13-16,31-54; }
ions "$here/expected.pdb" > "$folder/expected.txt"
ions "$folder/duplex-ions.pdb" > "$folder/found.txt"
if ! diff "$folder/expected.txt" "$folder/found.txt"; then
  echo "ions differ from expected.pdb (lines with < are expected)" >&2
  exit 1
fi
echo "all $(wc -l < "$folder/found.txt") ions are where expected.pdb has them"
