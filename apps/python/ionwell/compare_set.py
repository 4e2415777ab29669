# SPDX-License-Identifier: BSD-3-Clause
"""Compares placement protocols for a folder of structures whose ions are known.

    python3 -m ionwell.compare_set crystals --csv table.csv
        what a paper would print: how many of the crystals' ions each protocol finds, with intervals
    python3 -m ionwell.compare_set crystals --placed mine --protocol coulomb
        ions of another program, mine/NAME.LABEL.pdb, beside one protocol

DIR has NAME.pqr (or NAME.pqr.gz) and NAME.sites.pdb for each structure; families.tsv in it (columns entry and family,
divided by tabs) says which are alike. A site counts as found when it has an ion of its own within 2 to 8 A, by a maximum
matching. The interval is of the bootstrap: as many families as there are are drawn with replacement, each with all of its
entries, 2,000 times; 95 % of the shares are in it. A second table has recall and precision at each protocol's own number of
ions; the same where ions up to 5 A apart are one prediction, at their mean, and a hit is within 5 A of a site; the median
distance of these hits; and the recall within 3 A by the number of O and N atoms within 4.6 A of a site.
"""
import argparse
import csv
import os
import shutil
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import ionwell
from ionwell import site_hits

DISTANCES_A = (2.0, 3.0, 4.0, 5.0, 8.0)
SHOWN_A = 3.0  # the interval in the table: what the literature counts as found
DRAWS = 2000
NEAR = {"ion_solute": 3.5}  # crystals' sites are nearer than the published 5 A
DDD, SALT = {"ddd": 3.0}, {"ionic_strength": 0.15}
SOLVED = {"hybrid": {"pb_every": 5}, "hybrid-3.5": {"pb_every": 5, **NEAR}, "iterated": {"pb_every": 1}}
USUAL = {"coulomb": {}, "ddd": DDD, "debye-hueckel": SALT, "ddd-3.5": {**DDD, **NEAR}, "debye-hueckel-3.5": {**SALT, **NEAR},
         "site-terms": {"model": "site-terms"}, "sites": {"model": "sites"}}
PROTOCOLS = {**dict(list(USUAL.items())[:5]), **SOLVED, **dict(list(USUAL.items())[5:])}  # rows in this order
RANDOM_A = {"random": 5.0, "random-3.5": 3.5}  # distance from the solute


@dataclass
class Score:
    """What one row found in one entry: sites with an ion of their own by distance, a mean for random ions."""
    ions: int
    sites: int
    matched: list
    weighted_recall: list = field(default_factory=list)
    seconds: float = 0.0
    hits: site_hits.Hits = None  # not of random ions


@dataclass
class Entry:
    name: str
    structure: Path = None
    sites: Path = None
    family: str = ""
    atoms: int = 0


class Random64:
    """The numbers of std::mt19937_64, which are the same everywhere."""

    def __init__(self, seed):
        self.state = [seed & (2**64 - 1)]
        for i in range(1, 312):
            before = self.state[-1]
            self.state.append((6364136223846793005 * (before ^ before >> 62) + i) & (2**64 - 1))
        self.at = 312

    def below(self, count):
        if self.at == 312:
            for i in range(312):
                x = self.state[i] & ~(2**31 - 1) | self.state[(i + 1) % 312] & (2**31 - 1)
                self.state[i] = self.state[(i + 156) % 312] ^ x >> 1 ^ (0xB5026F5AA96619E9 if x & 1 else 0)
            self.at = 0
        x = self.state[self.at]
        self.at += 1
        x ^= x >> 29 & 0x5555555555555555
        x ^= x << 17 & 0x71D67FFFEDA60000
        x ^= x << 37 & 0xFFF7EEE000000000
        return int(float((x ^ x >> 43) >> 11) * 2.0**-53 * count)


def read_families(path):
    lines = [[cell.strip() for cell in line.split("\t")] for line in path.read_text().splitlines()]
    for name in ("entry", "family"):
        if not lines or name not in lines[0]:
            raise ionwell.Error(f"{path}:1: there is no column '{name}'; the first line has names separated by tabs, entry and "
                                "family among them")
    entry, family, families = lines[0].index("entry"), lines[0].index("family"), {}
    for number, cells in enumerate(lines[1:], 2):
        if not any(cells):
            continue
        if len(cells) <= max(entry, family) or not cells[entry] or not cells[family]:
            raise ionwell.Error(f"{path}:{number}: the line has no entry or no family; give both, separated by tabs")
        families[cells[entry]] = cells[family]
    return families


