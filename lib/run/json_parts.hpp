#pragma once

#include <nlohmann/json.hpp>

#include "core/device_use.hpp"
#include "core/lattice.hpp"
#include "core/structure.hpp"

/// What the reports of several commands share. For sources only: this is no header for users of the library.
namespace ionwell {

inline nlohmann::ordered_json vector_json(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}

/// Path, atoms, net charge; composition where the structure was read from a file, cell where it has one.
nlohmann::ordered_json structure_json(const Structure& structure);

nlohmann::ordered_json lattice_json(const LatticeGeometry& lattice);

/// What devices did, and how long they took to start.
nlohmann::ordered_json device_json(const DeviceUse& use, double start_up_s);

/// The text of a report. A path need not be UTF-8: what is not is replaced.
std::string report_text(const nlohmann::ordered_json& json);

}  // namespace ionwell
