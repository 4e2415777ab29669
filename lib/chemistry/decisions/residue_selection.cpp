// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/residue_selection.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/lines.hpp"

namespace ionwell {
namespace {

constexpr std::size_t most_numbers = 12;

/// A name as a selection has it: in quotes where it is more than letters and digits.
std::string selection_word(Label name) {
  const std::string text(name.view());
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  });
  return is_plain ? text : '"' + text + '"';
}

class SelectionMaker {
 public:
  SelectionMaker(std::span<const Atom> atoms, const Chemistry& chemistry,
                 std::span<const std::uint32_t> residues)
      : atoms_(atoms), chemistry_(chemistry), is_wanted_(chemistry.residues.size(), 0) {
    for (const std::uint32_t r : residues) is_wanted_[r] = 1;
    for (std::uint32_t r = 0; r < is_wanted_.size(); ++r)
      if (!is_wanted_[r]) names_of_others_.insert(first(r).residue.view());
  }

  std::string make() const {
    std::vector<std::string> terms;
    std::string names;
    std::map<Chain, std::vector<std::uint32_t>> others;
    std::set<std::string_view> named;
    for (std::uint32_t r = 0; r < is_wanted_.size(); ++r) {
      if (!is_wanted_[r]) continue;
      if (names_of_others_.contains(first(r).residue.view()))
        others[chain_of(first(r))].push_back(r);
      else if (named.insert(first(r).residue.view()).second)
        names += ' ' + selection_word(first(r).residue);
    }
    if (!names.empty()) terms.push_back("resname" + names);
    for (const auto& [chain, residues] : others) {
      std::string term = of_chain(chain, residues);
      if (term.empty()) return {};
      terms.push_back(std::move(term));
    }
    if (terms.size() == 1) return terms[0];
    std::string text;
    for (const std::string& term : terms) {
      const bool is_one = term.find(" and ") == term.npos;
      (text += text.empty() ? "" : " or ") += is_one ? term : '(' + term + ')';
    }
    return text;
  }

 private:
  using Chain = std::pair<std::string_view, std::string_view>;  // segment, where there is no chain

  const Atom& first(std::uint32_t r) const { return atoms_[chemistry_.residues[r].begin]; }
  static Chain chain_of(const Atom& atom) {
    return {atom.chain.view(), atom.chain.empty() ? atom.segment.view() : std::string_view{}};
  }

  template <typename Holds>
  bool is_only_wanted(const Holds& holds) const {
    for (std::uint32_t r = 0; r < is_wanted_.size(); ++r)
      if (!is_wanted_[r] && holds(first(r))) return false;
    return true;
  }

  std::string of_chain(const Chain& chain, const std::vector<std::uint32_t>& residues) const {
    const auto is_of_it = [&](const Atom& atom) { return chain_of(atom) == chain; };
    const bool has_name = !chain.first.empty() || !chain.second.empty();
    const std::string word = !has_name             ? std::string()
                             : chain.first.empty() ? "segid " + selection_word(Label(chain.second))
                                                   : "chain " + selection_word(Label(chain.first));
    if (has_name && is_only_wanted(is_of_it)) return word;
    std::set<std::string> numbers;
    std::string text;
    for (const std::uint32_t r : residues)
      if (numbers.insert(residue_id_text(first(r))).second) text += ' ' + residue_id_text(first(r));
    if (numbers.size() > most_numbers) return {};
    const auto has_number = [&](const Atom& atom) {
      return is_of_it(atom) && numbers.contains(residue_id_text(atom));
    };
    text = (has_name ? word + " and resid" : "resid") + text;
    if (is_only_wanted(has_number)) return text;
    std::set<std::string_view> names;
    for (const std::uint32_t r : residues) names.insert(first(r).residue.view());
    if (!is_only_wanted(
            [&](const Atom& atom) { return has_number(atom) && names.contains(atom.residue.view()); }))
      return {};
    text += " and resname";
    for (const std::string_view name : names) text += ' ' + selection_word(Label(name));
    return text;
  }

  std::span<const Atom> atoms_;
  const Chemistry& chemistry_;
  std::vector<std::uint8_t> is_wanted_;
  std::set<std::string_view> names_of_others_;
};

}  // namespace

std::string residue_selection(std::span<const Atom> atoms, const Chemistry& chemistry,
                              std::span<const std::uint32_t> residues) {
  return SelectionMaker(atoms, chemistry, residues).make();
}

}  // namespace ionwell
