// SPDX-License-Identifier: BSD-3-Clause
#include "potential/equation_maps.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "compute/poisson_boltzmann/solute_pb.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/version.hpp"
#include "electrostatics/poisson_boltzmann/model/boundary_values.hpp"

namespace ionwell {
namespace {

/// An array of the equation, and what a map of it says.
struct Array {
  EquationPart part;
  const char* name;
  const char* what;
  PbArray values;
  Vec3<double> offset;  // of its points from the lattice's, in spacings
};

constexpr Array arrays[] = {
    {EquationPart::dielectric,
     "eps_x",
     "dielectric between a point and the next along x",
     PbArray::eps_x,
     {0.5, 0, 0}},
    {EquationPart::dielectric,
     "eps_y",
     "dielectric between a point and the next along y",
     PbArray::eps_y,
     {0, 0.5, 0}},
    {EquationPart::dielectric,
     "eps_z",
     "dielectric between a point and the next along z",
     PbArray::eps_z,
     {0, 0, 0.5}},
    {EquationPart::kappa,
     "kappa",
     "4 pi l sum c z^2 [1/A^2] where ions of the solution can be",
     PbArray::accessibility,
     {}},
    {EquationPart::charge, "charge", "charge [e] of each point", PbArray::charge, {}}};

/// Calls use(array) for those of the parts, in the table's order.
template <typename Use>
void for_each_array(const std::vector<EquationPart>& parts, const Use& use) {
  for (const Array& array : arrays)
    if (std::find(parts.begin(), parts.end(), array.part) != parts.end()) use(array);
}

}  // namespace

std::vector<EquationPart> parse_equation_parts(std::string_view text) {
  std::vector<EquationPart> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view word = text.substr(begin, comma - begin);
    if (word == "eps")
      parts.push_back(EquationPart::dielectric);
    else if (word == "kappa")
      parts.push_back(EquationPart::kappa);
    else if (word == "charge")
      parts.push_back(EquationPart::charge);
    else
      fail<UsageError>("--pb-maps is '", text,
                       "'; write eps, kappa and charge, or some of them, separated by commas");
    begin = comma + 1;
  }
  return parts;
}

void for_each_equation_map(const LatticePotential& made, const std::vector<EquationPart>& parts,
                           const std::function<void(EquationMap&&)>& visit) {
  if (parts.empty()) return;
  PbArrays& equation = *made.potential.solver->equation;
  const LatticeGeometry whole = equation.system().lattice.whole();
  const Vec3<double>& h = whole.spacing_A;
  for_each_array(parts, [&](const Array& array) {
    LatticeGeometry lattice = whole;
    lattice.origin_A =
        lattice.origin_A + Vec3<double>{array.offset.x * h.x, array.offset.y * h.y, array.offset.z * h.z};
    EquationMap map{
        {.lattice = lattice,
         .unit = {},
         .temperature_K = made.potential.electrostatics.temperature_K,
         .provenance = {{"program", "ionwell " + std::string(version())},
                        {"command", made.run.command},
                        {"structure", made.structure.path},
                        {"method", std::string(array.what) + ", of the equation that was solved"}}},
        array.name,
        equation.values(array.values)};
    const double per_A = inverse_debye_length_per_A(equation.system(), 1.0);
    const float factor = array.part == EquationPart::kappa ? float(per_A * per_A) : 1.0f;
    for (std::size_t p = 0; p < map.values.size(); ++p) map.values[p] *= factor;
    visit(std::move(map));
  });
}

std::string equation_map_path(const std::string& path, std::string_view name) {
  const std::filesystem::path whole(path);
  std::filesystem::path stem = whole.filename();
  std::string ending = stem.extension().string();
  stem = stem.stem();
  if (lower_case(ending) == ".gz") {
    ending = stem.extension().string() + ending;
    stem = stem.stem();
  }
  return (whole.parent_path() / (stem.string() + "." + std::string(name) + ending)).string();
}

std::vector<std::string> equation_map_paths(const std::string& path, const std::vector<EquationPart>& parts) {
  std::vector<std::string> paths;
  for_each_array(parts, [&](const Array& array) { paths.push_back(equation_map_path(path, array.name)); });
  return paths;
}

}  // namespace ionwell
