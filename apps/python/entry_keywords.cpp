// SPDX-License-Identifier: BSD-3-Clause
#include "python/entry_keywords.hpp"

namespace ionwell::python {

void read_chemistry(const Keywords& keywords, InputOptions& options) {
  ChemistryChoices& choices = options.chemistry;
  options.ligands = keywords.texts("ligands", "path");
  options.ligands_for = {LigandsOf::leap, LigandsOf::charmm,
                         LigandsOf::openmm};  // save(engine="amber") may follow
  choices.pH = keywords.number("ph");
  keywords.choose("five_phosphate", choices.five_phosphate, five_phosphate_words());
  keywords.choose("crystal_ions", choices.crystal_ions, crystal_ions_words());
  keywords.choose("gap_ends", choices.gap_ends, gap_ends_words());
  choices.replace_nonstandard = keywords.flag("replace_nonstandard");
  choices.allow_missing = keywords.flag("allow_missing");
}

}  // namespace ionwell::python
