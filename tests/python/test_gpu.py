"""The GPU from Python: the same ions, and processes that are made while it is in use."""
import multiprocessing
import os
import unittest

import ionwell
import numpy as np
from support import DUPLEX, IonwellTest, main


def placed(backend):
    result = ionwell.place(ionwell.read(DUPLEX), {"MG": 4, "NA": "neutralize"}, spacing=0.25, backend=backend)
    return result.report["backend"]["kind"], result.positions.tolist(), result.energies.tolist()


class Gpu(IonwellTest):
    @classmethod
    def setUpClass(cls):
        try:
            cls.on_gpu = placed("gpu")
        except ionwell.Error as error:
            if os.environ.get("IONWELL_REQUIRE_GPU") == "1":
                raise
            raise unittest.SkipTest(str(error))

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


if __name__ == "__main__":
    main()
