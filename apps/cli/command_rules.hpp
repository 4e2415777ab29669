// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/option_rules.hpp"

/// When the options of each command have an effect. Some can be decided only when the files are read: then
/// the command says what they hold, as a fact.
namespace ionwell {

/// Of a structure: words that people try for its options.
OptionRules structure_rules();

/// Of --backend, --devices and --tune gpu-memory.
OptionRules backend_rules();

/// Of --border and --box.
OptionRules lattice_rules();

OptionRules place_rules();
OptionRules solvate_rules();
OptionRules prepare_rules();
OptionRules map_rules();
OptionRules average_rules();
OptionRules potential_rules();
OptionRules sample_rules();
OptionRules convert_rules();
OptionRules compare_rules();

/// Of 'place', once it is known whether ions take the places of waters.
OptionRules place_in_box_rules(bool replaces_water);

/// Of 'info', once it is known whether the file is a structure.
OptionRules info_rules(bool is_structure);

}  // namespace ionwell
