// SPDX-License-Identifier: BSD-3-Clause
#include "input/entry_programs.hpp"

#include <utility>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "input/deuterium.hpp"
#include "programs/propka.hpp"
#include "structures/selection/selection.hpp"

namespace ionwell {
namespace {

/// Which are to be part of the solute.
void refuse_uncharged_waters(const Structure& entry, const InputOptions& options) {
  if (!options.needs_charges || options.water != InputWater::solute) return;
  const std::int64_t waters = composition_of(entry.atoms).water.residues;
  if (waters > 0)
    fail<UsageError>("--input-water solute has no effect with ", entry.path,
                     ": PDB2PQR assigns no charges to its ", count_of(waters, "water"),
                     ", so waters are left out; leave the option out, or give a structure that has charges");
}

}  // namespace

EntryOptions entry_options(std::span<const Atom> atoms, const InputOptions& options) {
  EntryOptions entry{.choices = options.chemistry,
                     .force_field = options.charges.value_or(ChargeForceField::amber),
                     .ligands = LigandCharges(options.ligands, atoms, options.ligands_for),
                     .predict_pkas = {},
                     .acts = {}};
  if (!options.solute.empty()) entry.acts = select(atoms, options.solute);
  if (options.ignore.empty()) return entry;
  const std::vector<std::uint8_t> ignored = select(atoms, options.ignore);
  if (entry.acts.empty()) entry.acts.assign(ignored.size(), 1);
  for (std::size_t i = 0; i < ignored.size(); ++i)
    if (ignored[i]) entry.acts[i] = ignored_atom;
  return entry;
}

ChargedEntry charge_entry_by_pdb2pqr(Structure read, EntryRecords records, const InputOptions& options,
                                     const SignalNotes& notes,
                                     const std::function<void(double seconds)>& progress) {
  refuse_uncharged_waters(read, options);
  const std::function<void(double)> shown = progress ? progress : [](double) {};
  EntryPart entry{std::move(read), std::move(records), {}};
  replace_deuterium(entry);
  EntryOptions how = entry_options(entry.structure.atoms, options);
  how.waters = options.water == InputWater::ignore ? EntryWaters::ignored : EntryWaters::left_out;
  how.predict_pkas = [&](const Structure& structure, const Chemistry& chemistry) {
    return predict_pkas(structure, chemistry, notes, shown);
  };
  return charge_entry(std::move(entry.structure), std::move(entry.records), how, [&](const Structure& sent) {
    return assign_charges(
        sent,
        {.force_field = how.force_field, .keep_scratch = options.keep_scratch, .losses = LossReport::caller},
        notes, shown);
  });
}

void check_entry_options(const InputOptions& options) {
  constexpr double highest_pH = 14.0;
  const std::optional<double>& pH = options.chemistry.pH;
  if (pH && !(*pH >= 0.0 && *pH <= highest_pH)) fail<UsageError>("--pH ", *pH, " is not from 0 to 14");
}

const char* given_entry_option(const InputOptions& options, std::size_t of_engine) {
  const ChemistryChoices plain, &chosen = options.chemistry;
  for (const auto& [option, is_given] :
       {std::pair("--ligand", options.ligands.size() > (options.ligands_for.empty() ? 0 : of_engine)),
        std::pair("--pH", chosen.pH.has_value()),
        std::pair("--five-phosphate", chosen.five_phosphate != plain.five_phosphate),
        std::pair("--crystal-ions", chosen.crystal_ions != plain.crystal_ions),
        std::pair("--gap-ends", chosen.gap_ends != plain.gap_ends),
        std::pair("--replace-nonstandard", chosen.replace_nonstandard),
        std::pair("--allow-missing", chosen.allow_missing)})
    if (is_given) return option;
  return nullptr;
}

}  // namespace ionwell
