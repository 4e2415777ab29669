// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/potential_options.hpp"

#include "cli/option_words.hpp"
#include "core/error.hpp"
#include "files/output_file.hpp"

namespace ionwell {
void add_map_options(OptionGroup& group, OptionGroup& tuning, ImportedMapArguments& map, Update with_pb) {
  group.add("map", map.files.paths, "FILE",
            "use the potential of this map instead of the solute's charges; may be repeated, and the finest "
            "map is used where several overlap",
            Default{"none"});
  add_map_unit_option(group, map.files.unit, "unit of maps that do not state it");
  tuning.add_choice("map-interpolation", map.files.interpolation, map_interpolation_words(),
                    "interpolation between the points of a map whose lattice differs from that of the run",
                    Default{"trilinear"});
  group.add_choice(
      "update", map.update.rule, update_words(),
      with_pb == Update::coulomb ? "potential that a placed ion adds for later ions"
                                 : "potential between ions",
      Default{"debye-hueckel, at --ionic-strength or " + default_text(usual_ionic_strength_M) + " M" +
              (with_pb == Update::coulomb ? "; with --pb coulomb, until the next solution" : "")});
  tuning.add("update-dielectric", map.update.dielectric, "E", "dielectric of the potential of --update",
             Default{default_text(water_dielectric) + ", water; for coulomb " +
                     default_text(published_hybrid_dielectric)});
}

void validate(const ImportedMapArguments& map, const ElectrostaticsOptions& electrostatics) {
  if (!map.given()) return;
  for (std::size_t i = 0; i < map.files.paths.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (same_file(map.files.paths[i], map.files.paths[j]))
        fail<UsageError>("--map names one file twice, ", map.files.paths[j],
                         map.files.paths[i] == map.files.paths[j] ? "" : " and " + map.files.paths[i],
                         "; leave one of them out");
  validate(map.update, electrostatics);
}

}  // namespace ionwell
