#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Does with an installed ionwell what its users do first. Prints a line for each check, then totals; fails when one failed.
#
#     check_installed.sh PREFIX [programs] [python] [library]
#         PREFIX      where it is installed: /usr
#         programs    ionwell and cionize, their manual pages, completion, the Tcl package (needs man, bash)
#         python      import ionwell: the lines of the README, the notebook where nbclient is, the program's ions
#         library     CMake projects that find_package(ionwell) (needs cmake, a compiler and make)
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
prefix=${1:?usage: check_installed.sh PREFIX [programs] [python] [library]}
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
PATH=$prefix/bin:$PATH
MANPATH=$prefix/share/man
export PATH MANPATH
passed=0 failed=0 skipped=0

# check WHAT COMMAND...: what it prints is shown when it fails, and why when it is skipped (it ends with 77).
check() {
  what=$1 status=0
  shift
  "$@" >"$scratch/said" 2>&1 || status=$?
  case $status in
    0) passed=$((passed + 1)); echo "ok      $what" ;;
    77) skipped=$((skipped + 1)); echo "skipped $what: $(grep -m 1 'skipped: \|there is no' "$scratch/said")" ;;
    *) failed=$((failed + 1)); echo "FAILED  $what"; sed 's/^/        /' "$scratch/said" ;;
  esac
}

is_version() {
  version=$(sed -n 's/^project(ionwell VERSION \([0-9.]*\).*/\1/p' "$here/CMakeLists.txt")
  test -n "$version" && test "$(command -v "$1")" = "$prefix/bin/$1" && "$1" --version | tee said-version &&
    grep -q "^$1.* $version" said-version
}
has_manual() {
  command -v man || { echo "there is no man here"; return 77; }
  man -P cat "$1" >page && grep -q '^NAME' page && grep -q "$2" page
}
writes_page() {
  ionwell place "$here/examples/nucleic_acid/duplex.pqr" --ion MG:2 -o ions.pdb --html page.html && test -s page.html &&
    ! grep -q '<script src' page.html
}
# What bash proposes after the words given, as its own loader finds the script.
completes() {
  wanted=$1
  shift
  bash -c "source '$prefix/share/bash-completion/completions/$1'; COMP_WORDS=(\"\$@\"); COMP_CWORD=\$((\$# - 1)); _$1
    printf '%s\n' \"\${COMPREPLY[@]}\"" bash "$@" >proposed && cat proposed && grep -qx -e "$wanted" proposed
}
refuses() { ! ionwell place missing.pqr --ion MG:1 -o x.pdb 2>message && grep -q missing.pqr message && test ! -e x.pdb; }

check_programs() {
  check "ionwell --version" is_version ionwell
  check "cionize --version" is_version cionize
  check "the ions of the example" "$here/examples/nucleic_acid/run.sh" ionwell "$scratch"
  check "a page of --html" writes_page
  check "a file that is not there" refuses
  for page in ionwell ionwell-place cionize; do
    check "man $page" has_manual "$page" "$page"
  done
  check "man ionwell-place tells of its options" has_manual ionwell-place -e--spacing
  check "completion in bash of ionwell" completes --spacing ionwell place --spac
  check "completion in bash of cionize" completes --mode cionize --mo
  for file in zsh/site-functions/_ionwell zsh/site-functions/_cionize fish/vendor_completions.d/ionwell.fish \
    fish/vendor_completions.d/cionize.fish ionwell/vmd/pkgIndex.tcl ionwell/vmd/ionwell.tcl; do
    check "$file" test -s "$prefix/share/$file"
  done
}

check_python() {
  check "import ionwell" python3 -c "import ionwell; print(ionwell.__version__)"
  IONWELL_PROGRAM=$prefix/bin/ionwell PYTHONDONTWRITEBYTECODE=1
  export IONWELL_PROGRAM PYTHONDONTWRITEBYTECODE
  for name in documents place arrays; do
    check "tests/python/test_$name.py" python3 "$here/tests/python/test_$name.py"
  done
}

builds() {
  cmake -S "$1" -B "$scratch/build-$2" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" &&
    cmake --build "$scratch/build-$2"
}
places_magnesium() {
  "$scratch/build-library/place_magnesium" "$here/examples/nucleic_acid/duplex.pqr" | tee magnesium &&
    grep -q "21.06 -5.175 5.013" magnesium
}
check_library() {
  check "CMake builds examples/library" builds "$here/examples/library" library
  check "it places the ions of the example" places_magnesium
  check "CMake builds tests/package, each header by itself" builds "$here/tests/package" package
  check "it runs" "$scratch/build-package/package_test"
}

for part in "$@"; do
  case "$part" in
    programs | python | library) "check_$part" ;;
    *) echo "check_installed.sh: there is no part '$part'" >&2; exit 2 ;;
  esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
