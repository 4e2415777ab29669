// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/place/job/result.hpp"
#include "potential/potential_report.hpp"

namespace ionwell {

/// JSON, schema version 1; later versions only add. Numbers that are not finite are null.
std::string json_report(const Result& result);

/// Of what was there before the ions: the solute, or a whole box.
double charge_before_e(const Result& result);

/// And with them.
double charge_after_e(const Result& result);

/// "3 MG (+2), 14 NA (+1)", in the order of placement; "none" without ions.
std::string describe_ions(const Placement& placement);

/// describe_method of the potential, and of what ions have in its place.
std::string describe_method(const Result& result);

/// The same of a run that placed ions in it, and whether their positions are approximate.
std::string describe_placement(const Result& result);

/// Paragraphs for the top of a PDB file: version, protocol, net charge before and after.
std::vector<std::string> protocol_remarks(const Result& result);

}  // namespace ionwell
