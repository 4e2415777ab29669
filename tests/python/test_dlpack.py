# SPDX-License-Identifier: BSD-3-Clause
"""Maps for other libraries, and arrays of theirs, by DLPack: no copy, right owners, and errors that say what is wrong."""
import gc
import unittest
import weakref

import dlpack
import ionwell
import numpy as np
from support import IonwellTest, main, resident_bytes, small_structure


def small_map(dtype=np.float32):
    return ionwell.Map(np.arange(24, dtype=dtype).reshape(2, 3, 4), (0, 0, 0), 1)


class Exports(IonwellTest):
    def test_numpy_sees_the_values_without_a_copy(self):
        for made in [ionwell.potential(small_structure(), spacing=2), small_map(np.float64)]:
            array = np.from_dlpack(made)
            self.assertTrue(np.shares_memory(array, made.values))
            self.assertEqual((array.shape, array.strides, array.dtype),
                             (made.values.shape, made.values.strides, made.values.dtype))
            made.values[1, 0, 1] = 42
            self.assertEqual(array[1, 0, 1], 42)

    def test_the_values_live_as_long_as_whoever_has_them(self):
        expected = small_map().values.copy()
        array = np.from_dlpack(small_map())
        gc.collect()
        [np.full((2, 3, 4), 7, np.float32) for _ in range(100)]  # what would take freed memory
        self.assertEqual(array.tolist(), expected.tolist())
        made = small_map()
        capsule = made.__dlpack__(max_version=(1, 0))
        managed, free = dlpack.taken(capsule)
        address = managed.tensor.data
        self.assertEqual(address, made.values.__array_interface__["data"][0])
        del made, capsule
        gc.collect()
        self.assertEqual(np.ctypeslib.as_array((dlpack.ctypes.c_float * 24).from_address(address)).tolist(),
                         expected.ravel(order="F").tolist())
        free()

    def test_what_is_in_the_capsules(self):
        made = small_map()
        for max_version, name in [(None, dlpack.Managed), ((0, 8), dlpack.Managed), ((1, 0), dlpack.Versioned),
                                  ((1, 3), dlpack.Versioned), ((2, 0), dlpack.Versioned)]:
            with self.subTest(max_version=max_version):
                capsule = made.__dlpack__(max_version=max_version)
                managed = dlpack.opened(capsule)
                self.assertIs(type(managed), name)
                if name is dlpack.Versioned:
                    self.assertEqual((managed.major, managed.minor, managed.flags), (1, 0, 0))
                tensor = managed.tensor
                self.assertEqual((tensor.device.type, tensor.device.number), made.__dlpack_device__())
                self.assertEqual((tensor.type.code, tensor.type.bits, tensor.type.lanes), (dlpack.FLOAT, 32, 1))
                self.assertEqual((tensor.shape[:3], tensor.strides[:3], tensor.byte_offset), ([2, 3, 4], [1, 2, 6], 0))

    def test_copies_when_asked_for(self):
        made = small_map()
        for copy, flags in [(True, dlpack.COPIED), (False, 0), (None, 0)]:
            capsule = made.__dlpack__(max_version=(1, 0), copy=copy, dl_device=(dlpack.HOST, 0))
            managed = dlpack.opened(capsule)
            self.assertEqual(managed.flags, flags)
            self.assertEqual(managed.tensor.data != made.values.__array_interface__["data"][0], bool(copy))
            first = dlpack.ctypes.c_float.from_address(managed.tensor.data + 4 * 23).value
            self.assertEqual(first, 23)

    def test_what_cannot_be_had(self):
        made = small_map()
        error = self.fails(ionwell.ExportError, ["dl_device is (2, 0)", "(1, 0)"], made.__dlpack__, dl_device=(2, 0))
        self.assertIsInstance(error, BufferError)  # as the protocol has it
        self.assertIsInstance(error, ionwell.Error)
        self.fails(ionwell.UsageError, "no streams", made.__dlpack__, stream=1)
        for wrong in [3, (1,), ("a", "b"), (1, 0, 0)]:
            self.fails(ionwell.UsageError, "dl_device is", made.__dlpack__, dl_device=wrong)
            self.fails(ionwell.UsageError, "max_version is", made.__dlpack__, max_version=wrong)

    def test_capsules_leave_nothing(self):
        made = ionwell.Map(np.zeros((30, 30, 30)), (0, 0, 0), 1)

        def some(count):
            for _ in range(count):
                np.from_dlpack(made)
                made.__dlpack__(max_version=(1, 0))
                made.__dlpack__(copy=True)
                dlpack.taken(made.__dlpack__(max_version=(1, 0), copy=True))[1]()
        some(100)
        before = resident_bytes()
        some(1000)
        self.assertLess(resident_bytes() - before, 2 << 20)  # a copy kept a call would be 200 MB
        watched = weakref.ref(np.from_dlpack(made))
        self.assertIsNone(watched())


