// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/templates/residue_table.hpp"

#include <algorithm>

#include "chemistry/templates/residue_text.hpp"
#include "core/chemistry/ion_component.hpp"
#include "core/chemistry/ion_table.hpp"

namespace ionwell {
namespace {

ResidueTemplate ion_template(std::string_view residue, std::string_view atom, const FormalIon& ion) {
  ResidueTemplate made{.name = residue, .residue = residue, .parent = residue, .kind = ResidueClass::ion};
  made.atoms = {{atom, ion.element, int(ion.charge_e)}};
  made.names.fill({Label(atom)});
  for (const NamingScheme scheme : {NamingScheme::pdb, NamingScheme::pdb2})
    made.called[std::size_t(scheme)] = ProgramName{residue, {}};
  return made;
}

}  // namespace

ResidueTable::ResidueTable(std::string_view path, std::string text)
    : text_(std::move(text)), file_(read_residue_file(path, text_)) {
  add_ions();
  index();
}

void ResidueTable::add_ions() {
  const auto is_there = [&](std::string_view name) {
    return std::any_of(file_.templates.begin(), file_.templates.end(),
                       [&](const auto& t) { return t.name.view() == name; });
  };
  for (const KnownIon& ion : known_ions()) {
    const IonName& own = ion.names[std::size_t(IonNaming::pdb)];
    if (is_there(own.residue)) continue;  // NCO, which has its ligands
    ResidueTemplate made = ion_template(own.residue, own.atom, {ion.element, ion.charge_e});
    const auto call = [&](NamingScheme scheme, IonNaming naming) {
      const IonName& name = ion.names[std::size_t(naming)];
      if (name.residue.empty()) return;
      made.called[std::size_t(scheme)] = ProgramName{name.residue, {}};
      made.names[std::size_t(scheme)] = {Label(name.atom)};
    };
    call(NamingScheme::amber, IonNaming::amber);
    call(NamingScheme::charmm, IonNaming::charmm);
    call(NamingScheme::gromacs, IonNaming::gromacs);
    if (ion_atom(NamingScheme::gromacs_charmm, own.residue, own.atom))
      call(NamingScheme::gromacs_charmm, IonNaming::charmm);
    file_.templates.push_back(std::move(made));
  }
  for (const IonComponent& component : ion_components()) {
    if (is_there(component.name)) continue;
    ResidueTemplate made = ion_template(component.name, component.ion.element, component.ion);
    constexpr auto amber = std::size_t(NamingScheme::amber);
    if (const auto atom = ion_atom(NamingScheme::amber, component.name, component.ion.element)) {
      made.called[amber] = ProgramName{component.name, {}};
      made.names[amber] = {*atom};
    }
    file_.templates.push_back(std::move(made));
  }
}

/// What the scheme calls the ion's atom: `atom` where the file says nothing; nothing where it does not list
/// the ion.
std::optional<Label> ResidueTable::ion_atom(NamingScheme scheme, std::string_view component,
                                            std::string_view atom) const {
  for (const KnownComponents& ions : file_.ions)
    for (const std::string_view ion : ions.names) {
      if (ions.what != to_string(scheme) || ion.substr(0, ion.find('=')) != component) continue;
      const std::size_t at = ion.find('=');
      return at == ion.npos ? atom : ion.substr(at + 1);
    }
  return std::nullopt;
}

void ResidueTable::index() {
  for (std::uint32_t n = 0; n < file_.templates.size(); ++n) {
    const ResidueTemplate& made = file_.templates[n];
    const auto add = [&](const Label& name) {
      if (name.empty()) return;
      auto& numbers = by_name_[name.view()];
      if (numbers.empty() || numbers.back() != n) numbers.push_back(n);
    };
    add(made.name);
    add(made.residue);
    for (const auto& called : made.called)
      if (called) add(called->residue);
  }
  for (const KnownComponents& known : file_.known)
    for (const std::string_view name : known.names) known_[name].push_back(known.what);
}

std::span<const std::uint32_t> ResidueTable::candidates(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::span<const std::uint32_t>{} : found->second;
}

const ResidueTemplate* ResidueTable::find(std::string_view name, ChainEnds ends) const {
  for (const std::uint32_t n : candidates(name))
    if (file_.templates[n].name.view() == name && file_.templates[n].ends == ends) return &file_.templates[n];
  return nullptr;
}

bool ResidueTable::is_known(std::string_view what, std::string_view component) const {
  const auto found = known_.find(component);
  return found != known_.end() &&
         std::find(found->second.begin(), found->second.end(), what) != found->second.end();
}

const ResidueTable& residue_table() {
  static const ResidueTable table("lib/chemistry/templates/residues.txt", residue_text());
  return table;
}

}  // namespace ionwell