def read_set(folder):
    """Entries by name, problems as (entry, text), and warnings."""
    found, problems, notes = {}, [], []
    for path in sorted(folder.iterdir()):
        for ending, kind in ((".sites.pdb", "sites"), (".pqr", "structure"), (".pqr.gz", "structure")):
            if path.name.endswith(ending) and path.name != ending:
                entry = found.setdefault(path.name[:-len(ending)], Entry(path.name[:-len(ending)]))
                if getattr(entry, kind):
                    raise ionwell.Error(f"{folder}: {getattr(entry, kind)} and {path.name} are both the structure of one entry; "
                                        "remove one of them")
                setattr(entry, kind, path)
    families = read_families(folder / "families.tsv") if (folder / "families.tsv").exists() else None
    entries = []
    for name, entry in sorted(found.items()):
        if not entry.structure:
            problems.append((name, f"there are sites but no structure; add {name}.pqr, or remove {name}.sites.pdb"))
        elif not entry.sites:
            problems.append((name, f"there is a structure but no sites; add {name}.sites.pdb, or remove the structure"))
        else:
            entry.family = (families or {}).get(name, f"of {name}")
            if families is not None and name not in families:
                notes.append(f"{name}: families.tsv has no line for it; it counts as a family of its own")
            entries.append(entry)
    if not entries:
        raise ionwell.Error(f"{folder}: there is no pair of NAME.pqr (or NAME.pqr.gz) and NAME.sites.pdb in it; give a folder "
                            "that has some")
    return entries, families, problems, notes


def find_placed(folder, entries):
    """{label: {entry: path}} of files NAME.LABEL.pdb (or .cif, .gro)."""
    placed = {}
    for path in sorted(folder.iterdir()):
        for entry in entries:
            label = path.name[len(entry.name) + 1:-4]
            if (not path.name.startswith(entry.name + ".") or path.name.endswith(".sites.pdb") or not label
                    or path.suffix not in (".cif", ".gro", ".pdb")):
                continue
            other = placed.setdefault(label, {}).setdefault(entry.name, path)
            if other != path:
                raise ionwell.Error(f"--placed {folder}: {other.name} and {path.name} are both the ions {label} of {entry.name}; "
                                    "remove one of them, or give it another label")
    if not placed:
        raise ionwell.Error(f"--placed {folder}: there is no file NAME.LABEL.pdb (or .cif, .gro) of an entry; name the files of "
                            f"ions so, as {entries[0].name}.mine.pdb")
    return dict(sorted(placed.items()))


def pooled(scores, entries, seed):
    """All entries together, as a report has it: shares of all sites, whichever entry has them."""
    there = [(entry, scores[entry.name]) for entry in entries if entry.name in scores]
    ions, sites = (sum(getattr(score, name) for _, score in there) for name in ("ions", "sites"))
    families = {}
    for entry, score in there:
        families.setdefault(entry.family, []).append([score.sites, *score.matched])
    sums = [np.sum(families[name], axis=0) for name in sorted(families)]
    ends, random = [], Random64(seed)
    if sums:
        drawn = np.array([sum(sums[random.below(len(sums))] for _ in sums) for _ in range(DRAWS)])
        ends = np.percentile(drawn[:, 1:] / drawn[:, :1], [2.5, 97.5], axis=0)
    weighted = []
    if there and all(score.weighted_recall for _, score in there):
        weighted = [sum(s.sites * s.weighted_recall[d] for _, s in there) / sites for d in range(len(DISTANCES_A))]
    within = []
    for d, distance_A in enumerate(DISTANCES_A):
        matched = sum(score.matched[d] for _, score in there)
        within.append({"distance_A": distance_A, "matched": matched, "recall": matched / sites if sites else 0.0,
                       "recall_95": [float(end[d]) for end in ends] or [0.0, 0.0],
                       "precision": matched / ions if ions else 0.0})
    return {"entries": len(there), "ions": ions, "sites": sites, "seconds": sum(score.seconds for _, score in there),
            "weighted_recall": weighted, "within": within}


