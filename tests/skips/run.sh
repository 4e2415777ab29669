#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# That no failure hides behind a test that was skipped: has CTest run samples, with the properties that our tests have,
# and looks at what it makes of each, and at the totals of scripts/test.
#
#     run.sh CTEST SAMPLES COUNT_RESULTS PROPERTY...
set -eu
ctest=$1 samples=$2 count_results=$3
shift 3

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  echo "failed: $*" >&2
  exit 1
}

# sample NAME CASE: a test of the CTest project in $folder.
sample() {
  echo "add_test([==[$1]==] [==[$samples]==] [==[--test-case=$2]==])" >> "$folder/CTestTestfile.cmake"
  echo "set_tests_properties([==[$1]==] PROPERTIES $properties)" >> "$folder/CTestTestfile.cmake"
}
properties=$*
sample passes "passes"
sample skipped "is skipped"
sample skipped_failed "is skipped and fails"
sample failed_skipped "fails and is skipped"
sample skipped_thrown "is skipped and throws"
sample word_failed "speaks of skipped: things*"
sample no_such_case "there is none of this name"
sample pass_and_skip "passes,is skipped"

(cd "$folder" && "$ctest" --output-junit results.xml > output 2>&1) && fail "ctest ended with 0"
# expect RESULT NAME
expect() {
  grep -q " $2 \.*[* ]*$1 " "$folder/output" || { cat "$folder/output"; fail "$2 is not: $1"; }
}
expect Passed passes
expect Passed pass_and_skip
expect Skipped skipped
for name in skipped_failed failed_skipped skipped_thrown word_failed no_such_case; do expect Failed "$name"; done

totals=$("$count_results" "$folder/results.xml")
[ "$totals" = "2 5 1" ] || fail "the totals are $totals"
totals=$("$count_results" "$folder/no-such-file")
[ "$totals" = "0 1 0" ] || fail "the totals without results are $totals"
