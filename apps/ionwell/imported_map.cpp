#include "ionwell/imported_map.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "core/error.hpp"
#include "files/output_file.hpp"
#include "ionwell/run_summary.hpp"
#include "maps/map_file.hpp"

namespace ionwell {
namespace {

constexpr double usual_ionic_strength_M = 0.15;       // of the published protocols (Stone et al. 2007)
constexpr double published_hybrid_dielectric = 40.0;  // ibid.

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
  std::ostringstream text;
  text << map.path << ": the map says that it is of " << *map.temperature_K << " K, but ions are placed at "
       << temperature_K << " K";
  if (map.unit == MapUnit::kT_e)
    text << "; its potential is kept in volts, so its values in kT/e are multiplied by "
         << std::setprecision(4) << *map.temperature_K / temperature_K << std::setprecision(6);
  text << "; if that is not meant, place with --temperature " << *map.temperature_K << ", or make the map at "
       << temperature_K << " K";
  return text.str();
}

}  // namespace

void add_map_options(OptionGroup& group, MapArguments& map) {
  group.add(
      "map", map.paths, "FILE",
      "potential to place in, in place of the solute's charges; repeated, the finest map wins where several "
      "reach");
  add_map_unit_option(group, map.unit, "unit of the maps, where they do not say");
  group.add_choice<std::optional<MapInterpolation>>(
      "map-interpolation", map.interpolation,
      {{"trilinear", MapInterpolation::trilinear}, {"tricubic", MapInterpolation::tricubic}},
      "between the points of a map, where the lattice is not its own (default trilinear)");
  group.add_choice(
      "update", map.update,
      {{"debye-hueckel", Update::debye_hueckel}, {"coulomb", Update::coulomb}, {"none", Update::none}},
      "how a placed ion acts on those after it (default debye-hueckel, at --ionic-strength, or " +
          default_text(usual_ionic_strength_M) + " M)");
  group.add("update-dielectric", map.update_dielectric, "E",
            "dielectric that it acts through (default water's, " + default_text(water_dielectric) +
                "; with --update coulomb " + default_text(published_hybrid_dielectric) + ")");
}

