#include "python/entry_keywords.hpp"

#include "python/word_choice.hpp"

namespace ionwell::python {

void read_chemistry(const Keywords& keywords, InputOptions& options) {
  ChemistryChoices& choices = options.chemistry;
  options.ligands = keywords.texts("ligands", "path");
  options.ligands_for_leap = true;  // save(engine="amber") may follow
  choices.pH = keywords.number("ph");
  if (keywords.has("five_phosphate"))
    choices.five_phosphate =
        chosen<FivePhosphate>(keywords.text("five_phosphate"), "five_phosphate",
                              {{"remove", FivePhosphate::remove}, {"keep", FivePhosphate::keep}});
  if (keywords.has("crystal_ions"))
    choices.crystal_ions =
        chosen<CrystalIons>(keywords.text("crystal_ions"), "crystal_ions",
                            {{"keep", CrystalIons::keep}, {"ignore", CrystalIons::ignore}});
  if (keywords.has("gap_ends"))
    choices.gap_ends = chosen<GapEnds>(keywords.text("gap_ends"), "gap_ends",
                                       {{"charged", GapEnds::charged}, {"capped", GapEnds::capped}});
  choices.replace_nonstandard = keywords.flag("replace_nonstandard");
  choices.allow_missing = keywords.flag("allow_missing");
}

}  // namespace ionwell::python
