// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "cli/command_line.hpp"
#include "ionwell/ion_arguments.hpp"
#include "potential/request/source_options.hpp"

/// Options of a model of the places that crystals show ions at.
namespace ionwell {

enum class PlacementModel { electrostatics, sites, site_terms };

struct SiteArguments {
  PlacementModel model = PlacementModel::electrostatics;
  std::optional<std::string> model_file;

  bool given() const { return model != PlacementModel::electrostatics; }
};

/// What a model of sites places: all ions, or those that it is for, before water is added.
enum class SiteIons { all, before_water };

void add_site_options(OptionGroup& group, OptionGroup& tuning, SiteArguments& arguments, SiteIons ions);

/// The model with the distances that were requested. Reads the model's file, if there is one: throws Error
/// for an invalid model.
SiteOptions site_options(const SiteArguments& arguments, const IonArguments& ions, Method method);

}  // namespace ionwell
