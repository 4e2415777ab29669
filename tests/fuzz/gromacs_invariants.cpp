// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/gromacs_invariants.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text/note.hpp"
#include "structures/gromacs/g96.hpp"
#include "structures/gromacs/gro.hpp"
#include "structures/gromacs/topology.hpp"
#include "structures/gromacs/tpr_dump.hpp"
#include "structures/gromacs/trr.hpp"
#include "structures/gromacs/xtc.hpp"

namespace ionwell::test {
namespace {

const std::string path = "input.top";

bool is_one_line_about_a_file(const std::string& message) {
  return message.find(':') != message.npos && message.find('\n') == message.npos;
}

bool is_possible(const Vec3<double>& p) {
  return std::abs(p.x) < 1e5 && std::abs(p.y) < 1e5 && std::abs(p.z) < 1e5;
}

bool is_possible(const std::optional<UnitCell>& cell) {
  const auto positive = [](const Vec3<double>& v) {
    return v.x > 0.0 && v.y > 0.0 && v.z > 0.0 && std::isfinite(v.x + v.y + v.z);
  };
  return !cell || (positive(lengths_A(*cell)) && positive(angles_deg(*cell)));
}

std::string problem_of(const std::vector<std::string>& warnings) {
  for (const std::string& message : warnings)
    if (const std::string warning = without_mark(message);
        !warning.starts_with(path + ":") || !is_one_line_about_a_file(warning))
      return "a warning is not one line about the file: " + warning;
  return {};
}

std::string problem_of(const std::vector<Atom>& atoms) {
  if (atoms.empty()) return "no atoms, and no error";
  const bool possible = std::all_of(atoms.begin(), atoms.end(), [](const Atom& atom) {
    return is_possible(atom.position_A) && std::abs(atom.charge_e) <= 1e3;
  });
  return possible ? "" : "an impossible atom";
}

std::string problem_of(const Coordinates& read) {
  const auto& positions = read.positions_A;
  if (positions.empty()) return "no positions, and no error";
  if (read.frames < 1) return "no frames, and no error";
  if (!read.labels.empty() && read.labels.size() != positions.size()) return "not a label for each position";
  if (!std::all_of(positions.begin(), positions.end(), [](const Vec3<double>& p) { return is_possible(p); }))
    return "an impossible position";
  return is_possible(read.cell) ? problem_of(read.warnings) : "an impossible cell";
}

/// What is wrong with what `read` gives, or with how it refuses.
template <typename Read>
std::string problem_of_reading(const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    return is_one_line_about_a_file(error.what())
               ? ""
               : std::string("not one line about the file: ") + error.what();
  }
}

std::string problem_of_topology(std::string_view bytes) {
  const std::map<std::string, std::string> files{
      {path, std::string(bytes)}, {"part.itp", "#include \"input.top\"\n"}, {"empty.itp", ""}};
  const GromacsTopology read = read_gromacs_topology(
      path, {.preprocessor = {.defines = {"A", "B=1"}, .files = &files}, .most_atoms = 10000});
  const std::string problem = problem_of(read.topology.atoms);
  return problem.empty() ? problem_of(read.topology.warnings) : problem;
}

}  // namespace

std::string broken_gromacs_invariant(std::string_view bytes) {
  std::string with_crlf;
  for (const char c : bytes) {
    if (c == '\n') with_crlf += '\r';
    with_crlf += c;
  }
  const auto problem_of_text = [&](const auto& read) {
    return problem_of_reading([&] {
      const Coordinates once = read(bytes, path, FrameChoice{});
      if (bytes.find('\r') == bytes.npos &&
          read(with_crlf, path, FrameChoice{}).positions_A != once.positions_A)
        return std::string("with other line ends, the positions are different");
      const std::string problem = problem_of(once);
      return problem.empty() ? problem_of(read(bytes, path, FrameChoice{-1})) : problem;
    });
  };
  const auto problem_of_binary = [&](const auto& read) {
    return problem_of_reading([&] {
      const std::string problem = problem_of(read(bytes, path, FrameChoice{-1}));
      return problem.empty() ? problem_of(read(bytes, path, FrameChoice{})) : problem;
    });
  };
  const std::string problems[] = {
      problem_of_reading([&] { return problem_of_topology(bytes); }),
      problem_of_text(read_gro),
      problem_of_text(read_g96),
      problem_of_binary(read_xtc),
      problem_of_binary(read_trr),
      problem_of_reading([&] { return problem_of(read_tpr_dump(bytes, path).atoms); }),
  };
  for (const std::string& problem : problems)
    if (!problem.empty()) return problem;
  // Those with a mark of their own are asked first (find_format).
  const auto count = [&](std::initializer_list<bool (*)(std::string_view)> formats) {
    return std::count_if(formats.begin(), formats.end(),
                         [&](const auto& is_format) { return is_format(bytes); });
  };
  const bool one_at_most =
      count({is_g96, is_xtc, is_trr, is_tpr}) <= 1 && count({is_gromacs_topology, is_gro}) <= 1;
  return one_at_most ? "" : "several formats know it for their own";
}

}  // namespace ionwell::test
