// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/made_structure.hpp"

#include <stdexcept>

namespace ionwell::test {

void MadeStructure::begin_residue() {
  begins_.push_back(atoms_.size());
  last_atoms_.emplace_back();
}

void MadeStructure::put(Atom atom) {
  const auto residue = double(begins_.size() - 1), n = double(atoms_.size() - begins_.back());
  const auto k = std::int64_t(n);
  atom.position_A = {20.0 * residue, 3.0 * double(k / 6), 3.0 * double(k % 6)};
  atom.chain = Label(chain_);
  atom.residue_number = number_;
  atom.insertion_code = insertion_code_;
  atoms_.push_back(atom);
}

MadeStructure& MadeStructure::add(std::string_view name, ChainEnds ends) {
  const ResidueTemplate* const made = residue_table().find(name, ends);
  const ResidueTemplate* const inner = residue_table().find(name);
  if (made == nullptr) throw std::runtime_error(std::string(name) + " has no such template");
  begin_residue();
  for (const TemplateAtom& atom : made->atoms)
    if (hydrogens_ == Hydrogens::yes || atom.element != ElementSymbol("H") ||
        made->kind == ResidueClass::water)
      put({.name = atom.name,
           .residue = made->called_in(NamingScheme::pdb)->residue,
           .element = atom.element});
  if (inner->link_after != ResidueTemplate::no_atom)
    last_atoms_.back() = std::string(inner->atoms[inner->link_after].name.view());
  ++number_;
  insertion_code_ = ' ';
  return *this;
}

MadeStructure& MadeStructure::bound(std::string_view name, ChainEnds ends) {
  add(name, ends);
  const ResidueTemplate* const inner = residue_table().find(name);
  const std::size_t last = begins_.size() - 1;
  return join(last, inner->atoms[inner->link_before].name.view(), last - 1, last_atoms_[last - 1], 1.4);
}

MadeStructure& MadeStructure::add_atoms(std::string_view residue, const std::vector<std::string>& names) {
  begin_residue();
  for (const std::string& name : names)
    put({.name = Label(name), .residue = residue, .element = name.substr(0, 1).c_str()});
  ++number_;
  return *this;
}

MadeStructure& MadeStructure::chain(std::string_view name, int first_number) {
  chain_ = name;
  number_ = first_number;
  return *this;
}

MadeStructure& MadeStructure::number(int number, char insertion_code) {
  number_ = number;
  insertion_code_ = insertion_code;
  return *this;
}

MadeStructure& MadeStructure::end_chain() {
  atoms_.back().ends_chain = true;
  return *this;
}

std::uint32_t MadeStructure::at(std::size_t residue, std::string_view atom) const {
  const std::size_t end = residue + 1 < begins_.size() ? begins_[residue + 1] : atoms_.size();
  for (std::size_t n = begins_[residue]; n < end; ++n)
    if (atoms_[n].name.view() == atom) return std::uint32_t(n);
  throw std::runtime_error("no atom " + std::string(atom));
}

MadeStructure& MadeStructure::join(std::size_t a, std::string_view atom_a, std::size_t b,
                                   std::string_view atom_b, double distance_A) {
  const Vec3<double>& p = atoms_[at(a, atom_a)].position_A;
  atoms_[at(b, atom_b)].position_A = {p.x - distance_A, p.y, p.z};
  return *this;
}

}  // namespace ionwell::test
