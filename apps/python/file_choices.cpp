// SPDX-License-Identifier: BSD-3-Clause
#include "python/file_choices.hpp"

#include "cli/file_words.hpp"
#include "python/choices.hpp"
#include "python/word_choice.hpp"

namespace ionwell::python {

SystemOutput file_output(const std::string& path, const FileChoices& choices, IonNaming naming,
                         const std::string& what) {
  SystemOutput output{.path = path, .engine = {}, .water_names = {}, .with_solute = choices.with_solute};
  if (choices.engine) output.engine = chosen(*choices.engine, "engine", engine_words());
  if (choices.ion_names)
    output.naming = ion_names_of(*choices.ion_names);
  else if (!output.engine)
    output.naming = naming;
  if (choices.water_names)
    output.water_names = chosen(*choices.water_names, "water_names", water_names_words());
  output.serials = chosen(choices.pdb_serials, "pdb_serials", pdb_serials_words());
  validate(output, what);
  return output;
}

}  // namespace ionwell::python
