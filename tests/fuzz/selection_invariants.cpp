// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/selection_invariants.hpp"

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "structures/selection/selection.hpp"

namespace ionwell::test {
namespace {

using Mask = std::vector<std::uint8_t>;

std::vector<Atom> sample() {
  std::vector<Atom> atoms;
  for (int i = 0; i < 24; ++i) {
    Atom atom;
    atom.position_A = {1.5 * (i % 5), 2.0 * (i / 5), 0.1 * i};
    atom.name = std::string_view("N CAC O P O5").substr(std::size_t(i % 6) * 2, 2);
    atom.residue = i < 9 ? "ALA" : i < 15 ? "GUA" : i < 21 ? "TIP3" : "SOD";
    atom.chain = i < 15 ? "A" : "B";
    atom.segment = i < 9 ? "PROA" : "SEGB";
    atom.residue_number = i / 3 - 2;
    atom.insertion_code = i % 7 == 0 ? 'A' : ' ';
    atoms.push_back(atom);
  }
  return atoms;
}

std::optional<Mask> selected(const std::string& text, std::string& message) {
  static const std::vector<Atom> atoms = sample();
  try {
    return select(atoms, text);
  } catch (const UsageError& error) {
    message = error.what();
    return std::nullopt;
  }
}

}  // namespace

std::string broken_selection_invariant(std::string_view text) {
  std::string message;
  const std::optional<Mask> mask = selected(std::string(text), message);
  if (!mask)
    return message.starts_with("selection '") && message.find('\n') == message.npos
               ? ""
               : "not one line: " + message;
  if (mask->size() != sample().size()) return "not one for each atom";
  if (std::any_of(mask->begin(), mask->end(), [](std::uint8_t one) { return one > 1; }))
    return "neither 0 nor 1";
  const std::string in_parentheses = "(" + std::string(text) + ")";
  const std::optional<Mask> same = selected(in_parentheses, message),
                            rest = selected("not " + in_parentheses, message);
  if (same && *same != *mask) return "in parentheses another selection";
  if (rest &&
      !std::equal(mask->begin(), mask->end(), rest->begin(), [](auto a, auto b) { return a + b == 1; }))
    return "behind not, not the rest";
  if ((!same || !rest) && message.find("nested") == message.npos) return "in parentheses refused: " + message;
  return {};
}

}  // namespace ionwell::test
