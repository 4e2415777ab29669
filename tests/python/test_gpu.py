# SPDX-License-Identifier: BSD-3-Clause
"""The GPU from Python: the same ions, arrays that stay there, and processes that are made while it is in use."""
import ctypes
import gc
import multiprocessing
import os
import unittest

import dlpack
import ionwell
import numpy as np
from support import DUPLEX, IonwellTest, main


def placed(backend):
    result = ionwell.place(ionwell.read(DUPLEX), {"MG": 4, "NA": "neutralize"}, spacing=0.25, backend=backend)
    return result.report["backend"]["kind"], result.positions.tolist(), result.energies.tolist()


def require_gpu():
    """What place gives there; the test is skipped where there is none."""
    try:
        return placed("gpu")
    except ionwell.Error as error:
        if os.environ.get("IONWELL_REQUIRE_GPU") == "1":
            raise
        raise unittest.SkipTest(str(error))


class Gpu(IonwellTest):
    @classmethod
    def setUpClass(cls):
        cls.on_gpu = require_gpu()

    def check(self, found, kind):
        self.assertEqual(self.on_gpu[0], "gpu")
        self.assertEqual(found[:2], (kind, self.on_gpu[1]))
        np.testing.assert_allclose(found[2], self.on_gpu[2], rtol=1e-10)  # sums in another order

    def test_the_same_ions(self):
        self.check(placed("cpu"), "cpu")

    def test_the_potential(self):
        structure = ionwell.read(DUPLEX)
        one, other = (ionwell.potential(structure, spacing=1, method="direct", backend=backend) for backend in ["gpu", "cpu"])
        difference = abs(one.values - other.values).max()
        self.assertLess(difference, 1e-5 * abs(other.values).max())  # single precision

    def test_a_forked_process_computes_on_the_cpu(self):
        with multiprocessing.get_context("fork").Pool(1) as pool:
            self.check(pool.apply_async(placed, ["auto"]).get(60), "cpu")
            self.fails(ionwell.Error, "spawn", pool.apply_async(placed, ["gpu"]).get, 60)

    def test_a_spawned_process_has_the_gpu(self):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            self.check(pool.apply_async(placed, ["gpu"]).get(120), "gpu")


class Cuda:
    """What the tests need of CUDA's runtime, which no package need be there for."""

    TO_HOST, TO_DEVICE = 2, 1

    def __init__(self):
        for name in ["libcudart.so", "libcudart.so.13", "libcudart.so.12", "/usr/local/cuda/lib64/libcudart.so"]:
            try:
                self.library = ctypes.CDLL(name)
                return
            except OSError:
                pass
        raise unittest.SkipTest("there is no libcudart.so here")

    def call(self, name, *arguments):
        error = getattr(self.library, name)(*arguments)
        if error:
            raise RuntimeError(f"{name}: error {error}")

    def to_host(self, address, shape):
        """Of single precision in Fortran's order."""
        values = np.empty(shape, np.float32, order="F")
        self.call("cudaMemcpy", ctypes.c_void_p(values.ctypes.data), ctypes.c_void_p(address),
                  ctypes.c_size_t(values.nbytes), self.TO_HOST)
        return values

    def to_device(self, array):
        """A copy of the memory of an array; its address."""
        address = ctypes.c_void_p()
        self.call("cudaMalloc", ctypes.byref(address), ctypes.c_size_t(array.nbytes))
        self.call("cudaMemcpy", address, ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes), self.TO_DEVICE)
        return address.value

    def free(self, address):
        self.call("cudaFree", ctypes.c_void_p(address))

    def used_bytes(self):
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.call("cudaMemGetInfo", ctypes.byref(free), ctypes.byref(total))
        return total.value - free.value


