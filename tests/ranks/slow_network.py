#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs that ranks share over a slow network: two network namespaces of this machine, joined by a pair of interfaces that
`tc netem` slows down, with half of the ranks in each, which speak TCP. What they write is compared with what one process
writes, and their times are printed. As root; where namespaces are not to be had it is skipped. Where the kernel has no netem
a process stands in for it, which hands the frames on late.

    slow_network.py MPIEXEC PROGRAM STRUCTURE [--ranks 2,8] [--networks 0.5:1e9,5:1e8] [--ions 9] [--spacing A]
                    [--bench IONWELL-BENCH]     and the model of `ionwell-bench ranks` over the same networks

A network is the delay of each direction in ms, and bits/s. Open MPI alone: others' mpirun takes other words.
"""
import argparse
import collections
import ctypes
import fcntl
import json
import os
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
NAMES = [f"ionwell{os.getpid()}{end}" for end in "ab"]
DEVICE = "slow0"
ADDRESSES = ["10.213.97.1", "10.213.97.2"]


def sh(*words):
    return subprocess.run(words, capture_output=True, text=True)


def need(*words):
    done = sh(*words)
    if done.returncode != 0:
        print(f"skipped: {' '.join(words)}: {done.stderr.strip()}")
        sys.exit(SKIPPED)


class Network:
    """Two namespaces and the slow wire between them."""

    def __init__(self):
        os.environ["PATH"] += ":/usr/sbin:/sbin"
        for tool in ("ip", "tc", "unshare"):
            if shutil.which(tool) is None:
                print(f"skipped: there is no {tool}")
                sys.exit(SKIPPED)
        self.relay = None
        try:
            for name in NAMES:
                need("ip", "netns", "add", name)
                need("ip", "-n", name, "link", "set", "lo", "up")
            self.has_netem = sh("tc", "-n", NAMES[0], "qdisc", "replace", "dev", "lo", "root", "netem").returncode == 0
            if self.has_netem:
                sh("tc", "-n", NAMES[0], "qdisc", "del", "dev", "lo", "root")
                need("ip", "link", "add", DEVICE, "netns", NAMES[0], "type", "veth", "peer", "name", DEVICE, "netns", NAMES[1])
                self.set_up()
        except BaseException:
            self.remove()
            raise

    def set_up(self):
        for name, address in zip(NAMES, ADDRESSES):
            need("ip", "-n", name, "addr", "add", address + "/24", "dev", DEVICE)
            need("ip", "-n", name, "link", "set", DEVICE, "mtu", "9000", "up")

    def slow_down(self, delay_s, bits_per_s):
        if self.has_netem:
            for name in NAMES:
                need("tc", "-n", name, "qdisc", "replace", "dev", DEVICE, "root", "netem", "limit", "100000",
                     "delay", f"{1e6 * delay_s:.0f}us", "rate", f"{bits_per_s:.0f}bit")
            return
        self.end_relay()
        ready, says = os.pipe()
        self.relay = os.fork()
        if self.relay == 0:
            try:
                relay([tap_in(name) for name in NAMES], delay_s, bits_per_s, says)
            finally:
                os._exit(1)
        os.close(says)
        if os.read(ready, 1) != b"!":
            print("skipped: this kernel has no netem, and no TAP devices could be made")
            sys.exit(SKIPPED)
        os.close(ready)
        self.set_up()

    def end_relay(self):
        if self.relay is None:
            return
        os.kill(self.relay, signal.SIGKILL)
        os.waitpid(self.relay, 0)
        self.relay = None

    def remove(self):
        self.end_relay()
        for name in NAMES:
            sh("ip", "netns", "del", name)


def tap_in(name):
    """A network device in a namespace whose frames are this process's."""
    with open(f"/run/netns/{name}") as namespace:
        if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), 0) != 0:
            raise OSError(ctypes.get_errno(), "setns")
    tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    set_interface, is_tap, without_header = 0x400454CA, 0x2, 0x1000
    fcntl.ioctl(tap, set_interface, struct.pack("16sH22x", DEVICE.encode(), is_tap | without_header))
    return tap


def relay(taps, delay_s, bits_per_s, says):
    """Stands in for netem where the kernel has none: hands frames from one to the other, each behind those before it at the
    wire's rate, and then late."""
    waiting, free_at = [collections.deque(), collections.deque()], [0.0, 0.0]
    os.write(says, b"!")
    while True:
        now = time.monotonic()
        for end in (0, 1):
            while waiting[end] and waiting[end][0][0] <= now:
                try:
                    os.write(taps[1 - end], waiting[end].popleft()[1])
                except OSError:  # lost, as on any wire: it is not up yet, or full
                    pass
        due = [queue[0][0] for queue in waiting if queue]
        for tap in select.select(taps, [], [], max(0.0, min(due) - now) if due else None)[0]:
            end = taps.index(tap)
            for _ in range(64):
                try:
                    frame = os.read(tap, 65536)
                except BlockingIOError:
                    break
                free_at[end] = max(time.monotonic(), free_at[end]) + 8 * len(frame) / bits_per_s
                waiting[end].append((free_at[end] + delay_s, frame))


