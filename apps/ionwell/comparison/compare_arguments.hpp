// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "ionwell/running/checkpoint_arguments.hpp"
#include "ionwell/structure_input.hpp"
#include "potential/request/source_options.hpp"
#include "structures/formats/pdb_sites.hpp"

/// What the command compare takes: ions and sites, or a structure.
namespace ionwell {

struct CompareArguments {
  StructureArguments structure;  // or ions and sites
  std::vector<std::string> requests;
  SiteChoice choice = SiteChoice::ions;
  SiteWeight weight = SiteWeight::none;
  std::optional<std::string> random_around;
  std::optional<std::int64_t> seed;
  std::vector<std::string> protocols;
  std::optional<PbSolvedBy> solver = PbSolvedBy::own;
  int threads = 0;
  RunArguments run;
  CheckpointArguments checkpoint;
};

/// False when help was requested, and printed. Throws UsageError for what the command does not know, and for
/// options that go with another way to use it.
bool parse(const std::vector<std::string>& words, CompareArguments& arguments, std::ostream& out);

}  // namespace ionwell
