// SPDX-License-Identifier: BSD-3-Clause
#include "potential/sources/imported_potential.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>

#include "core/error.hpp"
#include "core/lattice_extents.hpp"
#include "core/text/note.hpp"
#include "core/text/text_stream.hpp"
#include "maps/map_file.hpp"
#include "potential/request/describe_potential.hpp"

namespace ionwell {
namespace {

Box union_of(const Box& a, const Box& b) {
  return {{std::min(a.lowest_A.x, b.lowest_A.x), std::min(a.lowest_A.y, b.lowest_A.y),
           std::min(a.lowest_A.z, b.lowest_A.z)},
          {std::max(a.highest_A.x, b.highest_A.x), std::max(a.highest_A.y, b.highest_A.y),
           std::max(a.highest_A.z, b.highest_A.z)}};
}

Box box_of(const std::vector<MapGrid>& grids) {
  Box box = extents(grids.front().lattice);
  for (const MapGrid& grid : grids) box = union_of(box, extents(grid.lattice));
  return box;
}

bool contains(const Box& outer, const Box& inner) {
  return union_of(outer, inner) == outer;
}

/// Whether the outermost points of a lattice are the nearest ones to `position_A`.
bool is_on_edge(const LatticeGeometry& lattice, const Vec3<double>& position_A) {
  if (!contains(extents(lattice), {position_A, position_A})) return false;
  const Vec3<double> half = 0.5 * lattice.spacing_A;
  const Box inside = {extents(lattice).lowest_A + half, extents(lattice).highest_A - half};
  return !contains(inside, {position_A, position_A});
}

/// A map keeps its volts, which are what acts on an ion; but screening depends on the temperature too, and
/// nobody knows what the map would be at the other one.
std::optional<std::string> temperature_warning(const Map& map, double temperature_K) {
  constexpr double same = 1e-3;  // relative: 298 and 298.15 K are one temperature
  if (!map.temperature_K || std::abs(*map.temperature_K - temperature_K) <= same * temperature_K)
    return std::nullopt;
  TextStream text;
  text << map.path << ": the map states a temperature of " << *map.temperature_K
       << " K, but ions are placed at " << temperature_K << " K";
  if (map.unit == MapUnit::kT_e)
    text << "; its potential in volts stays the same, so its values in kT/e are multiplied by "
         << std::setprecision(4) << *map.temperature_K / temperature_K << std::setprecision(6);
  text << "; if that is not what you want, use --temperature " << *map.temperature_K
       << ", or make the map at " << temperature_K << " K";
  return text.str();
}

}  // namespace

ImportedPotential::ImportedPotential(const MapFiles& files, double temperature_K, int threads)
    : interpolation_(files.interpolation.value_or(MapInterpolation::trilinear)) {
  for (const std::string& path : files.paths) {
    Map& map = maps_.emplace_back(read_map(path, threads));
    state_unit(map, files.unit);
    if (!map.unit) map.unit = files.usual_unit;
    if (const auto warning = temperature_warning(map, temperature_K))
      of_other_temperature_.push_back(*warning);
    // Through volts, so that a map made at another temperature is in this run's kT.
    convert_unit(map, MapUnit::V, temperature_K);
    map.temperature_K = temperature_K;
    convert_unit(map, MapUnit::kT_e, temperature_K);
    grids_.push_back({map.lattice, map.all()});
  }
}

LatticeGeometry ImportedPotential::choose_lattice(const Structure& structure,
                                                  const LatticeRequest& request) const {
  const Box maps = box_of(grids_), solute = bounding_box(structure.atoms);
  if (!overlap(maps, solute))
    fail(maps_.front().path, ": the map fills ", maps, " A, which does not overlap the solute at ", solute,
         " A; give a map of this structure in the same coordinates");
  if (request.box || request.border_A) {
    const LatticeGeometry lattice = ionwell::choose_lattice(structure, request);
    if (!overlap(extents(lattice), maps))
      fail<UsageError>("the lattice ", extents(lattice), " A does not overlap the map at ", maps,
                       " A; give a --box that overlaps it, or leave --box out");
    return lattice;
  }
  if (request.spacing_A) return lattice_in_box(maps, *request.spacing_A);
  return lattice_of_maps(grids_);
}

std::int64_t ImportedPotential::bytes_for(const LatticeGeometry& lattice) const {
  return is_own(lattice) ? 0 : lattice.size() * std::int64_t{sizeof(double)};
}

std::span<const double> ImportedPotential::values_on(const LatticeGeometry& lattice, int threads) {
  if (is_own(lattice)) return maps_.front().all();
  sampled_ = sample_maps(grids_, lattice, interpolation_, threads);
  return {sampled_.data(), sampled_.size()};
}

ImportedMaps ImportedPotential::description(const LatticeGeometry& lattice) const {
  ImportedMaps description{.interpolated = !is_own(lattice),
                           .tricubic = interpolation_ == MapInterpolation::tricubic};
  for (const Map& map : maps_) description.paths.push_back(map.path);
  return description;
}

std::vector<std::string> ImportedPotential::unlike(const ElectrostaticsOptions& acting) const {
  const std::string ours = describe_electrostatics(acting), rule = ours.substr(0, ours.rfind(", "));
  std::vector<std::string> warnings;
  for (const Map& map : maps_)
    for (const auto& [key, text] : map.provenance) {
      if (key != "method" || !text.starts_with(solute_potential_by)) continue;
      const std::string theirs = text.substr(solute_potential_by.size());
      if (theirs.starts_with(rule + ", ")) continue;
      warnings.push_back(map.path + ": the map states that its potential is " +
                         theirs.substr(0, theirs.find(';')) + ", but the potential of ions is " + ours +
                         "; give the --update, --tune update-dielectric and --ionic-strength that match it");
    }
  return warnings;
}

std::vector<std::string> ImportedPotential::warnings(const Structure& structure) const {
  const Box maps = box_of(grids_), solute = bounding_box(structure.atoms);
  std::vector<std::string> warnings = of_other_temperature_;
  if (contains(maps, solute)) return warnings;
  TextStream text;
  text << "the map fills " << maps << " A, but the solute " << solute
       << " A; ions are placed only inside the map, so give a larger map if they should also be elsewhere";
  warnings.push_back(note(text.str()));
  return warnings;
}

std::vector<std::string> ImportedPotential::warnings(const Placement& placement) const {
  std::vector<std::string> warnings;
  for (const Map& map : maps_) {
    const auto ions = std::count_if(placement.ions.begin(), placement.ions.end(), [&](const PlacedIon& ion) {
      return ion.energy_kT < 0.0 && is_on_edge(map.lattice, ion.position_A);  // others are marked anyway
    });
    if (ions == 0) continue;
    TextStream text;
    text << map.path << ": " << ions << (ions == 1 ? " ion lies" : " ions lie")
         << " on the edge of this map, where the boundary condition of the solver sets the potential ('bcfl "
            "sdh' of APBS is inaccurate near a long molecule); use a larger map, or 'bcfl mdh'";
    warnings.push_back(text.str());
  }
  return warnings;
}

}  // namespace ionwell