def enter(name, words):
    """Also with a host's name of its own, for MPI tells hosts apart by that."""
    return ["ip", "netns", "exec", name, "unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', name, *words]


def slow_mpirun(mpiexec, ranks, agent):
    """mpirun in the first namespace, with half of the ranks there."""
    hosts = f"{ADDRESSES[0]}:{(ranks + 1) // 2},{ADDRESSES[1]}:{max(1, ranks // 2)}"
    return [mpiexec, "-n", str(ranks), "--host", hosts, "--map-by", "slot", "--bind-to", "none",
            "--mca", "plm_rsh_agent", agent, "--mca", "btl", "tcp,vader,self", "--mca", "btl_tcp_if_include", DEVICE,
            "--mca", "oob_tcp_if_include", DEVICE, "-x", "OMP_NUM_THREADS"]


def timed(words, folder, name=None):
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMP_NUM_THREADS="1")
    begin = time.monotonic()
    done = subprocess.run(enter(name, words) if name else words, cwd=folder, env=environment, capture_output=True, text=True,
                          timeout=600)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return time.monotonic() - begin, done.stdout


def body(path):
    """What a run computed, without what it says of itself."""
    with open(path, "rb") as file:
        return b"".join(line for line in file if not line.startswith((b"#", b"REMARK", b"TITLE", b"HEADER")))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mpiexec")
    parser.add_argument("program")
    parser.add_argument("structure")
    parser.add_argument("--ranks", default="2")
    parser.add_argument("--networks", default="1:1e9")
    parser.add_argument("--ions", default="9")
    parser.add_argument("--spacing", default="1")
    parser.add_argument("--bench")
    options = parser.parse_args()
    if os.geteuid() != 0:
        print("skipped: network namespaces are made by root")
        sys.exit(SKIPPED)
    program, structure = os.path.abspath(options.program), os.path.abspath(options.structure)
    runs = [("place msm", ["place", structure, "--ion", f"MG:{options.ions}", "--method", "msm"], "ions.pdb"),
            ("place direct", ["place", structure, "--ion", f"MG:{options.ions}", "--method", "direct"], "ions.pdb"),
            ("map msm", ["map", structure, "--method", "msm"], "map.dx")]
    network = Network()
    try:
        with tempfile.TemporaryDirectory() as folder:
            agent = os.path.join(folder, "agent")
            with open(agent, "w") as script:  # HOST COMMAND..., as ssh takes them
                script.write('#!/bin/sh\nshift\nexec ' + shlex.join(enter(NAMES[1], ["sh", "-c"])) + ' "$*"\n')
            os.chmod(agent, 0o755)
            output = os.path.join(folder, "out")

            def one(words, result, mpirun, name):
                path = os.path.join(folder, result)
                words = [*mpirun, program, *words, "--spacing", options.spacing, "--backend", "cpu", "--quiet", "--report",
                         output, "-o", path]
                seconds, _ = timed(words, folder, name)
                with open(output) as report:
                    stages = json.load(report)["timings_s"]
                return seconds, stages, body(path)

            print("slowed down by", "tc netem" if network.has_netem else "a relay of frames: this kernel has no netem")
            print(f"{'network':>14} {'ranks':>5} {'run':>13} {'in all [s]':>10} {'potential':>10} {'placement':>10}  bytes")
            alone = {}
            for title, words, result in runs:
                alone[title] = one(words, result, [], None)
            for ranks in [1, *map(int, options.ranks.split(","))]:
                for where in ["-"] if ranks == 1 else options.networks.split(","):
                    if ranks > 1:
                        delay_ms, bits_per_s = map(float, where.split(":"))
                        network.slow_down(1e-3 * delay_ms, bits_per_s)
                    for title, words, result in runs:
                        mpirun = [] if ranks == 1 else slow_mpirun(options.mpiexec, ranks, agent)
                        seconds, stages, written = (alone[title] if ranks == 1 else
                                                    one(words, result, mpirun, NAMES[0]))
                        if written != alone[title][2]:
                            sys.exit(f"{title}, {ranks} ranks, {where}: other bytes than one process's")
                        print(f"{where:>14} {ranks:5} {title:>13} {seconds:10.2f} {stages.get('potential', 0):10.3f} "
                              f"{stages.get('placement', 0):10.3f}  the same", flush=True)
                    if ranks > 1 and options.bench:
                        bench = [*slow_mpirun(options.mpiexec, ranks, agent), os.path.abspath(options.bench), "ranks",
                                 "--points", "1e6", "--threads", "1"]
                        print(timed(bench, folder, NAMES[0])[1], flush=True)
    finally:
        network.remove()


if __name__ == "__main__":
    main()
