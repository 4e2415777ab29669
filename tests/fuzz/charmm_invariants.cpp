// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/charmm_invariants.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "core/text/note.hpp"
#include "structures/charmm/charmm_crd.hpp"
#include "structures/charmm/dcd.hpp"
#include "structures/charmm/namd_binary.hpp"
#include "structures/charmm/psf.hpp"
#include "structures/charmm/xsc.hpp"

namespace ionwell::test {
namespace {

const std::string path = "input";

std::string with_crlf(std::string_view text) {
  std::string changed;
  for (const char c : text) {
    if (c == '\n') changed += '\r';
    changed += c;
  }
  return changed;
}

bool is_one_line_about_the_file(const std::string& message) {
  return message.starts_with(path + ":") && message.find('\n') == message.npos;
}

std::string broken_warning(const std::vector<std::string>& warnings) {
  for (const std::string& message : warnings)
    if (const std::string warning = without_mark(message); !is_one_line_about_the_file(warning))
      return "a warning is not one line about the file: " + warning;
  return {};
}

std::string broken_cell(const std::optional<UnitCell>& cell) {
  if (!cell) return {};
  const auto in = [](const Vec3<double>& v, double most) {
    return v.x > 0.0 && v.x < most && v.y > 0.0 && v.y < most && v.z > 0.0 && v.z < most;
  };
  return in(lengths_A(*cell), 1e5) && in(angles_deg(*cell), 180.0) ? "" : "an impossible cell";
}

std::string broken_psf(std::string_view text) {
  const Topology topology = read_psf(text, path);
  if (topology.atoms.empty()) return "a PSF without atoms, and no error";
  for (const Atom& atom : topology.atoms)
    if (!(std::abs(atom.charge_e) < 1e3)) return "an impossible charge";
  if (read_psf(with_crlf(text), path).atoms.size() != topology.atoms.size())
    return "other line ends, other atoms";
  return broken_warning(topology.warnings);
}

std::string broken_coordinates(const Coordinates& read) {
  if (read.positions_A.empty()) return "coordinates without atoms, and no error";
  if (!read.labels.empty() && read.labels.size() != read.positions_A.size()) return "not one label each";
  if (read.frames < 1) return "less than one frame";
  for (const Vec3<double>& p : read.positions_A)
    if (!(std::abs(p.x) < 1e5 && std::abs(p.y) < 1e5 && std::abs(p.z) < 1e5)) return "an impossible position";
  const std::string cell = broken_cell(read.cell);
  return cell.empty() ? broken_warning(read.warnings) : cell;
}

std::string broken_crd(std::string_view text) {
  const Coordinates read = read_charmm_crd(text, path);
  if (read_charmm_crd(with_crlf(text), path).positions_A != read.positions_A)
    return "other line ends, other positions";
  return broken_coordinates(read);
}

std::string broken_xsc(std::string_view text) {
  const ExtendedSystem system = read_xsc(text, path);
  const std::string cell = broken_cell(system.cell);
  return cell.empty() ? broken_warning(system.warnings) : cell;
}

template <typename Check>
std::string broken_reader(std::string_view name, const Check& check) {
  std::string problem;
  try {
    problem = check();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (!is_one_line_about_the_file(message)) problem = "not one line about the file: " + message;
  }
  return problem.empty() ? "" : std::string(name) + ": " + problem;
}

/// Each frame by itself, of a file that is opened once.
std::string broken_frames(const FrameReader& reader) {
  constexpr std::int64_t enough = 50;
  for (std::int64_t n = 0; n < std::min(reader.frames(), enough); ++n)
    if (const std::string problem = broken_coordinates(reader.read(n)); !problem.empty()) return problem;
  return {};
}

}  // namespace

std::string broken_charmm_invariant(std::string_view bytes) {
  // Those with a mark of their own are asked first (find_format).
  const int marked = is_psf(bytes) + is_dcd(bytes) + is_xsc(bytes),
            unmarked = is_charmm_crd(bytes) + is_namd_binary(bytes);
  if (marked > 1 || (marked == 0 && unmarked > 1)) return "two formats recognise it";
  for (const std::string& problem :
       {broken_reader("psf", [&] { return broken_psf(bytes); }),
        broken_reader("crd", [&] { return broken_crd(bytes); }),
        broken_reader("dcd", [&] { return broken_coordinates(read_dcd(bytes, path)); }),
        broken_reader("last of dcd", [&] { return broken_coordinates(read_dcd(bytes, path, {-1})); }),
        broken_reader("frames of dcd", [&] { return broken_frames(*open_dcd(bytes, path)); }),
        broken_reader("namd", [&] { return broken_coordinates(read_namd_binary(bytes, path)); }),
        broken_reader("xsc", [&] { return broken_xsc(bytes); })})
    if (!problem.empty()) return problem;
  return {};
}

}  // namespace ionwell::test
