// SPDX-License-Identifier: BSD-3-Clause
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "core/version.hpp"
#include "python/average.hpp"
#include "python/comparison.hpp"
#include "python/errors.hpp"
#include "python/map.hpp"
#include "python/placement.hpp"
#include "python/potential.hpp"
#include "python/sampling/sampled_ions.hpp"
#include "python/structure.hpp"
#include "python/systems/made_system.hpp"
#include "python/systems/preparation.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace ionwell::python;
  module.doc() = "The compiled part of the package ionwell; use the package instead.";
  module.attr("__version__") = std::string(ionwell::version());
  // pybind11 looks for NumPy once, in the initialisation of a static variable, and lets other threads of
  // Python run meanwhile: one that comes to the same place would wait for ever, with Python's lock. Here
  // there is one thread.
  pybind11::array_t<double>(0);
  add_errors();
  add_structure(module);
  add_map(module);
  add_device_map(module);
  add_placement(module);
  add_potential(module);
  add_average(module);
  add_comparison(module);
  add_sampling(module);
  add_made_system(module);
  add_preparation(module);
  for (const char* const name :
       {"Structure", "Map", "DeviceMap", "Result", "System", "Average", "Sample"})  // where they are found
    module.attr(name).attr("__module__") = "ionwell";
}
