// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/pdb_invariants.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "core/error.hpp"
#include "core/text/note.hpp"
#include "structures/pdb/cif_scanner.hpp"
#include "structures/pdb/mmcif_reader.hpp"
#include "structures/pdb/pdb_header.hpp"
#include "structures/pdb/pdb_models.hpp"
#include "structures/pdb/pdb_reader.hpp"

namespace ionwell::test {
namespace {

const std::string path = "input.pdb";

bool is_one_line_about_the_file(const std::string& message) {
  return message.starts_with(path + ":") && message.find('\n') == message.npos;
}

bool is_possible(const Atom& atom) {
  const Vec3<double>& p = atom.position_A;
  return std::abs(p.x) < 1e5 && std::abs(p.y) < 1e5 && std::abs(p.z) < 1e5 && std::isfinite(atom.charge_e) &&
         atom.radius_A >= 0.0 && atom.radius_A <= 100.0 && !atom.name.empty();
}

bool same_atoms(const Structure& a, const Structure& b) {
  return std::equal(a.atoms.begin(), a.atoms.end(), b.atoms.begin(), b.atoms.end(),
                    [](const Atom& x, const Atom& y) {
                      return x.position_A == y.position_A && x.name == y.name && x.ends_chain == y.ends_chain;
                    });
}

std::string with_crlf(std::string_view text) {
  std::string changed;
  for (const char c : text) {
    if (c == '\n') changed += '\r';
    changed += c;
  }
  return changed;
}

/// What is wrong with the result of `action`, or with its message.
template <typename Action>
std::string problem_of(const Action& action) {
  try {
    return action();
  } catch (const Error& error) {
    const std::string message = error.what();
    return is_one_line_about_the_file(message) ? "" : "not one line about the file: " + message;
  }
}

template <typename Reader>
std::string problem_of_reader(std::string_view text, const Reader& read) {
  return problem_of([&]() -> std::string {
    const Structure structure = read(text);
    if (structure.atoms.empty()) return "no atoms, and no error";
    if (!std::all_of(structure.atoms.begin(), structure.atoms.end(), is_possible))
      return "an impossible atom";
    for (const std::string& message : structure.warnings)
      if (const std::string warning = without_mark(message); !is_one_line_about_the_file(warning))
        return "a warning is not one line about the file: " + warning;
    const bool has_other_ends = text.find('\r') != text.npos;
    if (!has_other_ends && !same_atoms(structure, read(with_crlf(text))))
      return "with other line ends, the atoms are different";
    return {};
  });
}

/// Builds every assembly of up to a thousand copies.
template <typename Reader>
std::string problem_of_assemblies(const std::vector<Assembly>& assemblies, const Reader& read) {
  for (const Assembly& assembly : assemblies) {
    constexpr std::size_t enough = 1000;
    if (assembly.name.empty() || assembly.copies() * assembly.parts.size() > enough) continue;
    const std::string problem = problem_of([&]() -> std::string {
      const Structure built = read(assembly.name);
      return built.atoms.empty() ? "an assembly without atoms, and no error" : "";
    });
    if (!problem.empty()) return problem;
  }
  return {};
}

/// Reads up to a few models; the first is what read_pdb has.
std::string problem_of_models(std::string_view text) {
  return problem_of([&]() -> std::string {
    const auto models = open_pdb_models(text, path);
    if (models->frames() < 1) return "no model, and no error";
    constexpr std::int64_t enough = 20;
    for (std::int64_t n = 0; n < std::min(models->frames(), enough); ++n) try {
        const Coordinates model = models->read(n);
        if (model.positions_A.empty()) return "a model without atoms, and no error";
        if (model.positions_A.size() != model.labels.size()) return "not one label each";
        for (const Vec3<double>& p : model.positions_A)
          if (!(std::abs(p.x) < 1e5 && std::abs(p.y) < 1e5 && std::abs(p.z) < 1e5))
            return "an impossible position";
        if (n == 0 && model.positions_A.size() != read_pdb(text, path).atoms.size())
          return "the first model has not the atoms of the file";
      } catch (const Error& error) {
        const std::string message = error.what();
        if (!message.starts_with(path) || message.find('\n') != message.npos)
          return "not one line about the file: " + message;
      }
    return {};
  });
}

/// All tokens, one a line, with the line that each is in; those of values in rows of three. An error ends
/// them.
std::string tokens_of(CifScanner& scanner) {
  using Kind = CifScanner::Kind;
  std::string tokens;
  while (scanner.kind() != Kind::end) {
    tokens += std::to_string(scanner.line());
    if (scanner.kind() == Kind::value && scanner.line() % 2 == 0) {
      std::array<std::string_view, 3> row;
      const std::size_t count = scanner.take_row(row);
      for (std::size_t n = 0; n < count; ++n) tokens.append(" ").append(row[n]);
      if (count == 0) break;  // a value that ends the text
    } else {
      tokens.append(" ").append(scanner.text()) += char('0' + int(scanner.kind()));
      if (scanner.is_null()) tokens += '?';
      scanner.next();
    }
    tokens += '\n';
  }
  return tokens;
}

std::string tokens_or_error(const std::function<std::string()>& read) {
  try {
    return read();
  } catch (const Error& error) {
    return error.what();
  }
}

/// Text that comes line by line has the tokens of all of it.
std::string problem_of_pieces(std::string_view bytes) {
  const std::string whole = tokens_or_error([&] {
    CifScanner scanner(bytes, path);
    return tokens_of(scanner);
  });
  std::string line;  // only the present one may be looked at
  std::string_view rest = bytes;
  const std::string by_lines = tokens_or_error([&] {
    CifScanner scanner(
        [&] {
          const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
          line.assign(rest.substr(0, end)).shrink_to_fit();
          rest.remove_prefix(line.size());
          return std::string_view(line);
        },
        path);
    return tokens_of(scanner);
  });
  return whole == by_lines ? std::string()
                           : "other tokens line by line: " + by_lines + " instead of " + whole;
}

}  // namespace

std::string broken_pdb_invariant(std::string_view bytes) {
  is_pdb(bytes);
  is_mmcif(bytes);
  pdb_header_records(bytes);
  const auto pdb = [](std::string_view text) { return read_pdb(text, path); };
  const auto cif = [](std::string_view text) { return read_mmcif(text, path); };
  std::string problem = problem_of_reader(bytes, pdb);
  if (problem.empty()) problem = problem_of_reader(bytes, cif);
  if (problem.empty()) problem = problem_of_models(bytes);
  if (problem.empty()) problem = problem_of_pieces(bytes);
  if (problem.empty())
    problem = problem_of([&] {
      return problem_of_assemblies(pdb_assemblies(bytes, path), [&](const std::string& name) {
        return read_pdb(bytes, path, {.assembly = name});
      });
    });
  if (problem.empty())
    problem = problem_of([&] {
      return problem_of_assemblies(mmcif_assemblies(bytes, path), [&](const std::string& name) {
        return read_mmcif(bytes, path, {.assembly = name});
      });
    });
  return problem;
}

}  // namespace ionwell::test
