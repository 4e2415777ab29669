#!/usr/bin/env python3
"""Runs each long command where something is missing that a program takes for granted: room on the disk, more and more
of it from none on; a disk that can be written; /proc; threads. Each run gives its result, or one message and no file
that is half there.

    hostile_systems.py PROGRAM DUPLEX.pqr [STEPS]      STEPS: sizes of the disk for each command, 60 for the record,
                                                       6 in CTest
"""
import ctypes
import os
import platform
import shutil
import struct
import subprocess
import sys
import tempfile

import runs

IN_NAMESPACE = "IONWELL_IN_NAMESPACE"


def enter_namespace():
    """Goes on in a mount namespace of its own, in which this program may mount; skips where that is not allowed."""
    if os.environ.get(IN_NAMESPACE):
        return
    unshare = shutil.which("unshare")
    for options in (["--mount"], ["--map-root-user", "--mount"]):
        if unshare and subprocess.run([unshare, *options, "sh", "-c", "mount -t tmpfs none /mnt"],
                                      capture_output=True, check=False).returncode == 0:
            os.environ[IN_NAMESPACE] = "yes"
            os.execv(unshare, [unshare, *options, sys.executable, *sys.argv])
    runs.skip("this system lets no process mount in a namespace of its own")


def mount(*words):
    subprocess.run(["mount", *words], check=True)


def unmount(folder):
    subprocess.run(["umount", folder], check=True)


def errors_in(text):
    return [line for line in text.splitlines() if line.startswith("ionwell: ") and not line.startswith("ionwell: warning: ")]


def fail(run, where, what):
    sys.exit(f"failed: {run.name}, {where}: {what}")


def check_end(run, where, result, folder, whole):
    """Whether the run gave its result; else it has said why, once, and left nothing half done."""
    found = run.results(folder)
    for name, data, expected in zip(run.outputs, found, whole):
        if data not in (None, expected):
            fail(run, where, f"{name} is half there")
    errors = errors_in(result.stderr)
    if result.returncode == 0:
        if found != whole or errors:
            fail(run, where, f"it says that all is well, but {errors or 'a file is missing'}")
        return True
    if result.returncode < 0 or len(errors) != 1:
        fail(run, where, f"exit code {result.returncode}, {len(errors)} messages:\n{result.stderr}")
    left = [name for name in os.listdir(folder) if name not in run.outputs and name != "run.state"]
    if left:
        fail(run, where, f"{', '.join(left)} was left behind")
    return False


def start(run, program, folder, more=(), **settings):
    return subprocess.run(run.command(program, folder, more), capture_output=True, text=True, check=False, **settings)


def check_small_disks(run, program, folder, whole, steps):
    needed = sum(len(data) for data in whole)
    failed = fit = warned = 0
    for step in range(1, steps + 1):
        pages = max(step, int(3.0 * needed / 4096 * step / steps))
        mount("-t", "tmpfs", "-o", f"size={4 * pages}k", "none", folder)
        state = ["--checkpoint", os.path.join(folder, "run.state"), "--checkpoint-every", "0.02"]
        result = start(run, program, folder, state)
        where = f"a disk of {4 * pages} KiB"
        if check_end(run, where, result, folder, whole):
            fit += 1
        else:
            failed += 1
        warned += "no checkpoint is written" in result.stderr
        unmount(folder)
    return f"{failed} disks too small, {fit} large enough, {warned} too small for a checkpoint"


def check_read_only(run, program, folder, whole):
    mount("-t", "tmpfs", "-o", "ro", "none", folder)
    if check_end(run, "a read-only disk", start(run, program, folder), folder, whole):
        fail(run, "a read-only disk", "it says that all is well")
    unmount(folder)


def check_without_proc(run, program, folder, whole):
    mount("-t", "tmpfs", "none", "/proc")
    result = start(run, program, folder)
    unmount("/proc")
    if not check_end(run, "without /proc", result, folder, whole):
        fail(run, "without /proc", result.stderr)
    empty(folder)


def empty(folder):
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))


def deny_threads():
    """A seccomp filter under which clone() makes processes, but no threads (x86-64)."""
    load, equal, any_bit, give = 0x20, 0x15, 0x45, 0x06
    allow, errno_eagain, errno_enosys = 0x7FFF0000, 0x0005000B, 0x00050026
    clone, clone3, clone_thread = 56, 435, 0x10000
    filters = [(load, 0, 0, 0), (equal, 4, 0, clone3), (equal, 0, 2, clone), (load, 0, 0, 16),
               (any_bit, 2, 0, clone_thread), (give, 0, 0, allow), (give, 0, 0, errno_enosys), (give, 0, 0, errno_eagain)]
    code = b"".join(struct.pack("<HBBI", *f) for f in filters)
    buffer = ctypes.create_string_buffer(code)
    program = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", len(filters), ctypes.addressof(buffer)))
    libc = ctypes.CDLL(None, use_errno=True)
    set_no_new_privileges, set_seccomp, mode_filter = 38, 22, 2
    if libc.prctl(set_no_new_privileges, 1, 0, 0, 0) != 0 or libc.prctl(set_seccomp, mode_filter, program, 0, 0) != 0:
        os._exit(99)


def check_without_threads(run, program, folder, whole):
    if platform.machine() != "x86_64":
        return
    result = start(run, program, folder, preexec_fn=deny_threads)
    if result.returncode == 99:
        return
    if not check_end(run, "without threads", result, folder, whole):
        fail(run, "without threads", result.stderr)
    empty(folder)


def main():
    program, duplex, more = runs.arguments("STEPS")
    enter_namespace()
    steps = int(more[0]) if more else 6
    with tempfile.TemporaryDirectory() as inputs:
        for run in runs.make_runs(duplex, inputs):
            folder = os.path.join(inputs, "results")
            os.mkdir(folder)
            result = start(run, program, folder)
            whole = run.results(folder)
            if result.returncode != 0 or None in whole:
                fail(run, "untouched", result.stderr)
            empty(folder)
            check_without_threads(run, program, folder, whole)
            check_without_proc(run, program, folder, whole)
            check_read_only(run, program, folder, whole)
            print(f"{run.name:32} {check_small_disks(run, program, folder, whole, steps)}", flush=True)
            os.rmdir(folder)


main()
