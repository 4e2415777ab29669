// SPDX-License-Identifier: BSD-3-Clause
#include "python/comparison.hpp"

#include <pybind11/stl.h>

#include "placement/scoring/compare_sites.hpp"
#include "placement/scoring/random_ions.hpp"
#include "python/arrays/arrays.hpp"
#include "python/errors.hpp"
#include "python/following.hpp"
#include "python/keywords.hpp"
#include "python/structure.hpp"
#include "python/word_choice.hpp"
#include "structures/formats/pdb_sites.hpp"

namespace ionwell::python {
namespace py = pybind11;
using namespace py::literals;
namespace {

/// Numbers of the shape (n,).
std::vector<double> numbers(const py::object& given, const char* name) {
  const py::array_t<double, py::array::c_style | py::array::forcecast> array(real_array(given, name));
  if (array.ndim() != 1) fail<ArrayError>(name, " is ", shown(given), "; it must be a list of numbers");
  return {array.data(), array.data() + array.size()};
}

/// Positions [A] of the sites in a file, and their weights, or None.
py::tuple sites_of_file(const std::string& path, const std::string& which, const std::string& weights) {
  const SiteChoice choice =
      chosen<SiteChoice>(which, "which", {{"ions", SiteChoice::ions}, {"all", SiteChoice::all}});
  const SiteWeight weight = chosen<SiteWeight>(
      weights, "weights",
      {{"none", SiteWeight::none}, {"occupancy", SiteWeight::occupancy}, {"bfactor", SiteWeight::b_factor}});
  std::vector<double> coordinates_A, by_site;
  {
    const py::gil_scoped_release release;
    const PdbSites read = read_pdb_sites(path, choice);
    for (const PdbSite& site : read.sites)
      coordinates_A.insert(coordinates_A.end(), {site.position_A.x, site.position_A.y, site.position_A.z});
    by_site = site_weights(read.sites, weight, path);
  }
  py::object given = py::none();
  if (weight != SiteWeight::none) given = array_of(by_site);
  return py::make_tuple(array_of(coordinates_A).attr("reshape")(-1, 3), given);
}

std::uint64_t seed_of(const Keywords& options) {
  const std::int64_t seed = options.whole_number("seed").value_or(std::int64_t(RandomIonOptions{}.seed));
  if (seed < 0) fail<UsageError>("seed is ", seed, "; it must not be negative");
  return std::uint64_t(seed);
}

/// The report of `ionwell compare`, as JSON.
std::string compare(const py::object& ions, const py::object& sites, const SharedInput& random_around,
                    const py::dict& given) {
  const Keywords options(given);
  const std::vector<Vec3<double>> ions_A = positions_in(ions, "ions"), sites_A = positions_in(sites, "sites");
  CompareOptions compared;
  if (options.has("weights")) compared.weights = numbers(options["weights"], "weights");
  if (options.has("distances")) compared.distances_A = numbers(options["distances"], "distances");
  RandomIonOptions random;
  random.seed = seed_of(options);
  random.exclusion.ion_solute_A = options.number("ion_solute").value_or(random.exclusion.ion_solute_A);
  const int threads = options.threads();
  const py::gil_scoped_release release;
  SiteComparison comparison = compare_sites(ions_A, sites_A, compared);
  comparison.weights_from = "weights";
  if (random_around) {
    std::vector<Vec3<double>> solute_A;
    for (const Atom& atom : random_around->system.acting().atoms) solute_A.push_back(atom.position_A);
    expect_at_random(comparison, sites_A, RandomIons(solute_A, random), random, threads);
  }
  return json_comparison(comparison);
}

}  // namespace

void add_comparison(py::module_& module) {
  module.def("read_sites", sites_of_file, "path"_a, py::kw_only(), "which"_a, "weights"_a);
  module.def("compare", compare, "ions"_a, "sites"_a, "random_around"_a, "options"_a);
}

}  // namespace ionwell::python
