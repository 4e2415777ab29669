#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "core/chemistry/ion_table.hpp"
#include "solvation/ions/box_options.hpp"

/// The options of ions that take the places of waters, as the command line describes them.
namespace ionwell {

struct BoxArguments {
  std::vector<std::string> salts, near, not_near;
  std::optional<std::string> inside_z;
  std::optional<Boundary> boundary;
  std::optional<double> keep_water_A, salt_solute_A;
  std::optional<SaltScheme> scheme;
  std::optional<SaltPlacement> salt_placement;
  std::optional<std::int64_t> seed;
  bool replace_crystal_waters = false, in_membrane = false, waters_act = false;

  /// The first option that was given, as it is written; empty without any.
  std::string given() const;
};

/// How salt is counted and placed, for commands that add it.
void add_salt_options(OptionGroup& group, BoxArguments& arguments);

/// Which waters ions replace.
void add_box_options(OptionGroup& group, BoxArguments& arguments);

/// Throws UsageError for what makes no sense, also together.
BoxOptions box_options(const BoxArguments& arguments, IonNaming naming);

/// Sets what was not given to what it is then, for a preset.
void complete(BoxArguments& arguments);

}  // namespace ionwell
