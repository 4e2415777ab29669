// SPDX-License-Identifier: BSD-3-Clause
#include "output/hydrated_atoms.hpp"

#include <numeric>

#include "core/error.hpp"
#include "solvation/written_waters.hpp"
#include "structures/writers/placed_system.hpp"

namespace ionwell {
namespace {

constexpr int hexahydrate_waters = 6;
constexpr int residue_numbers = 9'999;                            // in a chain, from 1
constexpr double oxygen_radius_A = 1.5, hydrogen_radius_A = 1.2;  // AMBER's bondi, for files that have radii

/// The names of waters go with those of the ions, where these are asked for.
WaterNames names_of(const SystemOutput& output) {
  if (output.engine) return output.names_of_waters();
  switch (output.naming) {
    case IonNaming::amber:
      return WaterNames::amber;
    case IonNaming::charmm:
      return WaterNames::charmm;
    case IonNaming::gromacs:
      return WaterNames::gromacs;
    case IonNaming::pdb:
      break;
  }
  return output.names_of_waters();
}

/// Appends residues to a chain of their own.
class Residues {
 public:
  Residues(std::vector<Atom>& atoms, Label chain) : atoms_(atoms), chain_(chain) {}

  void begin() { number_ = number_ % residue_numbers + 1; }

  void add(std::string_view residue, std::string_view name, std::string_view element,
           const Vec3<double>& at_A, double charge_e, double radius_A) {
    atoms_.push_back({.position_A = at_A,
                      .charge_e = charge_e,
                      .radius_A = radius_A,
                      .name = name,
                      .residue = residue,
                      .chain = chain_,
                      .residue_number = number_,
                      .element = element});
  }

  void end() { atoms_.back().ends_chain = true; }

 private:
  std::vector<Atom>& atoms_;
  Label chain_;
  int number_ = 0;
};

void add_hexahydrate(const PlacedIon& ion, const IonShell& shell, Residues& residues) {
  constexpr std::string_view oxygens[] = {"O1", "O2", "O3", "O4", "O5", "O6"};
  residues.begin();
  residues.add("MO6", "MG", "MG", ion.position_A, ion.species.charge_e, 0.0);
  for (std::size_t n = 0; n < shell.waters.size(); ++n)
    residues.add("MO6", oxygens[n], "O", shell.waters[n][0], 0.0, oxygen_radius_A);
  residues.end();
}

/// Whether the PDB has one residue for such a shell: MO6.
bool is_hexahydrate(const HydrationRequest& request) {
  return request.ion->element == "MG" && request.neighbours == hexahydrate_waters;
}

bool is_whole(const IonShell& shell) {
  return shell.neighbours == hexahydrate_waters && shell.waters.size() == std::size_t(hexahydrate_waters);
}

}  // namespace

HydrationOptions hydration_options(const std::vector<std::string>& requests, const std::string& water,
                                   HydratedAs written_as) {
  HydrationOptions options;
  if (requests.empty()) return options;
  const WaterModel& model = water_model(water);
  if (model.sites != 3)
    fail<UsageError>("--tune hydrate-water ", water, ": ", model.full_name, " has ", model.sites,
                     " sites, but waters around ions must have three; use tip3p or spce");
  options.water = model.name;
  options.requests.reserve(requests.size());
  for (const std::string& text : requests) {
    options.requests.push_back(parse_hydration_request(text));
    if (written_as == HydratedAs::residue && !is_hexahydrate(options.requests.back()))
      fail<UsageError>("--hydrate ", text,
                       ": --hydrate-as residue is only for MG:6, for which the PDB has a residue (MO6); "
                       "leave it out to write the waters as separate residues");
  }
  return options;
}

HydratedAtoms hydrated_atoms(const Result& result, const SystemOutput& output, HydratedAs written_as) {
  HydratedAtoms written;
  written.ions.resize(result.placement.ions.size());
  std::iota(written.ions.begin(), written.ions.end(), std::size_t{0});
  if (!result.hydration) return written;
  const Hydration& hydration = *result.hydration;
  const WaterModel& model = water_model(hydration.water);
  const NamedWater names = named_water(model, names_of(output));
  const std::string chains = chain_letters({result.structure.atoms}, 'W');
  Residues residues(written.behind, std::string_view(chains).substr(0, 1));
  const auto as_residue = [&](const IonShell& shell) {
    return written_as == HydratedAs::residue && is_whole(shell);
  };
  for (const IonShell& shell : hydration.shells)
    if (as_residue(shell)) {
      add_hexahydrate(result.placement.ions[shell.ion], shell, residues);
      std::erase(written.ions, shell.ion);
    }
  for (const IonShell& shell : hydration.shells) {
    if (as_residue(shell)) continue;
    for (const ShellWater& water : shell.waters) {
      residues.begin();
      residues.add(names.residue, names.atoms[0], "O", water[0], -2.0 * model.hydrogen_e, oxygen_radius_A);
      for (const std::size_t h : {1U, 2U})
        residues.add(names.residue, names.atoms[h], "H", water[h], model.hydrogen_e, hydrogen_radius_A);
      residues.end();
    }
  }
  return written;
}

}  // namespace ionwell
