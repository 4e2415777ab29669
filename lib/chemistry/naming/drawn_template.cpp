// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/naming/drawn_template.hpp"

#include <algorithm>

namespace ionwell {
namespace {

class DoubleBonds {
 public:
  explicit DoubleBonds(ResidueTemplate& molecule) : molecule_(molecule), around_(molecule.atoms.size()) {
    for (std::size_t b = 0; b < molecule_.bonds.size(); ++b) {
      around_[molecule_.bonds[b].first].push_back(b);
      around_[molecule_.bonds[b].second].push_back(b);
    }
  }

  void draw() {
    for (std::size_t n = 0; n < around_.size(); ++n) {
      if (!is_carbon(n) || around_[n].size() != 3) continue;
      const auto better = [&](std::size_t a, std::size_t b) { return worth(n, a) < worth(n, b); };
      const std::size_t best = *std::max_element(around_[n].begin(), around_[n].end(), better);
      molecule_.bonds[best].order = 2;
    }
  }

 private:
  bool is_carbon(std::size_t n) const { return molecule_.atoms[n].element == ElementSymbol("C"); }

  /// How likely a bond of an atom is a double one.
  int worth(std::size_t n, std::size_t bond) const {
    const TemplateBond& b = molecule_.bonds[bond];
    const std::size_t other = b.first == n ? b.second : b.first;
    const std::size_t neighbours = around_[other].size();
    const ElementSymbol element = molecule_.atoms[other].element;
    if (element == ElementSymbol("H")) return 0;
    if (element == ElementSymbol("O") && neighbours == 1) return 5;
    if (is_carbon(other)) return neighbours == 3 ? 4 : 1;
    if (element == ElementSymbol("N") && neighbours < 4) return 3;
    return neighbours == 1 ? 2 : 1;
  }

  ResidueTemplate& molecule_;
  std::vector<std::vector<std::size_t>> around_;  // bonds, by atom
};

}  // namespace

ResidueTemplate drawn_template(std::span<const TemplateAtom> atoms,
                               std::span<const std::pair<std::size_t, std::size_t>> bonds) {
  ResidueTemplate molecule;
  molecule.atoms.assign(atoms.begin(), atoms.end());
  for (const auto& [first, second] : bonds)
    molecule.bonds.push_back({std::uint16_t(first), std::uint16_t(second), 1});
  DoubleBonds(molecule).draw();
  return molecule;
}

}  // namespace ionwell
