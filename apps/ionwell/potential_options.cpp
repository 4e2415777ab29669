#include "ionwell/potential_options.hpp"

#include "cli/option_words.hpp"
#include "core/error.hpp"
#include "files/output_file.hpp"

namespace ionwell {
void add_map_options(OptionGroup& group, OptionGroup& tuning, ImportedMapArguments& map, Update with_pb) {
  group.add(
      "map", map.files.paths, "FILE",
      "potential to place in, in place of the solute's charges; repeated, the finest map wins where several "
      "reach");
  add_map_unit_option(group, map.files.unit, "unit of the maps, where they do not say");
  tuning.add_choice("map-interpolation", map.files.interpolation, map_interpolation_words(),
                    "interpolation between the points of a map, where the lattice is not its own",
                    Default{"trilinear"});
  group.add_choice(
      "update", map.update.rule, update_words(),
      std::string(with_pb == Update::coulomb ? "how a placed ion acts on those after it"
                                             : "how ions act on each other") +
          "",
      Default{"debye-hueckel, at --ionic-strength, or " + default_text(usual_ionic_strength_M) + " M" +
              (with_pb == Update::coulomb ? "; with --pb coulomb, until the next solve" : "")});
  tuning.add("update-dielectric", map.update.dielectric, "E", "dielectric that a placed ion acts through",
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
