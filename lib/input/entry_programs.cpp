#include "input/entry_programs.hpp"

#include <utility>

#include "input/deuterium.hpp"
#include "programs/propka.hpp"

namespace ionwell {

ChargedEntry charge_entry_by_pdb2pqr(const Structure& read, const EntryRecords& records,
                                     const InputOptions& options, const SignalNotes& notes,
                                     const std::function<void(double seconds)>& progress) {
  const std::function<void(double)> shown = progress ? progress : [](double) {};
  Structure entry = with_hydrogens_for_deuterium(read);
  EntryOptions how = entry_options(entry.atoms, options);
  for (std::string& warning : how.ligands.unused_warnings(entry.atoms))
    entry.warnings.push_back(std::move(warning));
  how.predict_pkas = [&](const Structure& structure, const Chemistry& chemistry) {
    return predict_pkas(structure, chemistry, notes, shown);
  };
  return charge_entry(entry, records, how, [&](const Structure& sent) {
    return assign_charges(
        sent,
        {.force_field = how.force_field, .keep_scratch = options.keep_scratch, .losses = LossReport::caller},
        notes, shown);
  });
}

const char* given_entry_option(const InputOptions& options) {
  const ChemistryChoices plain, &chosen = options.chemistry;
  for (const auto& [option, is_given] :
       {std::pair("--ligand", !options.ligands.empty()), std::pair("--pH", chosen.pH.has_value()),
        std::pair("--five-phosphate", chosen.five_phosphate != plain.five_phosphate),
        std::pair("--crystal-ions", chosen.crystal_ions != plain.crystal_ions),
        std::pair("--replace-nonstandard", chosen.replace_nonstandard),
        std::pair("--allow-missing", chosen.allow_missing)})
    if (is_given) return option;
  return nullptr;
}

}  // namespace ionwell
