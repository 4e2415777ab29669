#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Tcl package for VMD against a stub of VMD's commands; 77, a skip, where there is no tclsh.
#     run.sh PACKAGE_FOLDER IONWELL CIONIZE DUPLEX.pqr VERSION
set -eu
if ! command -v tclsh > /dev/null; then
  echo "skipped: there is no tclsh here; Debian's package tcl has it"
  exit 77
fi
exec tclsh "$(dirname "$0")/test_package.tcl" "$@"
