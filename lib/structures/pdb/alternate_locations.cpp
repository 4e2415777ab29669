// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "core/chemistry/residue_runs.hpp"
#include "core/text/count_text.hpp"
#include "core/text/note.hpp"
#include "structures/pdb/atom_sites.hpp"

namespace ionwell {
namespace {

/// Occupancies of the alternate locations of one residue, by letter.
class OccupancyByLetter {
 public:
  void add(const SiteDetails& site) {
    Tally& tally = tallies_[static_cast<unsigned char>(site.alternate)];
    if (tally.atoms++ == 0) order_.push_back(site.alternate);
    tally.sum += site.occupancy;
  }

  /// The letter of the highest mean, the first of equal ones.
  char best() const {
    constexpr double rounding = 1e-6;  // of means of numbers with two decimals
    char best = order_.front();
    for (const char letter : order_)
      if (mean(letter) > mean(best) + rounding) best = letter;
    return best;
  }

 private:
  struct Tally {
    double sum = 0.0;
    std::int64_t atoms = 0;
  };
  double mean(char letter) const {
    const Tally& tally = tallies_[static_cast<unsigned char>(letter)];
    return tally.sum / double(tally.atoms);
  }

  std::array<Tally, 256> tallies_{};
  std::string order_;
};

/// The atoms [begin, end) of one residue.
class AlternateResidue {
 public:
  AlternateResidue(const AtomSites& sites, std::size_t begin, std::size_t end)
      : atoms_(std::span(sites.structure.atoms).subspan(begin, end - begin)),
        details_(std::span(sites.details).subspan(begin, end - begin)) {
    OccupancyByLetter occupancies;
    for (const SiteDetails& site : details_)
      if (site.alternate != ' ') occupancies.add(site);
    letter_ = occupancies.best();
    const auto first = std::find_if(details_.begin(), details_.end(),
                                    [this](const SiteDetails& site) { return site.alternate == letter_; });
    residue_ = atoms_[std::size_t(first - details_.begin())].residue;
  }

  bool keeps(std::size_t i) const {
    if (is_of_choice(i)) return true;
    if (atoms_[i].residue != residue_) return false;
    for (std::size_t other = 0; other < atoms_.size(); ++other) {
      if (other == i || atoms_[other].name != atoms_[i].name || atoms_[other].residue != residue_) continue;
      const bool first_of_equal = details_[other].occupancy == details_[i].occupancy && other < i;
      if (is_of_choice(other) || first_of_equal || details_[other].occupancy > details_[i].occupancy)
        return false;
    }
    return true;
  }

 private:
  bool is_of_choice(std::size_t i) const {
    return details_[i].alternate == ' ' || details_[i].alternate == letter_;
  }

  std::span<const Atom> atoms_;
  std::span<const SiteDetails> details_;
  char letter_ = ' ';
  Label residue_;
};

template <typename Value>
void keep(std::vector<Value>& values, const std::vector<bool>& kept) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (kept[i]) values[n++] = values[i];
  values.resize(std::min(n, values.size()));
}

}  // namespace

void resolve_alternate_locations(AtomSites& sites) {
  std::vector<Atom>& atoms = sites.structure.atoms;
  const auto has_alternate = [](const SiteDetails& site) { return site.alternate != ' '; };
  if (std::none_of(sites.details.begin(), sites.details.end(), has_alternate)) return;
  std::vector<bool> kept(atoms.size(), true);
  std::int64_t residues = 0, left_out = 0;
  std::string first;
  for (std::size_t begin = 0, end = 0; begin < atoms.size(); begin = end) {
    const auto goes_on = [&](const Atom& atom) {
      return same_residue_number(atom, atoms[begin]) && atom.segment == atoms[begin].segment;
    };
    for (end = begin + 1; end < atoms.size() && goes_on(atoms[end]);) ++end;
    constexpr std::size_t longest = 400;  // a run beyond any residue is waters of one number: in O(n) only
    const auto at = [&](std::size_t i) { return sites.details.begin() + std::ptrdiff_t(i); };
    if (end - begin > longest) end = begin + longest;
    if (std::none_of(at(begin), at(end), has_alternate)) continue;
    const AlternateResidue residue(sites, begin, end);
    std::int64_t here = 0;
    for (std::size_t i = begin; i < end; ++i)
      if (!(kept[i] = residue.keeps(i - begin))) ++here;
    if (here == 0) continue;
    if (residues++ == 0) first = describe_residue(atoms[begin]);
    left_out += here;
  }
  if (left_out == 0) return;
  for (std::size_t i = 1; i < atoms.size(); ++i)  // the end of a chain must not go with an atom
    if (!kept[i] && atoms[i].ends_chain)
      for (std::size_t last = i; last-- > 0;)
        if (kept[last]) {
          atoms[last].ends_chain = true;
          break;
        }
  keep(atoms, kept);
  keep(sites.details, kept);
  keep(sites.serials, kept);
  keep(sites.asym, kept);
  sites.structure.warnings.push_back(
      note(sites.structure.path + ": " + count_of(residues, "residue") + (residues == 1 ? " has" : " have") +
           " alternate locations, first " + first + "; the one with the highest occupancy was used, and " +
           count_of(left_out, "atom") + (left_out == 1 ? " was" : " were") + " left out"));
}

}  // namespace ionwell
