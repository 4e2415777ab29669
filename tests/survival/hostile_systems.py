#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs each long command where something is missing that a program takes for granted: room on the disk, more and more
of it from none on, or of a quota; a disk that can be written; /proc; threads. Each run gives its result, or one message
and no file that is half there. A quota takes btrfs-progs and root; without them that part is left out, with a line.

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
    needed = sum(len(data) for data in whole if isinstance(data, bytes)) or 1 << 16
    failed = fit = warned = 0
    for step in range(1, steps + 1):
        pages = max(step, int(3.0 * needed / 4096 * step / steps))
        mount("-t", "tmpfs", "-o", f"size={4 * pages}k", "none", folder)
        state = ["--checkpoint", os.path.join(folder, "run.state"), "--tune", "checkpoint-every=0.02"]
        result = start(run, program, folder, state)
        where = f"a disk of {4 * pages} KiB"
        if check_end(run, where, result, folder, whole):
            fit += 1
        else:
            failed += 1
        warned += "no checkpoint is written" in result.stderr
        unmount(folder)
    return f"{failed} disks too small, {fit} large enough, {warned} too small for a checkpoint"


def tried(*words):
    """Whether the command is there and succeeds."""
    return bool(shutil.which(words[0])) and subprocess.run(words, capture_output=True, check=False).returncode == 0


def mount_with_quotas(image, folder):
    """A file system that has quotas, in a file; False where there is none."""
    with open(image, "wb") as out:
        out.truncate(128 << 20)
    return (tried("mkfs.btrfs", "-q", image) and tried("mount", "-o", "loop", image, folder) and
            tried("btrfs", "quota", "enable", folder))


def check_quota(run, program, disk, whole, steps):
    """With quotas from almost nothing to enough."""
    needed = sum(len(data) for data in whole if isinstance(data, bytes)) or 1 << 16
    failed = fit = 0
    for step in range(1, steps + 1):
        folder = os.path.join(disk, f"part-{step}")
        limit = int((64 << 10) + (3.0 * needed + (1 << 20)) * (step - 1) / max(steps - 1, 1))
        subprocess.run(["btrfs", "subvolume", "create", folder], capture_output=True, check=True)
        subprocess.run(["btrfs", "qgroup", "limit", str(limit), folder], capture_output=True, check=True)
        state = ["--checkpoint", os.path.join(folder, "run.state"), "--tune", "checkpoint-every=0.02"]
        fits = check_end(run, f"a quota of {limit >> 10} KiB", start(run, program, folder, state), folder, whole)
        fit += fits
        failed += not fits
        subprocess.run(["btrfs", "subvolume", "delete", folder], capture_output=True, check=True)
    return f"{failed} quotas too small, {fit} large enough"


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
    with tempfile.TemporaryDirectory() as inputs, tempfile.TemporaryDirectory() as disk:
        has_quotas = mount_with_quotas(os.path.join(inputs, "disk"), disk)
        if not has_quotas:
            print("no file system with quotas here (btrfs-progs, root): that part is left out")
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
            done = check_small_disks(run, program, folder, whole, steps)
            if has_quotas:
                done += "; " + check_quota(run, program, disk, whole, max(steps // 6, 2))
            print(f"{run.name:32} {done}", flush=True)
            os.rmdir(folder)
        if os.path.ismount(disk):
            unmount(disk)


main()