class Imports(IonwellTest):
    def setUp(self):
        self.rows = np.array([[0, 0, 0], [4, 0, 0], [8, 0, 0]], float)
        self.expected = ionwell.place((self.rows, [-1, -1, -1]), {"NA": 2}, spacing=1).positions.tolist()

    def placed(self, positions, charges=(-1, -1, -1)):
        return ionwell.place((positions, list(charges) if isinstance(charges, tuple) else charges), {"NA": 2},
                             spacing=1).positions.tolist()

    def foreign(self, array, **keywords):
        item = array.itemsize
        kind = {"f": dlpack.FLOAT, "i": dlpack.INT, "u": dlpack.UNSIGNED, "c": dlpack.COMPLEX}[array.dtype.kind]
        return dlpack.Foreign(array.__array_interface__["data"][0], array.shape, [s // item for s in array.strides],
                              **{"kind": kind, "bits": 8 * item, "owner": array, **keywords})

    def test_any_order_type_and_version(self):
        wide = np.zeros((6, 5))
        wide[::2, 1:4] = self.rows
        for array in [self.rows, np.asfortranarray(self.rows), wide[::2, 1:4], self.rows[::-1].copy()[::-1],
                      self.rows.astype(np.float32), self.rows.astype(np.int64), self.rows.astype(np.uint8),
                      self.rows.astype(np.float16)]:
            for versioned in [True, False]:
                foreign = self.foreign(array, versioned=versioned)
                self.assertEqual(self.placed(foreign), self.expected)
                self.assertEqual(foreign.asked[-1], {"max_version": (1, 0)} if versioned else {})
        packed = dlpack.Foreign(self.rows.__array_interface__["data"][0], (3, 3), owner=self.rows)  # no strides
        self.assertEqual(self.placed(packed, self.foreign(np.full(9, -1.0)[::3])), self.expected)
        start = dlpack.Foreign(wide.__array_interface__["data"][0], (3, 3), (10, 1), offset=8, owner=wide)
        self.assertEqual(self.placed(start), self.expected)

    def test_a_map_is_an_array(self):
        made = small_map()
        again = ionwell.Map(made, made.origin, made.spacing)
        self.assertEqual(again.values.tolist(), made.values.tolist())
        self.assertFalse(np.shares_memory(again.values, made.values))

    def test_what_is_refused_is_named(self):
        rows = self.rows
        far, empty = rows.copy(), np.zeros((0, 3))
        far[1, 2] = np.nan
        for parts, array in [
                ("positions[1, 2] is nan", self.foreign(far)), ("positions is empty", self.foreign(empty)),
                ("positions has the shape (9,)", self.foreign(rows.ravel())),
                (["positions has values of the DLPack type (5, 128, 1)", "real"], self.foreign(rows.astype(complex))),
                ("type (2, 64, 2)", self.foreign(rows, lanes=2)), ("type (4, 16, 1)", self.foreign(rows, kind=4, bits=16)),
                ("comes with DLPack 2.0", self.foreign(rows, major=2)),
                (["not a CUDA GPU (DLPack type 10)", "copy it to the host"], self.foreign(rows, device=(10, 0)))]:
            with self.subTest(parts):
                self.fails(ionwell.ArrayError, parts, ionwell.Structure, array, [-1, -1, -1])

    def test_what_another_library_raises_is_told(self):
        class Refuses(dlpack.Foreign):
            def __dlpack__(self, **keywords):
                raise BufferError("requires grad")

        class Nothing(dlpack.Foreign):
            def __dlpack__(self, **keywords):
                return None
        self.fails(ionwell.ArrayError, ["charges is not available by DLPack: requires grad", "NumPy"], ionwell.Structure,
                   self.rows, Refuses(0, (3,)))
        self.fails(ionwell.ArrayError, ["charges has a __dlpack__ that returns None"], ionwell.Structure, self.rows,
                   Nothing(0, (3,)))

    def test_the_array_is_let_go(self):
        def some(count):
            for _ in range(count):
                ionwell.Structure(self.foreign(self.rows), self.foreign(np.full(3, -1.0)))
        foreign = self.foreign(self.rows)
        structure = ionwell.Structure(foreign, [-1, -1, -1])
        watched = weakref.ref(foreign)
        del foreign
        self.assertIsNone(watched())  # what it had was copied
        self.assertEqual(len(structure), 3)
        some(100)
        before = resident_bytes()
        some(1000)
        self.assertLess(resident_bytes() - before, 2 << 20)


class WithoutGpu(IonwellTest):
    @classmethod
    def setUpClass(cls):
        try:
            ionwell.potential(small_structure(), spacing=4, backend="gpu")
        except ionwell.Error:
            return
        raise unittest.SkipTest("there is a GPU here; test_gpu.py tests it")

    def test_a_map_that_is_to_stay_there(self):
        structure = small_structure()
        self.fails(ionwell.Error, ["keep_on_device=True", "GPU", "leave it out"], ionwell.potential, structure,
                   keep_on_device=True)

    def test_an_array_that_is_there(self):
        there = dlpack.Foreign(4096, (3, 3), device=(dlpack.CUDA, 0))
        self.fails(ionwell.ArrayError, ["positions is in the memory of a GPU, but", "copy it to the host"],
                   ionwell.Structure, there, [-1, -1, -1])
        self.assertEqual(there.asked, [])  # nothing was begun


class KeepOnDevice(IonwellTest):
    def test_what_does_not_go_with_it(self):
        structure = small_structure()
        self.fails(ionwell.UsageError, ["keep_on_device=True", "leave out at"], ionwell.potential, structure,
                   [[0, 0, 9]], keep_on_device=True)
        self.fails(ionwell.UsageError, ["keep_on_device=True", "backend='cpu'"], ionwell.potential, structure,
                   keep_on_device=True, backend="cpu")


if __name__ == "__main__":
    main()
