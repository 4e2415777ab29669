// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/templates/residue_draft.hpp"

#include <algorithm>

#include "core/chemistry/elements.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"

namespace ionwell {
namespace {

constexpr std::string_view bond_signs = "~-=#";  // by order

/// Takes what comes before the next `separator` off the front.
std::string_view take_part(std::string_view& text, char separator) {
  const std::size_t at = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

/// "+1", "-2", "0"; nothing for anything else.
std::optional<int> formal_charge(std::string_view text) {
  const bool is_signed = !text.empty() && (text[0] == '+' || text[0] == '-');
  const std::string_view digits = text.substr(is_signed ? 1 : 0);
  if (digits.size() != 1 || !is_digit(digits[0])) return std::nullopt;
  return (text[0] == '-' ? -1 : 1) * (digits[0] - '0');
}

}  // namespace

std::optional<NamingScheme> find_naming_scheme(std::string_view word) {
  for (std::size_t n = 0; n < naming_schemes; ++n)
    if (word == to_string(NamingScheme(n))) return NamingScheme(n);
  return std::nullopt;
}

template <typename... Parts>
void ResidueDraft::refuse(const ResidueEdit& edit, const Parts&... parts) const {
  fail(path_, ':', edit.line, ": ", parts...);
}

ResidueDraft::ResidueDraft(std::string_view path, std::span<const Label> lists)
    : path_(path), lists_(lists), names_(naming_schemes + lists.size()) {
  for (std::size_t n = 0; n < naming_schemes; ++n) list_of_scheme_[n] = n;
}

void ResidueDraft::add(const ResidueDraft& fragment) {
  for (const TemplateAtom& atom : fragment.atoms_)
    if (find(atom.name.view()) == nullptr) atoms_.push_back(atom);
  bonds_.insert(bonds_.end(), fragment.bonds_.begin(), fragment.bonds_.end());
  for (std::size_t n = 0; n < names_.size(); ++n)
    names_[n].insert(names_[n].end(), fragment.names_[n].begin(), fragment.names_[n].end());
  for (std::size_t n = 0; n < naming_schemes; ++n)
    if (fragment.list_of_scheme_[n] != n) list_of_scheme_[n] = fragment.list_of_scheme_[n];
  lacks_ |= fragment.lacks_;
  inner_ |= fragment.inner_;
  if (!fragment.before_.empty()) before_ = fragment.before_;
  if (!fragment.after_.empty()) after_ = fragment.after_;
  if (!fragment.side_.empty()) side_ = fragment.side_;
}

void ResidueDraft::begin_variant() {
  for (Called& called : called_) called = {};
}

void ResidueDraft::begin_end(EndPattern pattern) {
  is_at_end_ = true;
  is_at_both_ends_ = pattern == EndPattern::of_both_ends;
}

TemplateAtom* ResidueDraft::find(std::string_view name) {
  const auto found = std::find_if(atoms_.begin(), atoms_.end(),
                                  [&](const TemplateAtom& atom) { return atom.name.view() == name; });
  return found == atoms_.end() ? nullptr : &*found;
}

TemplateAtom& ResidueDraft::existing(const ResidueEdit& edit, std::string_view name) {
  TemplateAtom* const atom = find(name);
  if (atom == nullptr)
    refuse(edit, "the residue has no atom ", quote(name), " here; name one in a bond first");
  return *atom;
}

void ResidueDraft::apply(const ResidueEdit& edit) {
  std::string_view rest = edit.words;
  const std::string_view what = take_token(rest);
  if (what == "bond") return bond(edit, rest);
  if (what == "drop") return drop(edit, rest);
  if (what == "names") return add_names(edit, rest);
  if (what == "called") return call(edit, rest);
  if (what == "link") return link(edit, rest);
  const std::string_view first = take_token(rest), second = take_token(rest);
  if (what == "charge") {
    const auto charge_e = formal_charge(second);
    if (!charge_e) refuse(edit, quote(second), " is not a formal charge (write +1, -2 or 0)");
    existing(edit, first).charge_e = *charge_e;
  } else if (what == "element") {
    const std::string_view element = element_of_symbol(second);
    if (element.empty()) refuse(edit, quote(second), " is not the symbol of an element");
    existing(edit, first).element = element;
  } else if (what == "parent") {
    parent = first;
  } else if (what == "scheme") {
    list_of_scheme_[scheme_number(edit, first)] = list_number(edit, second);
  } else if (what == "lacks" || what == "inner") {
    auto& schemes = what == "lacks" ? lacks_ : inner_;
    for (std::string_view words = edit.words.substr(what.size()); !trim(words).empty();)
      schemes.set(scheme_number(edit, take_token(words)));
  } else {
    refuse(edit, quote(what),
           " is not a change of a residue; use bond, drop, charge, element, names, called, scheme, "
           "link, parent, lacks or inner");
  }
}

void ResidueDraft::bond(const ResidueEdit& edit, std::string_view words) {
  while (!trim(words).empty()) {
    const std::string_view token = take_token(words);
    const std::size_t at = token.find_first_of(bond_signs);
    if (at == token.npos || at == 0 || at + 1 == token.size())
      refuse(edit, quote(token), " is not a bond; write A-B, A=B or A-B,C");
    const auto order = int(bond_signs.find(token[at]));
    for (std::string_view others = token.substr(at + 1); !others.empty();)
      connect(edit, token.substr(0, at), take_part(others, ','), order);
  }
}

void ResidueDraft::connect(const ResidueEdit& edit, std::string_view first, std::string_view second,
                           int order) {
  for (const std::string_view name : {first, second}) {
    if (name.empty() || name.size() > 4)
      refuse(edit, quote(name), " is not an atom's name (one to four characters)");
    if (find(name) != nullptr) continue;
    const std::string_view element = element_of_symbol(name.substr(0, 1));  // two letters: by `element`
    atoms_.push_back({name, element, 0});
  }
  for (Bond& known : bonds_)
    if ((known.first == Label(first) && known.second == Label(second)) ||
        (known.first == Label(second) && known.second == Label(first))) {
      if (known.order == order) refuse(edit, "the bond ", first, '-', second, " exists already");
      known.order = order;
      return;
    }
  bonds_.push_back({first, second, order});
}

void ResidueDraft::drop(const ResidueEdit& edit, std::string_view words) {
  while (!trim(words).empty()) {
    const std::string_view name = take_token(words);
    existing(edit, name);
    std::erase_if(atoms_, [&](const TemplateAtom& atom) { return atom.name.view() == name; });
    std::erase_if(bonds_, [&](const Bond& b) { return b.first.view() == name || b.second.view() == name; });
    for (Names& names : names_)
      std::erase_if(names, [&](const auto& pair) { return pair.first.view() == name; });
  }
}

std::size_t ResidueDraft::scheme_number(const ResidueEdit& edit, std::string_view word) const {
  const auto scheme = find_naming_scheme(word);
  if (!scheme) refuse(edit, quote(word), " is not a naming scheme");
  return std::size_t(*scheme);
}

std::size_t ResidueDraft::list_number(const ResidueEdit& edit, std::string_view word) const {
  for (std::size_t n = 0; n < lists_.size(); ++n)
    if (lists_[n].view() == word) return naming_schemes + n;
  return scheme_number(edit, word);
}

void ResidueDraft::add_names(const ResidueEdit& edit, std::string_view words) {
  std::string_view lists = take_token(words);
  std::vector<std::pair<Label, Label>> names;
  while (!trim(words).empty()) {
    std::string_view token = take_token(words);
    const std::string_view name = take_part(token, '=');
    existing(edit, name);
    if (token.empty() || token.size() > 4)
      refuse(edit, quote(token), " is not an atom's name (one to four characters)");
    names.emplace_back(name, token);
  }
  if (names.empty()) refuse(edit, "names lists pairs such as HB2=HB1");
  while (!lists.empty()) {
    Names& list = names_[list_number(edit, take_part(lists, ','))];
    list.insert(list.end(), names.begin(), names.end());
  }
}

void ResidueDraft::call(const ResidueEdit& edit, std::string_view words) {
  std::string_view schemes = take_token(words);
  const std::string_view name = take_token(words);
  if (name.empty()) refuse(edit, "called says what programs call the residue: called amber HID");
  if (is_at_end_ != (name.find('*') != name.npos))
    refuse(edit, quote(name),
           is_at_end_ ? " has no * for the name within the chain" : " has a *, which is for ends");
  std::vector<std::string_view> patches;
  while (!trim(words).empty()) patches.push_back(take_token(words));
  while (!schemes.empty()) {
    Called& called = called_[scheme_number(edit, take_part(schemes, ','))];
    if (!is_at_end_) {
      called = {.name = name == "-" ? Label() : Label(name), .has_no_residue = name == "-"};
      called.patches.assign(patches.begin(), patches.end());
      continue;
    }
    if (is_at_both_ends_) called.end_patterns.clear();
    if (name != "*") called.end_patterns.emplace_back(name);
    for (const std::string_view patch : patches) {
      std::string_view added = patch;
      const std::string_view before = take_part(added, '>');  // DEOX>DEO5 replaces the one by the other
      if (added.empty()) {
        called.patches.emplace_back(patch);
        continue;
      }
      const auto replaced = std::find(called.patches.begin(), called.patches.end(), Label(before));
      if (replaced == called.patches.end()) refuse(edit, "there is no patch ", quote(before), " to replace");
      *replaced = Label(added);
    }
  }
}

void ResidueDraft::link(const ResidueEdit& edit, std::string_view words) {
  const std::string_view side = take_token(words), atom = take_token(words);
  Label* const link = side == "before"  ? &before_
                      : side == "after" ? &after_
                      : side == "side"  ? &side_
                                        : nullptr;
  if (link == nullptr) refuse(edit, quote(side), " is not a side of a residue; use before, after or side");
  if (atom != "-") existing(edit, atom);
  *link = atom == "-" ? Label() : Label(atom);
}

std::optional<ProgramName> ResidueDraft::called_in(std::size_t scheme, Label name, Label residue,
                                                   ChainEnds ends) const {
  const Called& called = called_[scheme];
  if (lacks_[scheme] || (inner_[scheme] && ends != ChainEnds{})) return std::nullopt;
  // AMBER has NALA and CALA, but not an alanine that is a whole chain.
  if (called.end_patterns.size() > 1) return std::nullopt;
  const bool is_pdb = NamingScheme(scheme) == NamingScheme::pdb || NamingScheme(scheme) == NamingScheme::pdb2;
  Label own = !called.name.empty() ? called.name : is_pdb ? residue : name;
  if (!called.end_patterns.empty()) {
    std::string text = called.end_patterns[0];
    text.replace(text.find('*'), 1, own.view());
    own = Label(text);
  }
  return ProgramName{called.has_no_residue ? Label() : own, called.patches};
}

ResidueTemplate ResidueDraft::finish(std::int64_t line, Label name, Label residue, ChainEnds ends) const {
  ResidueTemplate made{
      .name = name, .residue = residue, .parent = parent.empty() ? residue : parent, .ends = ends};
  made.atoms = atoms_;
  for (const TemplateAtom& atom : atoms_)
    if (atom.element.empty())
      refuse({line, {}}, residue, ' ', atom.name, " has no element; add a line: element ", atom.name);
  for (const Bond& b : bonds_)
    made.bonds.push_back({std::uint16_t(made.find(b.first.view())), std::uint16_t(made.find(b.second.view())),
                          std::uint8_t(b.order)});
  made.link_before = before_.empty() ? ResidueTemplate::no_atom : made.find(before_.view());
  made.link_after = after_.empty() ? ResidueTemplate::no_atom : made.find(after_.view());
  made.link_side = side_.empty() ? ResidueTemplate::no_atom : made.find(side_.view());
  for (std::size_t n = 0; n < naming_schemes; ++n) {
    made.called[n] = called_in(n, name, residue, ends);
    for (const TemplateAtom& atom : atoms_) made.names[n].push_back(atom.name);
    for (const auto& [own, other] : names_[list_of_scheme_[n]])
      if (const std::size_t at = made.find(own.view()); at != ResidueTemplate::no_atom)
        made.names[n][at] = other;
  }
  return made;
}

}  // namespace ionwell
