#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How runs scale with the number of ranks on this machine: what takes how long on one lattice (strong), and on lattices whose
# points grow with the ranks (weak).
#     scaling.sh PROGRAM STRUCTURE RANKS...          for example: scaling.sh ionwell 1gid.pqr.gz 1 2 4 8 16 32
# Each rank has one thread and a core of its own. Seconds of the stage that is shared, and how often as fast as the first
# number of ranks it is (strong), or how much of its speed is left (weak). In the environment:
#     spacing=0.5 pb_spacing=1 ions=24 frames=64 sweeps=400     sizes; frames and sweeps of all ranks together, of each when weak
#     runs='direct msm pb average sample'                       which of them
#     repeats=3                                                 the best of so many counts
#     launch='mpirun --bind-to core'                            what starts ranks, before -n RANKS
set -eu
program=$(realpath "$(command -v "${1:?usage: scaling.sh PROGRAM STRUCTURE RANKS...}")")
structure=$(realpath "${2:?usage: scaling.sh PROGRAM STRUCTURE RANKS...}")
shift 2
[ $# -gt 0 ] || { echo "usage: scaling.sh PROGRAM STRUCTURE RANKS..." >&2; exit 2; }
spacing=${spacing:-0.5} pb_spacing=${pb_spacing:-1} ions=${ions:-24} frames=${frames:-64} sweeps=${sweeps:-400} repeats=${repeats:-3}
launch=${launch:-mpirun --bind-to core}
export OMP_NUM_THREADS=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# refined SPACING RANKS: the spacing of a lattice of RANKS times as many points.
refined() { awk -v h="$1" -v n="$2" 'BEGIN { printf "%.5f", h * n ^ (-1 / 3) }'; }

# seconds STAGE RANKS WORDS...: the least that a stage takes, or several with + between them.
seconds() {
  stage=$1 ranks=$2
  shift 2
  n=0
  while [ "$n" -lt "$repeats" ]; do
    $launch -n "$ranks" "$program" "$@" --backend cpu --quiet --report report.json >log 2>&1 ||
      { echo "scaling.sh: $program $* on $ranks ranks failed:" >&2; cat log >&2; exit 1; }
    tr -d ' \n' <report.json | sed 's/.*"timings_s":{\([^}]*\)}.*/\1/; s/"//g; s/[,:]/ /g' |
      awk -v stages="+$stage+" '{ for (i = 1; i < NF; i += 2) if (index(stages, "+" $i "+")) sum += $(i + 1) } END { print sum }'
    n=$((n + 1))
  done | sort -g | head -n 1
}

# one KIND RUN RANKS: seconds of a run.
one() {
  kind=$1 run=$2 ranks=$3
  case $kind in
    strong) h=$spacing ph=$pb_spacing times=1 ;;
    weak) h=$(refined "$spacing" "$ranks") ph=$(refined "$pb_spacing" "$ranks") times=$ranks ;;
  esac
  case $run in
    direct | msm)
      seconds potential+placement "$ranks" place "$structure" --method "$run" --spacing "$h" --ion "MG:$ions" -o out.pdb ;;
    pb)
      seconds solve+potential "$ranks" map "$structure" --pb own --spacing "$ph" -o out.dxbin ;;
    average)
      copies=''  # frames
      n=0
      while [ "$n" -lt $((frames * times)) ]; do copies="$copies $structure" n=$((n + 1)); done
      # shellcheck disable=SC2086
      seconds average "$ranks" average "$structure" $copies --statistics mean,sd --spacing "$spacing" -o out.dxbin ;;
    sample)
      # As many replicas as the largest number of ranks has to share.
      seconds sample "$ranks" sample "$structure" --ion NA:neutralize --start random --spacing "$spacing" --equilibration 0 \
        --sweeps $((sweeps * times)) --sample-every 10 --replicas "$most" -o out.pdb ;;
  esac
}

most=$(printf '%s\n' "$@" | sort -n | tail -n 1)
printf '%s, %s\n' "$("$program" --version)" "$(basename "$structure")"
for kind in strong weak; do
  printf '\n%-7s %-9s %6s %10s %8s\n' "$kind" run ranks seconds "$([ $kind = strong ] && echo times || echo share)"
  for run in ${runs:-direct msm pb average sample}; do
    first=''
    for ranks; do
      s=$(one "$kind" "$run" "$ranks")
      [ -n "$s" ] || exit 1
      first=${first:-$s}
      printf '%-7s %-9s %6d %10.3f %8.2f\n' "$kind" "$run" "$ranks" "$s" \
        "$(awk -v a="$first" -v b="$s" 'BEGIN { print (b > 0 ? a / b : 0) }')"
    done
  done
done
