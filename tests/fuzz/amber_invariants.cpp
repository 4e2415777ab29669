// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/amber_invariants.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text/note.hpp"
#include "structures/amber/amber_netcdf.hpp"
#include "structures/amber/inpcrd.hpp"
#include "structures/amber/prmtop.hpp"
#include "structures/mol2.hpp"

namespace ionwell::test {
namespace {

const std::string path = "input";

bool is_possible(const Vec3<double>& p) {
  return std::abs(p.x) <= 1e5 && std::abs(p.y) <= 1e5 && std::abs(p.z) <= 1e5;
}
bool is_possible(const Atom& atom) {
  return is_possible(atom.position_A) && std::abs(atom.charge_e) <= 1e3 && atom.radius_A >= 0.0 &&
         atom.radius_A <= 100.0;
}

const std::vector<Atom>& parts_of(const Structure& structure) {
  return structure.atoms;
}
const std::vector<Atom>& parts_of(const Topology& topology) {
  return topology.atoms;
}
const std::vector<Vec3<double>>& parts_of(const Coordinates& coordinates) {
  return coordinates.positions_A;
}

bool is_same(const Vec3<double>& a, const Vec3<double>& b) {
  return a == b;
}
bool is_same(const Atom& a, const Atom& b) {
  return a.position_A == b.position_A && a.charge_e == b.charge_e && a.radius_A == b.radius_A &&
         a.name == b.name && a.residue == b.residue && a.residue_number == b.residue_number &&
         a.ends_chain == b.ends_chain;
}

bool is_one_line_about_the_file(const std::string& message) {
  return message.starts_with(path + ":") && message.find('\n') == message.npos;
}

template <typename Read>
std::string broken_invariant_of(const Read& read, std::string_view bytes, bool is_text) {
  try {
    const auto result = read(bytes);
    const auto& parts = parts_of(result);
    if (parts.empty()) return "no atoms, and no error";
    if (!std::all_of(parts.begin(), parts.end(), [](const auto& part) { return is_possible(part); }))
      return "an impossible atom";
    for (const std::string& message : result.warnings)
      if (const std::string warning = without_mark(message); !is_one_line_about_the_file(warning))
        return "a warning is not one line about the file: " + warning;
    if (!is_text || bytes.find('\r') != bytes.npos) return {};
    std::string crlf;
    for (const char c : bytes) crlf += c == '\n' ? "\r\n" : std::string(1, c);
    const auto again = read(crlf);
    const auto& others = parts_of(again);
    if (!std::equal(parts.begin(), parts.end(), others.begin(), others.end(),
                    [](const auto& a, const auto& b) { return is_same(a, b); }))
      return "with other line ends, the atoms are different";
  } catch (const Error& error) {
    if (const std::string message = error.what(); !is_one_line_about_the_file(message))
      return "not one line about the file: " + message;
  }
  return {};
}

}  // namespace

std::string broken_amber_invariant(std::string_view bytes) {
  const auto as_topology = [](std::string_view text) { return read_prmtop(text, path); };
  const auto as_coordinates = [](std::string_view text) { return read_inpcrd(text, path); };
  const auto as_mol2 = [](std::string_view text) { return read_mol2(text, path); };
  const auto as_netcdf = [](std::string_view image) { return read_amber_netcdf(image, path, {-1}); };
  for (const std::string& problem :
       {broken_invariant_of(as_topology, bytes, true), broken_invariant_of(as_coordinates, bytes, true),
        broken_invariant_of(as_mol2, bytes, true), broken_invariant_of(as_netcdf, bytes, false)})
    if (!problem.empty()) return problem;
  return {};
}

}  // namespace ionwell::test
