#include "ionwell/potential_options.hpp"

#include "core/error.hpp"
#include "files/output_file.hpp"

namespace ionwell {
void add_map_options(OptionGroup& group, ImportedMapArguments& map, Update with_pb) {
  group.add(
      "map", map.files.paths, "FILE",
      "potential to place in, in place of the solute's charges; repeated, the finest map wins where several "
      "reach");
  add_map_unit_option(group, map.files.unit, "unit of the maps, where they do not say");
  group.add_choice<std::optional<MapInterpolation>>(
      "map-interpolation", map.files.interpolation,
      {{"trilinear", MapInterpolation::trilinear}, {"tricubic", MapInterpolation::tricubic}},
      "between the points of a map, where the lattice is not its own (default trilinear)");
  group.add_choice(
      "update", map.update.rule,
      {{"debye-hueckel", Update::debye_hueckel}, {"coulomb", Update::coulomb}, {"none", Update::none}},
      std::string(with_pb == Update::coulomb ? "how a placed ion acts on those after it"
                                             : "how ions act on each other") +
          " (default debye-hueckel, at --ionic-strength, or " + default_text(usual_ionic_strength_M) + " M" +
          (with_pb == Update::coulomb ? "; with --pb it is coulomb, until the next solve)" : ")"));
  group.add("update-dielectric", map.update.dielectric, "E",
            "dielectric that it acts through (default water's, " + default_text(water_dielectric) +
                "; for coulomb " + default_text(published_hybrid_dielectric) + ")");
}

void validate(const ImportedMapArguments& map, const ElectrostaticsOptions& electrostatics,
              const MethodArguments& method) {
  if (!map.given()) {
    const char* const option = map.files.unit                         ? "--map-unit"
                               : map.files.interpolation              ? "--map-interpolation"
                               : map.update.rule != Update::automatic ? "--update"
                               : map.update.dielectric                ? "--update-dielectric"
                                                                      : nullptr;
    if (option != nullptr)
      fail<UsageError>(option, " is for ions in a map; add --map FILE or --pb own, or leave it out");
    return;
  }
  const char* const source = map.solved ? "--pb" : "--map";
  if (map.solved && !map.files.paths.empty())
    fail<UsageError>(
        "--pb and --map are given both, but the potential can come from one only; leave one of them out");
  for (std::size_t i = 0; i < map.files.paths.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (same_file(map.files.paths[i], map.files.paths[j]))
        fail<UsageError>("--map names one file twice, ", map.files.paths[j],
                         map.files.paths[i] == map.files.paths[j] ? "" : " and " + map.files.paths[i],
                         "; leave one of them out");
  if (map.solved && (map.files.unit || map.files.interpolation))
    fail<UsageError>(map.files.unit ? "--map-unit" : "--map-interpolation",
                     " is for --map, and --pb has no use for it; leave "
                     "it out");
  if (electrostatics.dielectric || electrostatics.ddd_per_A)
    fail<UsageError>(electrostatics.ddd_per_A ? "--ddd" : "--dielectric", " is given beside ", source,
                     ", which stands for the solute's potential; for the ions' own use --update-dielectric",
                     map.solved ? ", for the solver's --pb-option pdie=... and sdie=..." : "");
  if (method.method != Method::automatic || method.cutoff_A || method.spacing_A || method.basis)
    fail<UsageError>("--method and the --msm- options sum the solute's charges, and with ", source,
                     " nothing is summed; leave them out");
  if (!map.solved && electrostatics.ionic_strength_M &&
      (map.update.rule == Update::coulomb || map.update.rule == Update::none))
    fail<UsageError>("--ionic-strength with --map is for --update debye-hueckel; leave one of them out");
  validate(map.update, electrostatics);
}

}  // namespace ionwell
