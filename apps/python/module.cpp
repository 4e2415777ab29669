#include <pybind11/pybind11.h>

#include "core/version.hpp"
#include "python/errors.hpp"
#include "python/map.hpp"
#include "python/placement.hpp"
#include "python/potential.hpp"
#include "python/structure.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace ionwell::python;
  module.doc() = "What ionwell computes; use it through the package ionwell.";
  module.attr("__version__") = std::string(ionwell::version());
  add_errors();
  add_structure(module);
  add_map(module);
  add_placement(module);
  add_potential(module);
  for (const char* const name : {"Structure", "Map", "Result"})  // where they are found
    module.attr(name).attr("__module__") = "ionwell";
}
