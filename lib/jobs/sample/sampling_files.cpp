// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sample/sampling_files.hpp"

#include <algorithm>

#include "core/text/count_text.hpp"
#include "core/text/quoting.hpp"
#include "core/text/text_stream.hpp"
#include "core/version.hpp"

namespace ionwell {
namespace {

constexpr double M_of_per_A3 = 1e27 / avogadro_per_mol;

}  // namespace

double reference_per_A3(const SamplingResult& result, std::size_t species) {
  for (const BulkBath& bath : result.bulk.baths) {
    if (bath.bath.cation == species) return bath.bath.cation_per_A3;
    if (bath.bath.anion == species) return bath.bath.anion_per_A3;
  }
  return result.sample.count[species].mean / result.model.volume_A3();
}

IonMap ion_map(const SamplingResult& result, std::size_t species, IonMapKind kind) {
  const LatticeGeometry lattice = density_cells(result.model.box, *result.observables.density_spacing_A);
  const std::string ion = result.model.species[species].ion.name;
  const bool is_density = kind == IonMapKind::density;
  IonMap map{{.lattice = lattice,
              .unit = {},
              .temperature_K = result.temperature_K,
              .provenance = {{"program", "ionwell " + std::string(version())},
                             {"command", result.run.command},
                             {"structure", result.structure.path},
                             {"method", (is_density ? "density of " + ion + " [mol/L]"
                                                    : "mean number of " + ion + " in each cell") +
                                            ", " + count_of(result.sample.samples, "sample") + "; " +
                                            result.potential.description}}},
             LargeArray<float>(std::size_t(lattice.size()))};
  const Vec3<double>& h = lattice.spacing_A;
  const double scale = (is_density ? M_of_per_A3 / (h.x * h.y * h.z) : 1.0) /
                       double(std::max<std::int64_t>(result.sample.samples, 1));
  const std::vector<std::uint64_t>& seen = result.sample.cells[species];
  std::transform(seen.begin(), seen.end(), map.values.data(),
                 [scale](std::uint64_t count) { return float(scale * double(count)); });
  return map;
}

std::vector<std::string> species_names(std::span<const SampledSpecies> species) {
  std::vector<std::string> names;
  for (const SampledSpecies& one : species) {
    const std::string part = path_part(one.ion.name);
    std::string name = part;
    for (int n = 2; std::find(names.begin(), names.end(), name) != names.end(); ++n)
      name = part + std::to_string(n);
    names.push_back(name);
  }
  return names;
}

std::string radial_csv(const SamplingResult& result) {
  TextStream text;
  text << "around,ion,from_A,to_A,concentration_M,concentration_error_M,g,g_error,within,within_error\n";
  for (const RadialDistribution& radial : result.sample.radial) {
    const double reference = reference_per_A3(result, radial.species);
    const std::string around = csv_quoted(result.observables.groups[radial.group].name);
    const auto& [mean, error] = radial.concentration_per_A3;
    for (std::size_t bin = 0; bin < mean.size(); ++bin)
      text << around << ',' << csv_cell(result.model.species[radial.species].ion.name) << ','
           << double(bin) * result.observables.radial_step_A << ','
           << double(bin + 1) * result.observables.radial_step_A << ',' << M_of_per_A3 * mean[bin] << ','
           << M_of_per_A3 * error[bin] << ',' << (reference > 0.0 ? mean[bin] / reference : 0.0) << ','
           << (reference > 0.0 ? error[bin] / reference : 0.0) << ',' << radial.within.mean[bin] << ','
           << radial.within.error[bin] << '\n';
  }
  return text.str();
}

std::vector<EngineIon> lowest_ions(const SamplingResult& result) {
  std::vector<EngineIon> ions;
  for (const MovingIon& ion : result.sample.lowest) {
    const IonSpecies& species = result.model.species[ion.species].ion;
    ions.push_back({species.name, species.element, species.charge_e, ion.position_A});
  }
  return ions;
}

std::vector<std::string> sampling_remarks(const SamplingResult& result) {
  TextStream lowest;
  lowest << "Configuration of lowest energy found in " << count_of(result.sample.samples, "sample") << ", "
         << result.sample.lowest_kT << " kT; mean " << result.sample.energy_kT.mean << " kT";
  return {"Ions sampled by ionwell " + std::string(version()) + " around " + result.structure.path,
          "Potential: " + result.potential.description + "; ions act by " + result.pair_description +
              " and " + std::string(to_string(result.model.repulsion)) + " spheres",
          lowest.str()};
}

}  // namespace ionwell
