// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/compare/protocols.hpp"

#include <algorithm>
#include <string_view>

#include "core/chemistry/ion_table.hpp"
#include "core/error.hpp"
#include "core/text/nearest_words.hpp"
#include "jobs/place/job/site_model_file.hpp"
#include "programs/child_process.hpp"

namespace ionwell {
namespace {

constexpr double published_ddd_per_A = 3.0, usual_salt_M = 0.15;

/// Whether a text of --ion is about the ion that the model is for.
bool is_for(const SiteModel& model, std::string_view text) {
  const KnownIon* const ion = find_ion(text.substr(0, text.find(':')));
  return ion != nullptr && ion->element == model.ion && ion->charge_e == model.charge_e;
}

/// Nearer to the solute than the published 5 A: sites of crystals are there (of 42 in 1hr2 none is farther
/// than 4.4 A from an atom).
constexpr ExclusionOptions near_solute = {.ion_solute_A = 3.5};

}  // namespace

std::vector<Protocol> known_protocols(PbSolvedBy solver) {
  const ElectrostaticsOptions ddd{.ddd_per_A = published_ddd_per_A}, salt{.ionic_strength_M = usual_salt_M};
  const PbOptions hybrid{.solved_by = solver, .every = 5}, iterated{.solved_by = solver, .every = 1};
  std::vector<Protocol> rows = {
      {.name = "coulomb", .about = "in vacuum, 5 A from the solute (Stone et al. 2007)", .is_usual = true},
      {.name = "ddd",
       .about = "distance-dependent dielectric of 3 per A (Stone et al. 2007)",
       .electrostatics = ddd,
       .is_usual = true},
      {.name = "debye-hueckel",
       .about = "water with 0.15 M of salt",
       .electrostatics = salt,
       .is_usual = true},
      {.name = "ddd-3.5",
       .about = "like ddd, 3.5 A from the solute",
       .electrostatics = ddd,
       .exclusion = near_solute},
      {.name = "debye-hueckel-3.5",
       .about = "like debye-hueckel, 3.5 A from the solute",
       .electrostatics = salt,
       .exclusion = near_solute},
      {.name = "hybrid",
       .about = "Poisson-Boltzmann, solved again after every 5 ions (Stone et al. 2007)",
       .source = hybrid,
       .is_usual = true},
      {.name = "hybrid-3.5",
       .about = "like hybrid, 3.5 A from the solute",
       .source = hybrid,
       .exclusion = near_solute},
      {.name = "iterated",
       .about = "Poisson-Boltzmann, solved again after every ion (Stone et al. 2007)",
       .source = iterated,
       .is_usual = true},
      {.name = "site-terms",
       .about = "three terms of a site model, for Mg2+ in folded RNA",
       .source = SiteOptions{}},
      {.name = "sites",
       .about = "learned score of a site model, for Mg2+ in folded RNA",
       .source = SiteOptions{.model = learned_site_model()}}};
  const bool is_missing = solver == PbSolvedBy::apbs && find_program(ApbsOptions{}.program).empty();
  for (Protocol& row : rows)
    if (row.is_solved() && is_missing)
      row.not_run = "there is no apbs here (Debian and Ubuntu: package apbs)";
  return rows;
}

std::vector<Protocol> choose_protocols(std::span<const std::string> names, PbSolvedBy solver,
                                       std::span<const std::string> ions) {
  std::vector<Protocol> rows = known_protocols(solver);
  for (const std::string& name : names)
    if (std::none_of(rows.begin(), rows.end(), [&](const Protocol& row) { return row.name == name; })) {
      std::vector<std::string_view> known;
      known.reserve(rows.size());
      for (const Protocol& row : rows) known.push_back(row.name);
      fail<UsageError>("--protocol ", name, " is not known; the protocols are ",
                       nearest_first(name, known, known.size()));
    }
  const auto is_left_out = [&](const Protocol& row) {
    if (names.empty()) return !row.is_usual;
    return std::find(names.begin(), names.end(), row.name) == names.end();
  };
  rows.erase(std::remove_if(rows.begin(), rows.end(), is_left_out), rows.end());
  for (Protocol& row : rows)
    if (const auto* sites = std::get_if<SiteOptions>(&row.source))
      if (std::any_of(ions.begin(), ions.end(),
                      [&](const std::string& text) { return !is_for(sites->model, text); }))
        row.not_run = "the model is for " + sites->model.ion + " alone";
  return rows;
}

Job job_of(const Protocol& protocol, const Structure& structure, std::vector<IonRequest> ions, int threads) {
  return {.structure = structure,
          .ions = std::move(ions),
          .source = protocol.source,
          .electrostatics = protocol.electrostatics,
          .exclusion = protocol.exclusion,
          .boundary = Boundary::open,  // for all alike: solvers and models of sites know no images
          .backend = {.backend = Backend::cpu},
          .field = {.threads = threads}};
}

}  // namespace ionwell
