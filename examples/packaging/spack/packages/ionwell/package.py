# SPDX-License-Identifier: BSD-3-Clause
# spack repo add examples/packaging/spack && spack dev-build ionwell@0.2.0   (from the top of the tree)
from spack.package import *


class Ionwell(CMakePackage, CudaPackage):
    """Places ions around charged biomolecules: each ion goes to the lattice point where its energy in the electrostatic
    potential of the structure is lowest."""

    license("BSD-3-Clause")

    # dev-build takes the tree that it stands in; there is no archive to fetch yet.
    version("0.2.0")

    variant("python", default=False, description="Build the Python module")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("boost@1.74: +program_options")
    depends_on("hdf5@1.10.7:")
    depends_on("netcdf-c@4.7:")
    depends_on("nlohmann-json@3.11:")
    depends_on("zlib-api")
    extends("python@3.9:", when="+python", type=("build", "link", "run"))
    depends_on("py-pybind11@2.10:", when="+python", type="build")
    depends_on("py-numpy", when="+python", type=("build", "run"))

    conflicts("%gcc@:11", msg="ionwell is written in the C++20 of GCC 12")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("IONWELL_TESTS", False),
            self.define("IONWELL_CUDA", "ON" if self.spec.satisfies("+cuda") else "OFF"),
            self.define_from_variant("IONWELL_PYTHON", "python"),
        ]
        if self.spec.satisfies("+cuda") and "none" not in self.spec.variants["cuda_arch"].value:
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args
