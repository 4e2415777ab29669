// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/reader_invariants.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/error.hpp"
#include "core/text/note.hpp"
#include "files/input_file.hpp"
#include "structures/formats/read_structure.hpp"

namespace ionwell::test {
namespace {

const std::string path = "input.pqr";

std::string with_crlf(std::string_view text) {
  std::string changed;
  for (const char c : text) {
    if (c == '\n') changed += '\r';
    changed += c;
  }
  return changed;
}

/// PQR between blanks, with all digits of the numbers.
std::string written_again(const std::vector<Atom>& atoms) {
  std::string text;
  for (const Atom& atom : atoms) {
    char line[256];
    const Vec3<double>& p = atom.position_A;
    std::snprintf(line, sizeof line, "ATOM 1 X RES A 1 %.17e %.17e %.17e %.17e %.17e\n", p.x, p.y, p.z,
                  atom.charge_e, atom.radius_A);
    text += line;
  }
  return text;
}

bool same_numbers(const Structure& a, const Structure& b) {
  return std::equal(
      a.atoms.begin(), a.atoms.end(), b.atoms.begin(), b.atoms.end(), [](const Atom& x, const Atom& y) {
        return x.position_A == y.position_A && x.charge_e == y.charge_e && x.radius_A == y.radius_A;
      });
}

bool is_one_line_about_the_file(const std::string& message) {
  return message.starts_with(path + ":") && message.find('\n') == message.npos;
}

bool is_possible(const Atom& atom) {
  const Vec3<double>& p = atom.position_A;
  return std::abs(p.x) < 1e5 && std::abs(p.y) < 1e5 && std::abs(p.z) < 1e5 &&
         std::abs(atom.charge_e) <= 1e3 && atom.radius_A >= 0.0 && atom.radius_A <= 100.0;
}

std::string broken_invariant_of_text(std::string_view text) {
  const Structure structure = read_structure_text(text, path);
  if (structure.atoms.empty()) return "no atoms, and no error";
  if (!std::all_of(structure.atoms.begin(), structure.atoms.end(), is_possible)) return "an impossible atom";
  for (const std::string& message : structure.warnings)
    if (const std::string warning = without_mark(message); !is_one_line_about_the_file(warning))
      return "a warning is not one line about the file: " + warning;
  if (!same_numbers(structure, read_structure_text(written_again(structure.atoms), path)))
    return "written again, the atoms are different";
  if (!same_numbers(structure, read_structure_text(with_crlf(text), path)))
    return "with other line ends, the atoms are different";
  return {};
}

}  // namespace

std::string broken_invariant(std::string_view bytes) {
  std::string message;
  try {
    const InputLimits limits{.unpacked_bytes = 1 << 20};
    if (!is_gzip(bytes)) return broken_invariant_of_text(bytes);
    const FileBytes unpacked = gunzip(bytes, path, limits);
    if (unpacked.text().size() > limits.unpacked_bytes) return "unpacked more than the limit";
    return broken_invariant_of_text(unpacked.text());
  } catch (const Error& error) {
    message = error.what();
  }
  return is_one_line_about_the_file(message) ? "" : "not one line about the file: " + message;
}

}  // namespace ionwell::test