class SetRun:
    """Fills the rows, entry by entry; several threads may do so at a time."""

    def __init__(self, arguments, entries, placed):
        self.arguments, self.placed, self.problems, self.warnings = arguments, placed, [], []
        self.acceptors = {}  # around the sites of each entry
        names = [name for name in PROTOCOLS if name in (arguments.protocol or USUAL)]
        self.rows = {name: {} for name in [*names, *RANDOM_A, *(f"placed:{label}" for label in placed)]}
        self.not_run = {}
        only_magnesium = all(text.split(":")[0].upper() == "MG" for text in arguments.ion)
        for name in names:
            if "model" in PROTOCOLS[name] and not only_magnesium:
                self.not_run[name] = "the model is for MG alone"
            if name in SOLVED and arguments.pb == "apbs" and not shutil.which("apbs"):
                self.not_run[name] = "there is no apbs here (Debian and Ubuntu: package apbs)"

    def attempt(self, entry, row, work):
        """work(), whose Error becomes a problem of the entry; the others go on."""
        try:
            work()
        except (ionwell.Error, MemoryError) as error:
            self.problems.append((entry.name, (f"{row}: " if row else "") + (str(error) or "there is not enough memory")))

    def score_entry(self, entry, solved):
        """The rows that need a solver, or the others."""
        self.attempt(entry, "", lambda: self.score_rows(entry, solved))

    def score_rows(self, entry, solved):
        arguments = self.arguments
        structure = ionwell.read(entry.structure)
        sites, weights = ionwell.read_sites(entry.sites, which=arguments.sites, weights=arguments.site_weights)
        count = max(1, int(arguments.per_site * len(sites) + 0.5))
        ions = [":".join([str(count) if n == 1 and part == "sites" else part for n, part in enumerate(text.split(":"))])
                for text in arguments.ion]
        self.acceptors[entry.name] = site_hits.acceptors_near(structure, sites)
        if not solved:
            entry.atoms = len(structure)
            self.warnings += [f"{entry.name}: {text}" for text in structure.warnings]
        requested = sum(int(text.split(":")[1]) for text in ions)
        for row in self.rows:
            if (row in SOLVED) == solved and row not in self.not_run:
                self.attempt(entry, row, lambda: self.score(entry, row, structure, sites, weights, ions, requested))

    def score(self, entry, row, structure, sites, weights, ions, requested):
        start = time.perf_counter()
        around, key = {}, "matched"
        if row in PROTOCOLS:
            found = self.place(entry, row, structure, ions)
        elif row in RANDOM_A:
            found, weights, key = np.zeros((requested, 3)), None, "matched_at_random"  # only their number counts
            around = {"random_around": structure, "ion_solute": RANDOM_A[row], "seed": self.arguments.seed}
        elif entry.name in self.placed[row[len("placed:"):]]:
            found, _ = ionwell.read_sites(self.placed[row[len("placed:"):]][entry.name], which=self.arguments.sites)
        else:
            return
        none = {key: 0, "weighted_recall": 0.0}
        within = (ionwell.compare(found, sites, weights=weights, distances=DISTANCES_A, threads=1, **around)["within"]
                  if len(found) else [none] * len(DISTANCES_A))
        weighted = [] if weights is None else [one["weighted_recall"] for one in within]
        seconds = time.perf_counter() - start if row in PROTOCOLS else 0.0
        found_sites = None if around else site_hits.hits(found, sites, self.acceptors[entry.name], SHOWN_A)
        self.rows[row][entry.name] = Score(len(found), len(sites), [one[key] for one in within], weighted, seconds, found_sites)

    def place(self, entry, row, structure, ions):
        options = dict(PROTOCOLS[row], boundary="open", backend="cpu", threads=1)
        if row in SOLVED:
            options.update(pb=self.arguments.pb, threads=self.arguments.threads)
        try:
            result = ionwell.place(structure, ions, allow_fewer=True, **options)
        except ionwell.TooFewPlaced as error:
            result = error.result
        requested = result.report["requested_ions"]
        if len(result) < requested:
            self.warnings.append(f"{entry.name}: {row}: only {len(result)} of {requested} ions found room")
        return result.positions

    def run(self, entries):
        """The largest first: what takes longest must not come last. A solver has all threads, so its rows come one by one."""
        largest_first = sorted(entries, key=lambda entry: -entry.structure.stat().st_size)
        with ThreadPoolExecutor(self.arguments.threads) as pool:
            list(pool.map(lambda entry: self.score_entry(entry, solved=False), largest_first))
        if any(row in SOLVED for row in self.rows):
            for entry in largest_first:
                if entry.atoms:
                    self.score_entry(entry, solved=True)


