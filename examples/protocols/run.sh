#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compares the published protocols on the example's duplex: where each puts three Mg2+, and how long it takes. Those
# that solve the Poisson-Boltzmann equation need APBS (Debian: apt-get install apbs), and are left out without it.
#
#     examples/protocols/run.sh [PROGRAM [FOLDER]]     defaults: build/ionwell, build/example
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${1:-$here/../../build/ionwell}
folder=${2:-$here/../../build/example}
mkdir -p "$folder"
"$program" compare "$here/../nucleic_acid/duplex.pqr" --ion MG:3 --report "$folder/protocols.json"
echo "written         $folder/protocols.json"
