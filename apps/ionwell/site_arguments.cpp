// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/site_arguments.hpp"

#include "cli/options.hpp"
#include "jobs/place/job/site_model_file.hpp"

namespace ionwell {

void add_site_options(OptionGroup& group, OptionGroup& tuning, SiteArguments& arguments, SiteIons ions) {
  group.add_choice(
      "model", arguments.model,
      {{"electrostatics", PlacementModel::electrostatics},
       {"sites", PlacementModel::sites},
       {"site-terms", PlacementModel::site_terms}},
      std::string(
          "how ions are placed: by their energy in the potential (electrostatics), or where crystals "
          "of RNA have Mg2+, by a learned score (sites) or the three terms that it is made of "
          "(site-terms). Sites are for --ion MG:COUNT, or with 'sites' also --ion MG:likely[:P] as the "
          "first --ion: ions are placed while the next one has a site within 3 A with a probability of "
          "at least P (0.2 if not given). They use a solution and distances of their own and are placed ") +
          (ions == SiteIons::all ? "first; other ions are placed around them by their energy"
                                 : "before the water; other ions are placed by their energy"));
  tuning.add("model-file", arguments.model_file, "FILE.json",
             "with --model sites: model to use instead of the built-in one, from scripts/fit-sites",
             Default{"built in"});
}

SiteOptions site_options(const SiteArguments& arguments, const IonArguments& ions, Method method) {
  SiteOptions options{.method = method};
  if (arguments.model_file) {
    options.model = read_site_model(*arguments.model_file);
    options.path = *arguments.model_file;
  } else if (arguments.model == PlacementModel::sites) {
    options.model = learned_site_model();
  }
  options.model.ion_heavy_atom_A = ions.ion_solute_A.value_or(options.model.ion_heavy_atom_A);
  options.model.ion_ion_A = ions.ion_ion_A.value_or(options.model.ion_ion_A);
  return options;
}

}  // namespace ionwell