def table_text(run, entries, families, pools):
    """What the terminal shows."""
    sites = max(pool["sites"] for pool in pools.values())
    head = f"{len(entries):,} {'entry' if len(entries) == 1 else 'entries'}, {sites:,} {'site' if sites == 1 else 'sites'}"
    if families is not None:
        count = len({entry.family for entry in entries})
        head += f", {count:,} {'family' if count == 1 else 'families'}"
    width = max(8, *(len(row) for row in pools))
    columns = "".join(f"{d:5g} A" + ("  (95 %)     " if d == SHOWN_A else "") for d in DISTANCES_A)
    if any(pool["weighted_recall"] for pool in pools.values()):
        columns += f"  by weight, {SHOWN_A:g} A"
    lines = [head, " " * (width + 24) + "% of the sites with an ion of their own within",
             f"{'protocol':{width}} {'entries':>7} {'ions':>6} {'time [s]':>8}{columns}"]
    for row, pool in pools.items():
        if row in run.not_run:
            lines.append(f"{row:{width}} not run: {run.not_run[row]}")
            continue
        line = f"{row:{width}} {pool['entries']:>7,} {pool['ions']:>6,} {pool['seconds']:8.2f}"
        for one in pool["within"]:
            line += f"{100 * one['recall']:7.1f}"
            if one["distance_A"] == SHOWN_A:
                line += " ({:4.1f} to {:4.1f})".format(*(100 * end for end in one["recall_95"]))
        if pool["weighted_recall"]:
            line += f"{100 * pool['weighted_recall'][DISTANCES_A.index(SHOWN_A)]:16.1f}"
        lines.append(line)
    lines.append(f"the interval is of {DRAWS} draws of families, each with all of its entries")
    with_hits = [(row, [score.hits for score in scores.values() if score.hits]) for row, scores in run.rows.items()]
    rows = [(row, pools[row]["ions"], pools[row]["sites"], pools[row]["within"][DISTANCES_A.index(SHOWN_A)]["matched"],
             sum(found[1:], found[0])) for row, found in with_hits if found]
    return "\n".join([*lines, *site_hits.table_lines(rows, width, SHOWN_A)]) + "\n"


def write_csv(file, run, entries, pools):
    out = csv.writer(file, lineterminator="\n")
    out.writerow("protocol,entry,family,atoms,ions,sites,distance_A,matched,recall,precision,recall_low_95,recall_high_95,seconds,"
                 "weighted_recall".split(","))
    for row, scores in run.rows.items():
        for entry in (entry for entry in entries if entry.name in scores):
            score = scores[entry.name]
            for d, distance_A in enumerate(DISTANCES_A):
                shares = [score.matched[d] / count if count else 0.0 for count in (score.sites, score.ions)]
                weighted = [f"{score.weighted_recall[d]:g}"] if score.weighted_recall else [""]
                out.writerow([row, entry.name, entry.family, entry.atoms, score.ions, score.sites,
                              *(f"{x:g}" for x in (distance_A, score.matched[d], *shares)), "", "", f"{score.seconds:g}",
                              *weighted])
        pool = pools[row]
        for d, one in enumerate(pool["within"] if row not in run.not_run else []):
            weighted = [f"{pool['weighted_recall'][d]:g}"] if pool["weighted_recall"] else [""]
            out.writerow([row, "all", "", "", pool["ions"], pool["sites"],
                          *(f"{x:g}" for x in (one["distance_A"], one["matched"], one["recall"], one["precision"],
                                               *one["recall_95"], pool["seconds"])), *weighted])


