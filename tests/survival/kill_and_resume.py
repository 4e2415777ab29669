#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kills each long command at random moments, by SIGKILL, and lets it go on from its checkpoint, killed again or not:
at every moment there is a whole checkpoint or none, no other file is half there, and in the end the result is byte for
byte that of a run that was never stopped.

    kill_and_resume.py PROGRAM DUPLEX.pqr [MOMENTS [BACKEND [NAME]]]

MOMENTS: of each command, 200 for the record, 3 in CTest; BACKEND: cpu, or gpu; NAME: only runs with this in their name,
for several of these side by side.
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import runs


def run_for(command, seconds):
    """Exit code of the command, or None when it was killed after that time."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        error = process.communicate(timeout=seconds)[1]
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return None
    if process.returncode != 0:
        sys.exit(f"failed: {' '.join(command)}\n{error.decode()}")
    return 0


def check(run, program, folder, moments, chance):
    started = time.monotonic()
    run_for(run.command(program, folder), None)
    seconds = time.monotonic() - started
    whole = run.results(folder)
    if None in whole:
        sys.exit(f"failed: {run.name}: not all of its files are there")
    before = without = kills = 0
    for _ in range(moments):
        shutil.rmtree(folder)
        os.mkdir(folder)
        state = os.path.join(folder, "run.state")
        command = run.command(program, folder, ["--resume", state, "--tune", "checkpoint-every=0.01"])
        ended, most = None, chance.choice([1, 1, 2, 4])
        for _ in range(most):
            ended = run_for(command, chance.uniform(0.0, 1.1 * seconds))
            if ended is not None:
                break
            kills += 1
            without += not os.path.exists(state)
            for name, found, expected in zip(run.outputs, run.results(folder), whole):
                if found not in (None, expected):
                    sys.exit(f"failed: {run.name}: {name} is half there")
        before += ended is not None
        if ended is None:
            run_for(command, None)
        if run.results(folder) != whole:
            kept = tempfile.mkdtemp(prefix="differs-")
            shutil.copytree(folder, kept, dirs_exist_ok=True)
            sys.exit(f"failed: {run.name}: the result is another one; it is in {kept}")
        left = set(os.listdir(folder)) - set(run.outputs) - {"run.state"}
        if left:
            sys.exit(f"failed: {run.name}: {', '.join(sorted(left))} was left behind")
    print(f"{run.name:32} {moments:4} runs, {kills:4} kills, {without} before the first checkpoint, "
          f"{before} runs ended first; {seconds:.2f} s", flush=True)


def main():
    program, duplex, more = runs.arguments("MOMENTS [BACKEND [NAME]]")
    moments = int(more[0]) if more else 3
    chance = random.Random()
    seed = os.environ.get("IONWELL_SEED") or str(chance.randrange(10**6))
    chance.seed(seed)
    print(f"seed {seed} (IONWELL_SEED)")
    with tempfile.TemporaryDirectory() as inputs:
        chosen = [run for run in runs.make_runs(duplex, inputs, *more[1:2]) if "".join(more[2:]) in run.name]
        if not chosen:
            sys.exit(f"failed: no run has {more[2]} in its name")
        for run in chosen:
            folder = os.path.join(inputs, "results")
            os.mkdir(folder)
            check(run, program, folder, moments, chance)
            shutil.rmtree(folder)


main()