class DeviceArrays(IonwellTest):
    """Maps that stay on the GPU, and arrays of other libraries there."""

    @classmethod
    def setUpClass(cls):
        require_gpu()
        cls.cuda = Cuda()
        cls.structure = ionwell.read(DUPLEX)

    def made(self, **keywords):
        return ionwell.potential(self.structure, spacing=1, backend="gpu", **keywords)

    def test_the_values_are_those_of_the_host_map_bit_for_bit(self):
        for keywords in [{}, {"unit": "mV"}, {"method": "direct"}, {"box": ((0, 0, 0), (12, 9, 0))}]:
            with self.subTest(keywords):
                on_gpu, on_host = self.made(keep_on_device=True, **keywords), self.made(**keywords)
                self.assertIsInstance(on_gpu, ionwell.DeviceMap)
                self.assertEqual(on_gpu.__dlpack_device__()[0], dlpack.CUDA)
                self.assertEqual(on_gpu.shape, on_host.values.shape)
                self.assertEqual((on_gpu.unit, on_gpu.temperature), (on_host.unit, on_host.temperature))
                self.assertEqual(on_gpu.origin.tolist(), on_host.origin.tolist())
                self.assertEqual(on_gpu.report["backend"]["kind"], "gpu")
                tensor = dlpack.opened(on_gpu.__dlpack__()).tensor
                self.assertEqual((tensor.device.type, tensor.device.number), on_gpu.__dlpack_device__())
                shape = tuple(tensor.shape[:3])
                self.assertEqual(tensor.strides[:3], [1, shape[0], shape[0] * shape[1]])
                values = self.cuda.to_host(tensor.data, shape)
                self.assertEqual(values.tobytes(order="F"), on_host.values.tobytes(order="F"))
                again = on_gpu.to_map()
                self.assertEqual(again.values.tobytes(order="F"), on_host.values.tobytes(order="F"))
                self.assertEqual(again.report, on_gpu.report)
                self.assertGreater(abs(values).max(), 0)

    def test_what_a_consumer_may_ask_for(self):
        made = self.made(keep_on_device=True)
        own = made.__dlpack_device__()
        address = dlpack.opened(made.__dlpack__(max_version=(1, 0))).tensor.data
        for stream in [None, -1, 1, 2]:
            managed = dlpack.opened(made.__dlpack__(stream=stream, max_version=(1, 0), dl_device=own, copy=False))
            self.assertEqual((managed.tensor.data, managed.flags), (address, 0))
        copied = made.__dlpack__(max_version=(1, 0), copy=True)
        managed = dlpack.opened(copied)
        self.assertNotEqual(managed.tensor.data, address)
        self.assertEqual((managed.tensor.device.type, managed.flags), (dlpack.CUDA, dlpack.COPIED))
        self.assertEqual(self.cuda.to_host(managed.tensor.data, made.shape).tolist(), made.to_map().values.tolist())
        on_host = made.__dlpack__(max_version=(1, 0), dl_device=(dlpack.HOST, 0))
        managed = dlpack.opened(on_host)
        self.assertEqual((managed.tensor.device.type, managed.flags), (dlpack.HOST, dlpack.COPIED))
        first = ctypes.c_float.from_address(managed.tensor.data).value
        self.assertEqual(first, made.to_map().values[0, 0, 0])
        self.fails(ionwell.ExportError, "copy is False", made.__dlpack__, dl_device=(dlpack.HOST, 0), copy=False)
        self.fails(ionwell.ExportError, "dl_device is (2, 99)", made.__dlpack__, dl_device=(dlpack.CUDA, 99))
        for stream in [0, -2, "1"]:
            self.fails(ionwell.UsageError, "stream is", made.__dlpack__, stream=stream)

    def test_the_memory_is_freed_with_its_last_owner(self):
        made = self.made(keep_on_device=True)
        expected = made.to_map().values.tolist()
        managed, free = dlpack.taken(made.__dlpack__())
        del made
        gc.collect()
        self.assertEqual(self.cuda.to_host(managed.tensor.data, tuple(managed.tensor.shape[:3])).tolist(), expected)
        free()
        gc.collect()
        box = ((0, 0, 0), (200, 200, 200))  # 32.5 MB
        def some(count):
            for _ in range(count):
                kept = ionwell.potential(self.structure, spacing=1, box=box, keep_on_device=True)
                kept.__dlpack__()
                dlpack.taken(kept.__dlpack__(max_version=(1, 0)))[1]()
        some(2)
        before = self.cuda.used_bytes()
        some(20)
        self.assertLess(self.cuda.used_bytes() - before, 100 << 20)  # one kept a call would be 650 MB

    def test_arrays_of_the_gpu_are_copied(self):
        rows = np.array([[0, 0, 0], [4, 0, 0], [8, 0, 0]], float)
        expected = ionwell.place((rows, [-1, -1, -1]), {"NA": 2}, spacing=1).positions.tolist()
        wide = np.zeros((6, 5), np.float32)
        wide[::2, 1:4] = rows
        for memory, keywords in [(rows, {}), (wide, {"strides": (10, 1), "bits": 32, "offset": 4}),
                                 (rows[::-1].copy(), {"strides": (-3, 1), "offset": 48}),
                                 (np.asfortranarray(rows).T.copy(), {"strides": (1, 3)})]:
            address = self.cuda.to_device(memory)
            foreign = dlpack.Foreign(address, (3, 3), device=(dlpack.CUDA, 0), **keywords)
            placed = ionwell.place((foreign, [-1, -1, -1]), {"NA": 2}, spacing=1)
            self.assertEqual(placed.positions.tolist(), expected)
            self.assertEqual(foreign.asked, [{"max_version": (1, 0), "stream": 1}])
            self.cuda.free(address)
        made = self.made(keep_on_device=True)
        again = ionwell.Map(made, made.origin, made.spacing, made.unit)
        self.assertEqual(again.values.tolist(), made.to_map().values.tolist())


if __name__ == "__main__":
    main()