def parse(words):
    parser = argparse.ArgumentParser(prog="python3 -m ionwell.compare_set", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=Path, help="folder of NAME.pqr and NAME.sites.pdb")
    parser.add_argument("--ion", action="append", metavar="NAME:COUNT[:CHARGE]",
                        help="ions to place, as in 'ionwell place'; COUNT can be 'sites', as many as the entry has (default: "
                             "MG:sites)")
    parser.add_argument("--per-site", type=float, default=1.0, metavar="F",
                        help="this many ions for each site if COUNT is 'sites' (default: 1)")
    parser.add_argument("--protocol", action="append", choices=PROTOCOLS, metavar="NAME",
                        help=f"use only this protocol; may be repeated: {', '.join(PROTOCOLS)} (default: {', '.join(USUAL)})")
    parser.add_argument("--pb", choices=["own", "apbs"], default="own", help="solver of the Poisson-Boltzmann equation (default: own)")
    parser.add_argument("--placed", type=Path, metavar="DIR", help="also score the ions in files NAME.LABEL.pdb, .cif or .gro here")
    parser.add_argument("--sites", choices=["ions", "all"], default="ions", help="which atoms of PDB files are sites (default: ions)")
    parser.add_argument("--site-weights", choices=["none", "occupancy", "bfactor"], default="none",
                        help="also count the sites by their occupancy, or by the inverse of their B-factor (default: none)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="for random ions and intervals (default: 1)")
    parser.add_argument("--csv", metavar="FILE", help="table of all entries and distances; - is standard output")
    parser.add_argument("--threads", type=int, default=0, metavar="N",
                        help="threads to compute with, each for an entry, or all for a solver (default: one for each core)")
    arguments = parser.parse_args(words)
    arguments.ion = arguments.ion or ["MG:sites"]
    for text in arguments.ion:
        parts = text.split(":")
        if len(parts) not in (2, 3) or not (parts[1] == "sites" or parts[1].isdecimal()):
            parser.error(f"--ion {text}: give NAME:COUNT[:CHARGE], where COUNT is a number or 'sites'")
    if not 0 < arguments.per_site < float("inf"):
        parser.error(f"--per-site is {arguments.per_site:g}; it must be more than 0")
    if arguments.seed < 0 or arguments.threads < 0:
        parser.error("--seed and --threads must not be negative")
    for option, folder in (("DIR", arguments.folder), ("--placed", arguments.placed)):
        if folder and not folder.is_dir():
            parser.error(f"{option} {folder} is not a folder; give one that can be read")
    if arguments.csv and not Path(arguments.csv).parent.is_dir():
        parser.error(f"--csv {arguments.csv}: there is no folder {Path(arguments.csv).parent}")
    arguments.threads = arguments.threads or len(os.sched_getaffinity(0))
    return arguments


def main(words=None):
    arguments = parse(words)
    warnings.simplefilter("ignore", ionwell.IonwellWarning)  # they are collected by entry
    try:
        entries, families, problems, notes = read_set(arguments.folder)
        placed = find_placed(arguments.placed, entries) if arguments.placed else {}
        run = SetRun(arguments, entries, placed)
        run.run(entries)
    except ionwell.Error as error:
        print(f"compare_set: {error}", file=sys.stderr)
        return 2 if isinstance(error, ionwell.UsageError) else 1
    run.problems = sorted(run.problems + problems)
    run.warnings = sorted(run.warnings + notes)
    pools = {row: pooled(scores, entries, arguments.seed) for row, scores in run.rows.items()}
    for text in run.warnings:
        print(f"warning: {text}", file=sys.stderr)
    if arguments.csv == "-":
        write_csv(sys.stdout, run, entries, pools)
    elif arguments.csv:
        with open(arguments.csv, "w", newline="") as file:
            write_csv(file, run, entries, pools)
    print(table_text(run, entries, families, pools), end="", file=sys.stderr if arguments.csv == "-" else sys.stdout)
    for entry, text in run.problems:
        print(f"compare_set: {entry}: {text}", file=sys.stderr)
    if run.problems:
        print(f"compare_set: {len(run.problems)} problem(s) in {arguments.folder}; the other entries were scored", file=sys.stderr)
    return 1 if run.problems else 0


if __name__ == "__main__":
    sys.exit(main())