void validate(const MapArguments& map, const ElectrostaticsOptions& electrostatics,
              const MethodArguments& method) {
  if (!map.given()) {
    const char* const option = map.unit                          ? "--map-unit"
                               : map.interpolation               ? "--map-interpolation"
                               : map.update != Update::automatic ? "--update"
                               : map.update_dielectric           ? "--update-dielectric"
                                                                 : nullptr;
    if (option != nullptr)
      fail<UsageError>(option, " is for ions in a map; add --map FILE or --pb apbs, or leave it out");
    return;
  }
  const char* const source = map.solved ? "--pb" : "--map";
  if (map.solved && !map.paths.empty())
    fail<UsageError>(
        "--pb and --map are given both, but the potential can come from one only; leave one of them out");
  for (std::size_t i = 0; i < map.paths.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (same_file(map.paths[i], map.paths[j]))
        fail<UsageError>("--map names one file twice, ", map.paths[j],
                         map.paths[i] == map.paths[j] ? "" : " and " + map.paths[i],
                         "; leave one of them out");
  if (map.solved && (map.unit || map.interpolation))
    fail<UsageError>(map.unit ? "--map-unit" : "--map-interpolation",
                     " is for --map, and --pb has no use for it; leave "
                     "it out");
  if (electrostatics.dielectric || electrostatics.ddd_per_A)
    fail<UsageError>(electrostatics.ddd_per_A ? "--ddd" : "--dielectric", " is given beside ", source,
                     ", which stands for the solute's potential; for the ions' own use --update-dielectric",
                     map.solved ? ", for the solver's --pb-option pdie=... and sdie=..." : "");
  if (method.method != Method::automatic || method.cutoff_A || method.spacing_A || method.basis)
    fail<UsageError>("--method and the --msm- options sum the solute's charges, and with ", source,
                     " nothing is summed; leave them out");
  if (!map.solved && electrostatics.ionic_strength_M &&
      (map.update == Update::coulomb || map.update == Update::none))
    fail<UsageError>("--ionic-strength with --map is for --update debye-hueckel; leave one of them out");
  if (map.update_dielectric && map.update == Update::none)
    fail<UsageError>(
        "--update-dielectric is given beside --update none, which uses none; leave one of them out");
  if (map.update_dielectric && !(*map.update_dielectric > 0.0))
    fail<UsageError>("--update-dielectric is ", *map.update_dielectric,
                     "; it must be greater than 0, and water's is ", water_dielectric);
  check_temperature(electrostatics.temperature_K);
  update_potential(update_electrostatics(map, electrostatics));
}

std::optional<ElectrostaticsOptions> update_electrostatics(const MapArguments& map,
                                                           const ElectrostaticsOptions& electrostatics) {
  ElectrostaticsOptions update{.temperature_K = electrostatics.temperature_K};
  switch (map.update) {
    case Update::none:
      return std::nullopt;
    case Update::coulomb:
      update.dielectric = map.update_dielectric.value_or(published_hybrid_dielectric);
      break;
    default:
      update.dielectric = map.update_dielectric.value_or(water_dielectric);
      update.ionic_strength_M = electrostatics.ionic_strength_M.value_or(usual_ionic_strength_M);
  }
  return update;
}

PairPotential update_potential(const std::optional<ElectrostaticsOptions>& update) {
  return update ? pair_potential(*update) : PairPotential{};
}

ImportedPotential::ImportedPotential(const MapArguments& arguments, double temperature_K, int threads)
    : interpolation_(arguments.interpolation.value_or(MapInterpolation::trilinear)) {
  for (const std::string& path : arguments.paths) {
    Map& map = maps_.emplace_back(read_map(path, threads));
    state_unit(map, arguments.unit);
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
                                                  const LatticeArguments& arguments) const {
  const Box maps = box_of(grids_), solute = bounding_box(structure.atoms);
  if (!overlap(maps, solute))
    fail(maps_.front().path, ": the map fills ", maps, " A and misses the solute, which fills ", solute,
         " A; give a map of this structure, in the same frame");
  if (arguments.box || arguments.border_A) {
    const LatticeGeometry lattice = ionwell::choose_lattice(structure, arguments);
    if (!overlap(extents(lattice), maps))
      fail<UsageError>("the lattice ", extents(lattice), " A misses the map, which fills ", maps,
                       " A; give a --box that meets it, or leave --box out");
    return lattice;
  }
  if (arguments.spacing_A) return lattice_in_box(maps, *arguments.spacing_A);
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
      warnings.push_back(map.path + ": the map says that it is the solute's potential by " +
                         theirs.substr(0, theirs.find(';')) + ", but ions act by " + ours +
                         "; give the --update, --update-dielectric and --ionic-strength that go with it");
    }
  return warnings;
}

std::vector<std::string> ImportedPotential::warnings(const Structure& structure) const {
  const Box maps = box_of(grids_), solute = bounding_box(structure.atoms);
  std::vector<std::string> warnings = of_other_temperature_;
  if (contains(maps, solute)) return warnings;
  std::ostringstream text;
  text << "the map fills " << maps << " A, but the solute " << solute
       << " A; ions go inside the map only, so give a larger map if they should go elsewhere";
  warnings.push_back(text.str());
  return warnings;
}

std::vector<std::string> ImportedPotential::warnings(const Placement& placement) const {
  std::vector<std::string> warnings;
  for (const Map& map : maps_) {
    const auto ions = std::count_if(placement.ions.begin(), placement.ions.end(), [&](const PlacedIon& ion) {
      return ion.energy_kT < 0.0 && is_on_edge(map.lattice, ion.position_A);  // others are marked anyway
    });
    if (ions == 0) continue;
    std::ostringstream text;
    text
        << map.path << ": " << ions << (ions == 1 ? " ion lies" : " ions lie")
        << " on the edge of this map, where the solver's boundary condition stands for the potential (APBS's "
           "'bcfl sdh' is far off beside a long molecule); make the map larger, or with 'bcfl mdh'";
    warnings.push_back(text.str());
  }
  return warnings;
}

}  // namespace ionwell
