// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "compute/run_record.hpp"
#include "core/lattice.hpp"
#include "core/structure.hpp"

/// What the reports of several commands share. For sources only: this is no header for users of the library.
namespace ionwell {

/// As many decimals as matter, without what arithmetic leaves behind them: 19.6535, not 19.653499999999998.
double with_decimals(double value, int decimals);
constexpr int position_decimals = 6;  // [A], as in files of positions
constexpr int charge_decimals = 6;    // [e], of sums

/// Of a geometry: nine decimals, for a thousand steps of a lattice to be as exact as a position.
nlohmann::ordered_json vector_json(const Vec3<double>& v, int decimals = 9);
inline nlohmann::ordered_json position_json(const Vec3<double>& position_A) {
  return vector_json(position_A, position_decimals);
}

/// Path, atoms, net charge; composition where the structure was read from a file, cell where it has one.
nlohmann::ordered_json structure_json(const Structure& structure);

nlohmann::ordered_json lattice_json(const LatticeGeometry& lattice);

/// What every report begins with: schema_version, version, command.
nlohmann::ordered_json report_head(const RunRecord& run);

/// What every report says of its run: backend, timings_s, memory_bytes, and device where there was one.
void add_run(nlohmann::ordered_json& json, const RunRecord& run);

/// "warnings" and "notes", from the warnings and notes of a run.
void add_messages(nlohmann::ordered_json& json, std::span<const std::string> messages);

/// The text of a report. A path need not be UTF-8: what is not is replaced.
std::string report_text(const nlohmann::ordered_json& json);

}  // namespace ionwell
