// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/openmm_residues.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "files/xml_tags.hpp"

namespace ionwell {
namespace {

class ForceFieldReader {
 public:
  ForceFieldReader(std::string_view text, const std::string& path) : tags_(text, path), path_(path) {}

  OpenmmResidues read() {
    while (tags_.next(tag_)) {
      if (tag_.opens) open();
      if (tag_.closes) close();
    }
    if (!is_force_field_)
      fail(path_, ": is not an OpenMM force field (<ForceField>); give one with the template of the residue");
    give_charges_and_elements();
    return std::move(residues_);
  }

 private:
  struct AtomType {
    std::string type_class;
    ElementSymbol element;
  };

  std::string_view parent() const {
    return inside_.empty() ? std::string_view() : std::string_view(inside_.back());
  }

  void open() {
    if (tag_.name == "ForceField" && inside_.empty()) is_force_field_ = true;
    if (tag_.name == "Type" && parent() == "AtomTypes") add_type();
    if (tag_.name == "Residue" && parent() == "Residues") begin_residue();
    if (tag_.name == "Atom" && parent() == "Residue") add_atom();
    if (tag_.name == "Bond" && parent() == "Residue") add_bond();
    if (tag_.name == "Include")
      fail(path_, ':', tag_.line,
           ": includes another file, which the folder would lack; insert the text of that file instead");
    if (tag_.name == "VirtualSite" && parent() == "Residue")
      fail(path_, ':', tag_.line, ": residue ", quote(residue_),
           " has virtual sites, which only water may have here; give a force field without them");
    if (tag_.name == "Atom" && parent() == "NonbondedForce") add_charge();
    inside_.emplace_back(tag_.name);
  }

  void close() {
    if (parent() != tag_.name)
      fail(path_, ':', tag_.line, ": is not valid XML (</", tag_.name, "> closes a tag that is not open)");
    inside_.pop_back();
  }

  std::string needed(const char* attribute) const {
    const std::optional<std::string_view> value = tag_.find(attribute);
    if (!value) fail(path_, ':', tag_.line, ": <", tag_.name, "> lacks its ", attribute);
    return std::string(*value);
  }

  std::optional<double> charge() const {
    const std::optional<std::string_view> text = tag_.find("charge");
    if (!text) return {};
    const std::optional<double> value = parse_number(trim(*text));
    if (!value) fail(path_, ':', tag_.line, ": ", quote(*text), " is not a charge");
    return value;
  }

  void add_type() {
    AtomType type{std::string(tag_.find("class").value_or("")), {}};
    if (const auto element = tag_.find("element")) type.element = ElementSymbol(upper_case(*element));
    types_[needed("name")] = type;
  }

  static std::string upper_case(std::string_view text) {
    std::string upper(text);
    for (char& c : upper)
      if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
    return upper;
  }

  void begin_residue() {
    residue_ = needed("name");
    if (residue_.size() > Label::capacity) residue_.clear();  // none of an entry's
    first_ = residues_.atoms.size();
    ++number_;
  }

  void add_atom() {
    if (residue_.empty()) return;
    const std::string name = needed("name");
    if (name.empty() || name.size() > Label::capacity)
      fail(path_, ':', tag_.line, ": atom ", quote(name), " has a name that is not of 1 to ", Label::capacity,
           " characters");
    Atom atom;
    atom.name = std::string_view(name);
    atom.residue = std::string_view(residue_);
    atom.residue_number = number_;
    if (find(name)) fail(path_, ':', tag_.line, ": residue ", residue_, " has two atoms ", quote(name));
    residues_.atoms.push_back(atom);
    atom_types_.push_back(needed("type"));
    own_charges_.push_back(charge());
  }

  /// Of the residue that is read; by its name.
  std::optional<std::uint32_t> find(std::string_view name) const {
    for (std::size_t n = first_; n < residues_.atoms.size(); ++n)
      if (residues_.atoms[n].name.view() == name) return std::uint32_t(n);
    return {};
  }

  std::uint32_t bonded_atom(const char* by_name, const char* by_number) const {
    const std::optional<std::string_view> name = tag_.find(by_name);
    if (!name) {
      const std::string text = needed(by_number);
      const std::optional<int> n = parse_integer<int>(text);
      if (n && *n >= 0 && std::size_t(*n) < residues_.atoms.size() - first_)
        return std::uint32_t(first_) + std::uint32_t(*n);
      fail(path_, ':', tag_.line, ": a bond of atom ", quote(text), ", and residue ", residue_, " has ",
           residues_.atoms.size() - first_);
    }
    if (const std::optional<std::uint32_t> n = find(*name)) return *n;
    fail(path_, ':', tag_.line, ": a bond of atom ", quote(*name), ", which residue ", residue_, " lacks");
  }

  void add_bond() {
    if (residue_.empty()) return;
    const std::uint32_t first = bonded_atom("atomName1", "from"), second = bonded_atom("atomName2", "to");
    residues_.bonds.push_back({first, second});
  }

  void add_charge() {
    const std::optional<double> value = charge();
    if (!value) return;
    if (const auto type = tag_.find("type")) of_types_[std::string(*type)] = *value;
    if (const auto type_class = tag_.find("class")) of_classes_[std::string(*type_class)] = *value;
  }

  void give_charges_and_elements() {
    for (std::size_t n = 0; n < residues_.atoms.size(); ++n) {
      Atom& atom = residues_.atoms[n];
      const auto type = types_.find(atom_types_[n]);
      std::optional<double> charge_e = own_charges_[n];
      if (const auto known = of_types_.find(atom_types_[n]); !charge_e && known != of_types_.end())
        charge_e = known->second;
      if (type != types_.end()) {
        atom.element = type->second.element;
        if (const auto known = of_classes_.find(type->second.type_class);
            !charge_e && known != of_classes_.end())
          charge_e = known->second;
      }
      atom.charge_e = charge_e.value_or(0.0);
      if (!charge_e) residues_.uncharged.emplace(atom.residue.view());
    }
  }

  XmlTags tags_;
  XmlTag tag_;
  const std::string& path_;
  std::vector<std::string> inside_;  // names of the elements that are open
  bool is_force_field_ = false;
  std::map<std::string, AtomType> types_;
  std::map<std::string, double> of_types_, of_classes_;
  OpenmmResidues residues_;
  std::vector<std::string> atom_types_;             // by atom
  std::vector<std::optional<double>> own_charges_;  // by atom
  std::string residue_;
  int number_ = 0;
  std::size_t first_ = 0;  // atom of the residue
};

}  // namespace

OpenmmResidues read_openmm_residues(std::string_view text, const std::string& path) {
  return ForceFieldReader(text, path).read();
}

}  // namespace ionwell
